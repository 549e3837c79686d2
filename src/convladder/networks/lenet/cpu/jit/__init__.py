"""Code that imports Numba, half a second; `cpu/`, whose modules the ladder imports, does not."""
