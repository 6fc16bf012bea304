"""What the house knows: attributes, rows, boxes, trees. Frozen."""
