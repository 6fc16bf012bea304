"""ARFF as Weka reads it: the exact reader, and fast paths that equal it."""
