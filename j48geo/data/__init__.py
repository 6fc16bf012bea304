"""Data of any format becomes rows of one kind."""
