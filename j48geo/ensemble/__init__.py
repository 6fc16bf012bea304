"""Wrappers and filters: what several trees answer together, as Weka's wrappers do."""
