"""What the exercises in CUDA C++ share: sources with a line exchanged, grids, images."""

from __future__ import annotations

import numpy as np


def edited(source: str, *exchanges: tuple[str, str]) -> str:
    """Return `source` with each (old, new) exchanged. Raises ValueError where `old` is not."""
    for old, new in exchanges:
        if old not in source:
            raise ValueError(f"the kernel has no {old!r} to exchange")
        source = source.replace(old, new)
    return source


def blocks(*sizes_and_sides: tuple[int, int]) -> tuple[int, ...]:
    """Return a grid: for each (size, side of a block), as many blocks as cover the size."""
    return tuple(-(-size // side) for size, side in sizes_and_sides)


def counting(*shape: int) -> np.ndarray:
    """Return 1, 2, 3, ... in `shape`, float32: values that a learner can follow."""
    return np.arange(1, np.prod(shape) + 1, dtype=np.float32).reshape(shape)
