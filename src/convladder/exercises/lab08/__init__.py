"""Lab 08: MEC by the batched GEMMs of cuBLAS."""
