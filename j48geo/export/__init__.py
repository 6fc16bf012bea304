"""Trees written for other programs."""
