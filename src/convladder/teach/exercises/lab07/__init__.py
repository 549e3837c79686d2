"""Lab 07: requests, a transpose, tiles, vectors, occupancy, a product in stages, a convolution."""
