"""What needs Numba, half a second of it; `cpu/`, whose modules the ladder imports, does not."""
