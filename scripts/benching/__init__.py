"""The parts of scripts/bench, a module each, and how they measure and tell."""
