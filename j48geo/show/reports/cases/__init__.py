"""Answers about cases, row by row: predictions, rankings, probabilities, explanations."""
