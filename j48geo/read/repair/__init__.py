"""Repairs of texts that copying damaged; `choose_repairs.read_with_repairs` is the entry point."""
