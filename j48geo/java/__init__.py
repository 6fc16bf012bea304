"""What Java prints and parses: numbers, dates, its calendar."""
