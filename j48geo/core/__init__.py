"""What the house knows: attributes, rows, boxes, trees, and what was learnt of them. Frozen."""
