"""The papers' experiments again, with real Weka; `scripts/studies/reproduce` runs them."""
