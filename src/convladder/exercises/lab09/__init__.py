"""Lab 09: MEC by the batched GEMMs of cuBLAS."""
