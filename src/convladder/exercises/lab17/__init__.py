"""Lab 17: small memory: lives, arenas, strips, gradients, recomputing."""
