"""The text that J48 prints, in all its dialects, damage undone."""
