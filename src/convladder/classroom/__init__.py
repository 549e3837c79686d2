"""What an instructor needs and nobody else has: a board, marks, slides, plans."""
