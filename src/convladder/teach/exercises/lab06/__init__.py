"""Lab 06: kernels in CUDA C++: threads, borders, barriers, atomics, a convolution."""
