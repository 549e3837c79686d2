"""Lab 15: small memory: lives, arenas, strips, gradients, recomputing."""
