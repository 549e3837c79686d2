"""Lab 06: convolution with fewer multiplications, by Winograd's algorithm."""
