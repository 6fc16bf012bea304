"""The papers' experiments again, with real Weka; `scripts/reproduce` runs them."""
