"""What copying does to a tree text, and how it is undone where nothing has to be guessed."""
