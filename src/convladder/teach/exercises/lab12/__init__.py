"""Lab 12: fused layers, coalesced products, room for images, gains, a stage of one's own."""
