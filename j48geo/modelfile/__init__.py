"""Our own model file, JSON: both directions in one place."""
