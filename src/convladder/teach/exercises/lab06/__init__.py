"""Lab 06: kernels in CUDA C++: which thread writes what, borders, barriers, a convolution."""
