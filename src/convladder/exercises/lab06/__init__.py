"""Lab 06, first kernels: grid and bounds, barriers, atomic operations, a convolution."""
