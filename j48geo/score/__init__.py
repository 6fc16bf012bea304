"""Scores of cases: what Weka would say, and what the geometry of the tree adds."""
