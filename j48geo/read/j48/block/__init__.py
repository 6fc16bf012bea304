"""The tree block itself: its lines, their possible readings, and the tree they make."""
