"""Winograd's convolution in NumPy: one product a transform, one batched GEMM between them.

Transforming a tile along rows and columns is linear, so one matrix does both at once, the Kronecker
product of the one-dimensional ones. It multiplies `a⁴` times a tile where two passes need `2a³`,
but it is BLAS's to do.
"""

from __future__ import annotations

from functools import cache

import numpy as np

from ..core.problem import ConvProblem
from ..core.registry import method
from ..core.winograd_transforms import (
    Side,
    Tiles,
    error_model,
    matrices,
    numbers,
    sides,
    sizes,
    transform_weights,
    unsupported,
)


@cache
def transforms(columns: Side, rows: Side) -> tuple[np.ndarray, np.ndarray]:
    """Return `Bᵀ⊗Bᵀ` and `Aᵀ⊗Aᵀ` in float32: one product transforms whole tiles of `a_h·a_w`."""
    (AT_h, _, BT_h), (AT_w, _, BT_w) = (map(numbers, matrices(*side)) for side in (columns, rows))
    return np.kron(BT_h, BT_w).astype(np.float32), np.kron(AT_h, AT_w).astype(np.float32)


def multiplications(problem: ConvProblem, m: int) -> int:
    """Return the multiplications of both transforms and of the products between them."""
    t, i_c, k_c = Tiles.of(problem, m), problem.i_c, problem.k_c
    return t.count * t.places * (t.places * i_c + i_c * k_c + t.m_h * t.m_w * k_c)


@cache
def fewest(problem: ConvProblem) -> int:
    """Return the `m` with the fewest products. Edge tiles count whole: the most may lose."""
    return min(sizes(problem), key=lambda m: multiplications(problem, m))


def prepare(w: np.ndarray, problem: ConvProblem) -> np.ndarray:
    """Return `U[a_h·a_w,i_c,k_c]`, transformed in float64 and rounded once."""
    U = transform_weights(w, fewest(problem)).astype(np.float32)
    return U.reshape(-1, problem.i_c, problem.k_c)


def lower(x: np.ndarray, problem: ConvProblem, m: int) -> np.ndarray:
    """Return `D[a_h,a_w,i_n,rows,cols,i_c]`, all tiles; beyond the image lie zeros."""
    p, t = problem, Tiles.of(problem, m)
    ends = [
        (pad, max(0, m * count + k - 1 - pad - i))
        for pad, m, count, k, i in zip(
            p.padding, (t.m_h, t.m_w), (t.rows, t.cols), p.kernel_shape[:2], p.input_shape[1:3]
        )
    ]
    padded = np.pad(x, ((0, 0), *ends, (0, 0)))
    D = np.empty((t.a_h, t.a_w, p.i_n, t.rows, t.cols, p.i_c), np.float32)
    for i, j in np.ndindex(t.a_h, t.a_w):
        D[i, j] = padded[:, i :: t.m_h, j :: t.m_w][:, : t.rows, : t.cols]
    return D


def _bytes(problem: ConvProblem) -> int:
    p, t = problem, Tiles.of(problem, fewest(problem))
    D, M, Y = (t.count * n for n in (t.places * p.i_c, t.places * p.k_c, t.m_h * t.m_w * p.k_c))
    sides = (
        max(pad + i, m * count + k - 1)
        for pad, i, m, count, k in zip(
            p.padding, p.input_shape[1:3], (t.m_h, t.m_w), (t.rows, t.cols), p.kernel_shape[:2]
        )
    )
    padded = p.i_n * int(np.prod(list(sides))) * p.i_c
    return 4 * max(padded + D, D + D, D + M, M + Y)


@method(
    name="winograd_numpy",
    chapter=6,
    rung=1,
    workspace_bytes=_bytes,
    unsupported=unsupported,
    prepare=prepare,
    error_model=lambda p: error_model(p, fewest(p)),
)
def winograd_numpy(x: np.ndarray, w: np.ndarray, problem: ConvProblem) -> np.ndarray:
    """Compute `y[i_n,o_h,o_w,k_c]` from `x`, prepared weights: transform, multiply, and back.

    Multiply less. A tile needs a² products per pair of channels instead of m²·r², and each
    transform serves all channels on the other side.
    """
    p, m = problem, fewest(problem)
    t = Tiles.of(p, m)
    B, A = transforms(*sides(p.k_h, p.k_w, m))
    y = np.empty(p.output_shape, np.float32)
    D = lower(x, p, m).reshape(t.places, -1)
    V = (B @ D).reshape(t.places, t.count, p.i_c)
    del D
    M = np.matmul(V, w)
    del V
    Y = (A @ M.reshape(t.places, -1)).reshape(t.m_h, t.m_w, p.i_n, t.rows, t.cols, p.k_c)
    for i, j in np.ndindex(t.m_h, t.m_w):
        part = y[:, i :: t.m_h, j :: t.m_w]
        part[...] = Y[i, j][:, : part.shape[1], : part.shape[2]]
    return y
