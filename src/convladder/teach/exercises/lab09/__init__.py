"""Lab 09: places of the implicit matrix, waves, a fused epilogue, TF32, an implicit GEMM."""
