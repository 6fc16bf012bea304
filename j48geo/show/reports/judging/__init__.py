"""How good the answers are: methods side by side, confusion, curves."""
