"""Winograd's convolution with rounded factors, and how far it errs: any points, tiles, formats."""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction

import numpy as np

from ..core.problem import ConvProblem
from ..core.reference import conv2d_float64, random_arrays
from ..core.winograd_transforms import USUAL, Tiles, matrices, numbers, sizes
from .winograd_numpy import lower

Rounding = Callable[[np.ndarray], np.ndarray]


def as_it_is(values: np.ndarray) -> np.ndarray:
    """Return float32 values as float32 holds them."""
    return values


def in_half(values: np.ndarray) -> np.ndarray:
    """Return values as float16 holds them, for products whose sums are float32."""
    return values.astype(np.float16).astype(np.float32)


def in_bytes(values: np.ndarray) -> np.ndarray:
    """Return values as int8 holds them, with one scale for all."""
    return _on_grid(values, np.abs(values).max())


def in_bytes_each(values: np.ndarray) -> np.ndarray:
    """Return `values[a,a,...]` as int8 holds them, with a scale for each position in a tile."""
    return _on_grid(values, np.abs(values).max(axis=tuple(range(2, values.ndim)), keepdims=True))


def _on_grid(values: np.ndarray, largest: np.ndarray) -> np.ndarray:
    scale = np.where(largest > 0, largest / 127, 1)
    return (np.rint(values / scale) * scale).astype(np.float32)


def winograd_with(
    x: np.ndarray, w: np.ndarray, problem: ConvProblem, m: int,
    points: tuple[Fraction | int, ...] | None = None, rounding: Rounding = as_it_is,
) -> np.ndarray:  # fmt: skip
    """Return `y[i_n,o_h,o_w,k_c]` by F(m, r) with `points` (None: the package's).

    `rounding` is what happens to both factors, `U[a,a,i_c,k_c]` and `V[a,a,tiles,i_c]`.
    """
    p, t = problem, Tiles.of(problem, m)
    AT, G, BT = (numbers(matrix) for matrix in matrices(m, p.k_h, points))
    rows = np.tensordot(G, w.astype(np.float64), axes=(1, 0))
    U = rounding(np.tensordot(G, rows, axes=(1, 1)).swapaxes(0, 1).astype(np.float32))
    B, A = (np.kron(matrix, matrix).astype(np.float32) for matrix in (BT, AT))
    V = rounding((B @ lower(x, p, m).reshape(t.places, -1)).reshape(t.a_h, t.a_w, t.count, p.i_c))
    Y = (A @ np.matmul(V, U).reshape(t.places, -1)).reshape(m, m, p.i_n, t.rows, t.cols, p.k_c)
    whole = Y.transpose(2, 3, 0, 4, 1, 5).reshape(p.i_n, t.rows * m, t.cols * m, p.k_c)
    return np.ascontiguousarray(whole[:, : p.o_h, : p.o_w])


def largest_error(y: np.ndarray, right: np.ndarray) -> float:
    """Return the largest error of `y`, over the largest of the right values."""
    return float(np.abs(y - right).max() / np.abs(right).max())


def typical_error(y: np.ndarray, right: np.ndarray) -> float:
    """Return the root of the mean square of the errors, over that of the right values."""
    return float(np.sqrt(np.mean((y - right) ** 2) / np.mean(right**2)))


def rounding_errors(problem: ConvProblem, seed: int = 0) -> dict[str, dict[str, float]]:
    """Return, by format, the `typical_error` of "direct" and of each F(m, r), random arrays.

    F(4) comes with its usual points as well; the kernel is 3×3.
    """
    x, w = random_arrays(problem, seed)
    right, found = conv2d_float64(x, w, problem), {}
    tried: list[tuple[str, int, tuple | None]] = [(f"F({m})", m, None) for m in sizes(problem)]
    tried.insert(1, ("F(4), 0 ±1 ±2", 4, USUAL[4, 3]))
    formats = {
        "float32": as_it_is,
        "float16": in_half,
        "int8, one scale": in_bytes,
        "int8, per-place scale": in_bytes_each,
    }
    for name, rounding in formats.items():
        once = in_bytes if rounding is in_bytes_each else rounding  # without tiles, one scale
        direct = conv2d_float64(once(x), once(w), problem).astype(np.float32)
        found[name] = {"direct": typical_error(direct, right)} | {
            label: typical_error(winograd_with(x, w, problem, m, points, rounding), right)
            for label, m, points in tried
        }
    return found
