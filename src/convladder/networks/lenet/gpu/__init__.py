"""Rungs of the LeNet-5 ladder on the GPU: one file each, beside the `.cu` of its new kernels.

A rung is a `Plan` that says what differs from the rung before (session.py). The first eight are the
RTX 2060 ladder's, step by step (docs/sources.md); then the ladder goes on to the limit of the wire.
All but the last run on the emulator too.
"""
