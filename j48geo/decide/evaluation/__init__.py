"""How good scores and probabilities are on cases whose class is known."""
