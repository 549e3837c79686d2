"""Smaller networks: fewer bits, fewer weights, smaller networks, each with its figures.

`grids` and `calibrate` are quantisation's two questions; `quantised` is LeNet-5 in integers and
`machine` the same on the kernel of `int8`; `pruned`, `lowrank`, `half` leave something out; `train`
(PyTorch) made the networks that `store` loads; `scores` compares all of it.
"""
