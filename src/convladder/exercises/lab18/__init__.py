"""Lab 18: one network on several workers: bands, shares, pipelines, a model of the gain."""
