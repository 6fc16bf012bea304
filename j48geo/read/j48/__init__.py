"""Reader of the text that J48 prints, in all its dialects; `reader.read` is the entry point."""
