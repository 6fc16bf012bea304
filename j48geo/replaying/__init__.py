"""Do this tree and these rows belong together? Counts replayed, thresholds restored."""
