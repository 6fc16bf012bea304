"""Small files that people write: scales, labels, costs, scores."""
