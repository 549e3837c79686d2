"""The layers and arrays that lab 03's exercises are tried on, and what they may call."""

from __future__ import annotations

import numpy as np

from ....photo import photo
from ....problem import ConvProblem

SHAPES = ("convladder.problem.shapes",)
PROBLEM = ("convladder.problem",)
# Bytes are judged on a batch: with one image, some copies of a whole array are free. It is tall,
# so that the rows which lab 04's threads lower twice are few.
PHOTO = ConvProblem(2, 224, 112, 3, 7, 7, 16, padding=1)

TOY = ConvProblem(1, 4, 3, 1, 2, 2, 1)
STRIDED = ConvProblem(2, 8, 9, 3, 3, 2, 4, stride=(2, 3))
UNLIKE = ConvProblem(3, 12, 9, 2, 5, 4, 10)  # no size of which stands for another
MANY_FILTERS = ConvProblem(2, 5, 4, 1, 2, 3, 30)  # whose output does not fit into L
APART = ConvProblem(1, 12, 8, 2, 5, 3, 2, stride=(3, 2), padding=(2, 0))  # partitions, by 3 of 16
PADDED = ConvProblem(2, 6, 5, 2, 3, 4, 2, stride=(1, 2), padding=(2, 1))


def image(rng: np.random.Generator, p: ConvProblem) -> np.ndarray:
    if p is TOY:
        return np.arange(1, 13, dtype=np.float32).reshape(p.input_shape)
    if p.i_h > 150:
        one = photo(p.i_h)[:, : p.i_w] - np.float32(0.4)
        return np.stack([one, one[::-1]][: p.i_n])
    return rng.standard_normal(p.input_shape, dtype=np.float32)


def kernel(rng: np.random.Generator, p: ConvProblem) -> np.ndarray:
    if p is TOY:
        return np.array([1, -2, 3, 5], np.float32).reshape(p.kernel_shape)
    return rng.standard_normal(p.kernel_shape, dtype=np.float32)


def images_and_kernels(*problems: ConvProblem):
    return lambda rng: [(image(rng, p), kernel(rng, p), p) for p in problems]
