"""The instructor's tools: a board, marks, slides, plans."""
