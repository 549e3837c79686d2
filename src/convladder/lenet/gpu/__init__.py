"""Rungs of the LeNet-5 ladder on the GPU."""
