"""Lab 07: sectors, a transpose, tiles, vector loads, occupancy, a tiled convolution."""
