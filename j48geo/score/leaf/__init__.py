"""The probability of a class at a leaf, from the counts of its node and those above."""
