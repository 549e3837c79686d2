"""Winograd's convolution in NumPy: one product a transform, one batched GEMM between them.

Transforming a tile along rows and columns is linear, so one matrix does both at once, the Kronecker
product of the one-dimensional ones. It multiplies `a⁴` times a tile where two passes need `2a³`,
but it is BLAS's to do.
"""

from __future__ import annotations

from functools import cache

import numpy as np

from ..core.problem import ConvProblem
from ..core.reference import ErrorModel
from ..core.registry import method
from ..core.winograd_transforms import (
    Tiles,
    growth,
    matrices,
    numbers,
    sizes,
    transform_weights,
    unsupported,
)


@cache
def transforms(m: int, r: int) -> tuple[np.ndarray, np.ndarray]:
    """Return `(Bᵀ⊗Bᵀ)[a², a²]` and `(Aᵀ⊗Aᵀ)[m², a²]` in float32: whole tiles by one product."""
    AT, _, BT = (numbers(matrix) for matrix in matrices(m, r))
    return np.kron(BT, BT).astype(np.float32), np.kron(AT, AT).astype(np.float32)


def multiplications(problem: ConvProblem, m: int) -> int:
    """Return the multiplications of both transforms and of the products between them."""
    t, i_c, k_c = Tiles.of(problem, m), problem.i_c, problem.k_c
    return t.count * t.a**2 * (t.a**2 * i_c + i_c * k_c + m**2 * k_c)


@cache
def fewest(problem: ConvProblem) -> int:
    """Return the `m` with the fewest products. Edge tiles count whole: the most may lose."""
    return min(sizes(problem.k_h), key=lambda m: multiplications(problem, m))


def prepare(w: np.ndarray, problem: ConvProblem) -> np.ndarray:
    """Return `U[a²,i_c,k_c]`, transformed in float64 and rounded once."""
    U = transform_weights(w, fewest(problem)).astype(np.float32)
    return U.reshape(-1, problem.i_c, problem.k_c)


def lower(x: np.ndarray, problem: ConvProblem, m: int) -> np.ndarray:
    """Return `D[a,a,i_n,rows,cols,i_c]`, all tiles; the last ones see zeros beyond the image."""
    p, t = problem, Tiles.of(problem, m)
    ends = [
        (pad, max(0, m * count + k - 1 - pad - i))
        for pad, count, k, i in zip(
            p.padding, (t.rows, t.cols), p.kernel_shape[:2], p.input_shape[1:3], strict=True
        )
    ]
    padded = np.pad(x, ((0, 0), *ends, (0, 0)))
    D = np.empty((t.a, t.a, p.i_n, t.rows, t.cols, p.i_c), np.float32)
    for i, j in np.ndindex(t.a, t.a):
        D[i, j] = padded[:, i::m, j::m][:, : t.rows, : t.cols]
    return D


def _bytes(problem: ConvProblem) -> int:
    p, m = problem, fewest(problem)
    t = Tiles.of(p, m)
    D, M, Y = (t.count * n for n in (t.a**2 * p.i_c, t.a**2 * p.k_c, m**2 * p.k_c))
    sides = (
        max(pad + i, m * count + k - 1)
        for pad, i, count, k in zip(
            p.padding, p.input_shape[1:3], (t.rows, t.cols), p.kernel_shape[:2], strict=True
        )
    )
    padded = p.i_n * int(np.prod(list(sides))) * p.i_c
    return 4 * max(padded + D, D + D, D + M, M + Y)


@method(
    name="winograd_numpy",
    title="Winograd, two products around a GEMM",
    chapter=6,
    rung=1,
    idea="Multiply less. A tile needs a² products per pair of channels instead of m²·r², and each "
    "transform serves all channels on the other side.",
    workspace_bytes=_bytes,
    unsupported=unsupported,
    prepare=prepare,
    error_model=lambda p: ErrorModel((fewest(p),) * 2, growth(fewest(p), p.k_h)),
)
def winograd_numpy(x: np.ndarray, w: np.ndarray, problem: ConvProblem) -> np.ndarray:
    """Compute `y[i_n,o_h,o_w,k_c]` from `x`, prepared weights: transform, multiply, and back."""
    p, m = problem, fewest(problem)
    t = Tiles.of(p, m)
    B, A = transforms(m, p.k_h)
    y = np.empty(p.output_shape, np.float32)
    D = lower(x, p, m).reshape(t.a**2, -1)
    V = (B @ D).reshape(t.a**2, t.count, p.i_c)
    del D
    M = np.matmul(V, w)
    del V
    Y = (A @ M.reshape(t.a**2, -1)).reshape(m, m, p.i_n, t.rows, t.cols, p.k_c)
    for i, j in np.ndindex(m, m):
        part = y[:, i::m, j::m]
        part[...] = Y[i, j][:, : part.shape[1], : part.shape[2]]
    return y
