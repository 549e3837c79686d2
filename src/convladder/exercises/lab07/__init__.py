"""Lab 07, first kernels: grid and bounds, barriers, atomic operations, a convolution."""
