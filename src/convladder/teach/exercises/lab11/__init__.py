"""Lab 11: fused layers, coalesced products, a budget of shared memory, gains, a rung of one's own."""
