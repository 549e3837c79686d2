"""Lab 16: quantisation: grids, scales, integer layers, sparsity, packed bits."""
