"""What each command shows, in words and as rows."""
