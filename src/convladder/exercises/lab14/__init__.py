"""Lab 14: quantisation: grids, scales, integer layers, sparsity, packed bits."""
