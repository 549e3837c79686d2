"""Methods that run on the processor: one file a family, found by `convladder.registry`."""
