"""Lab 10: implicit GEMM: tables, waves, even shares, an epilogue, and a kernel of your own."""
