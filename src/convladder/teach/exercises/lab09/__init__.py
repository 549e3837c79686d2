"""Lab 09: tables of the implicit matrix, waves, shares of a sum, a fused epilogue, a kernel."""
