"""Rows of columns, and the formats that they are written in."""
