"""Rungs of the LeNet-5 ladder on the processor: one file each, the simplest first."""
