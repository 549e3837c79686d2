"""Lab 05: count chains, choose a tile, pack weights, and write loops judged by their code."""
