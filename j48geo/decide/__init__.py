"""What to decide: the order of the leaves, labels for costs, criteria of splits, curves."""
