"""Whole networks: LeNet-5, a compiler, compression, planned memory, several workers."""
