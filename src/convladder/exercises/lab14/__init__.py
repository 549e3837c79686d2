"""Lab 14: the LeNet ladder: fused kernels, coalesced reads, shared memory, gains."""
