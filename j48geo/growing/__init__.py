"""NodeRows -> tree: J48's own tree to the last digit, and the trees of the papers."""
