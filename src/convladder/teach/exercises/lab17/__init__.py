"""Lab 17: Winograd from four products by hand to a convolution that chooses its tiles."""
