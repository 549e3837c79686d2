"""Lab 16: bands with halos, uneven shares, a pipeline, a predicted speed-up, a cut of one's own."""
