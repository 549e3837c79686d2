"""Lab 17: convolution with fewer multiplications, by Winograd's algorithm."""
