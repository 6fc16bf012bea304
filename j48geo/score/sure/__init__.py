"""What is sure although numbers were printed rounded, and what is not."""
