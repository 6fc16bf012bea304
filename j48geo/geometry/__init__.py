"""Measures: how far a case is from the decision boundary, and what lies between."""
