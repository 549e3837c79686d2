"""What the exercises of lab 17 share: layers, and Winograd's steps with room for each mistake."""

from __future__ import annotations

from fractions import Fraction

import numpy as np

from ....problem import ConvProblem
from ....winograd import matrices as exact
from ....winograd import numbers
from ..lab03.layers import PROBLEM

__all__ = [
    "BETTER",
    "EDGES",
    "EVEN",
    "INSIDE",
    "PROBLEM",
    "TALL",
    "TOY",
    "USUAL",
    "WIDE",
    "arrays",
    "join",
    "matrices",
    "padded",
    "tiles",
]

USUAL = {2: [0.0, 1.0, -1.0], 4: [0.0, 1.0, -1.0, 2.0, -2.0]}
BETTER = [0.0, 0.625, -0.625, 1.5, -1.5]

TOY = ConvProblem(1, 6, 6, 1, 3, 3, 1)
EVEN = ConvProblem(1, 8, 8, 2, 3, 3, 2, padding=1)
EDGES = ConvProblem(2, 7, 10, 3, 3, 3, 4, padding=1)
INSIDE = ConvProblem(1, 8, 9, 2, 3, 3, 1)  # fewer outputs than pixels, and tiles that hang over
TALL = ConvProblem(1, 9, 8, 2, 5, 5, 2, padding=(2, 0))  # hangs over below, by most of a tile
WIDE = ConvProblem(1, 14, 11, 5, 3, 3, 3, padding=(1, 2))


def matrices(m: int, r: int, points: list[float]) -> tuple[np.ndarray, ...]:
    """Return `AT`, `G` and `BT` in float64."""
    made = exact(m, r, tuple(Fraction(point) for point in points))
    return tuple(numbers(matrix) for matrix in made)


def arrays(rng: np.random.Generator, p: ConvProblem) -> tuple[np.ndarray, np.ndarray]:
    """Return an image whose pixels can be told apart, and weights."""
    x = rng.standard_normal(p.input_shape, dtype=np.float32)
    if p is TOY:
        x = np.arange(1, 37, dtype=np.float32).reshape(p.input_shape)
    return x, rng.standard_normal(p.kernel_shape, dtype=np.float32)


def padded(
    x: np.ndarray, p: ConvProblem, m: int, before: tuple[int, int] | None = None, **how: str
) -> np.ndarray:
    """Return `x` with its padding (`before` it, other than the problem's) and zeros for tiles."""
    first = p.padding if before is None else before
    ends = [
        (pad, m * -(-o // m) + k - 1 + m)
        for pad, o, k in zip(first, (p.o_h, p.o_w), (p.k_h, p.k_w), strict=True)
    ]
    return np.pad(x, ((0, 0), *ends, (0, 0)), **how)


def tiles(
    image: np.ndarray,
    p: ConvProblem,
    m: int,
    step: int | None = None,
    counts: tuple[int, int] | None = None,
) -> np.ndarray:
    """Return `[i_n,rows,cols,a,a,i_c]` of a padded image, a tile every `step` (None: m) pixels."""
    a, step = m + p.k_h - 1, step or m
    rows, cols = counts or (-(-p.o_h // m), -(-p.o_w // m))
    found = np.empty((len(image), rows, cols, a, a, image.shape[3]), np.float32)
    for row, col in np.ndindex(rows, cols):
        found[:, row, col] = image[:, step * row :, step * col :][:, :a, :a]
    return found


def join(Y: np.ndarray, p: ConvProblem) -> np.ndarray:
    """Return `y` from `Y[i_n,rows,cols,m,m,k_c]`, cut off at its edges."""
    n, rows, cols, m, _, k_c = Y.shape
    whole = Y.transpose(0, 1, 3, 2, 4, 5).reshape(n, rows * m, cols * m, k_c)
    return np.ascontiguousarray(whole[:, : p.o_h, : p.o_w], np.float32)
