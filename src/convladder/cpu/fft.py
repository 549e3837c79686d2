"""Convolution by the Fourier transform, in tiles: the larger the kernel, the more it saves.

In the frequency domain a convolution is one product a frequency, whatever the kernel's size. Tiles
overlap by the kernel less one, as Winograd's do (overlap-save); a tile of `t` gives `t - k + 1`
outputs per side. Mathieu, Henaff & LeCun, "Fast training of convolutional networks through FFTs"
(arXiv 1312.5851); against Winograd: Zlateski et al. (arXiv 1809.07851).
"""

from __future__ import annotations

from functools import lru_cache
from math import log2
from typing import NamedTuple

import numpy as np

from ..core.problem import ConvProblem
from ..core.reference import ErrorModel
from ..core.registry import method
from .isa import host_isa
from .threads import threads_now

# Sides of tiles that are quickly transformed: even, with no prime factor above 5.
SIDES = [t for t in range(2, 513, 2) if 60**9 % t == 0]
# In the time of a multiply-add of whole vectors, measured with NumPy 2.4: a value's transform with
# its copy; a vector of complex products; a vector of weights, which BLAS packs anew.
TRANSFORM, PRODUCT, PACKED = 20, 5.5, 90
# Forward and back by 1/sqrt(t): with the usual factor of 1, an int, NumPy 2.4 computes in float64.
NORM = "ortho"
GROWTH = 4  # of the error with the logarithm of a tile's side


class FourierTiles(NamedTuple):
    """Tiles of side `t`: `rows × cols` an image, each giving `m_h × m_w` outputs."""

    t: int
    m_h: int
    m_w: int
    rows: int
    cols: int

    @classmethod
    def of(cls, problem: ConvProblem, t: int) -> FourierTiles:
        """Return the tiles of side `t`."""
        m_h, m_w = t - problem.k_h + 1, t - problem.k_w + 1
        return cls(t, m_h, m_w, -(-problem.o_h // m_h), -(-problem.o_w // m_w))

    @property
    def frequencies(self) -> int:
        """Return the frequencies of a real tile: half of them are the others' conjugates."""
        return self.t * (self.t // 2 + 1)


def cost(problem: ConvProblem, t: int, threads: int) -> float:
    """Return the time expected with tiles of side `t`, in multiply-adds of whole vectors.

    Only BLAS uses several threads.
    """
    p, g, lanes = problem, FourierTiles.of(problem, t), host_isa().lanes
    tiles = p.i_n * g.rows * g.cols
    transforms = TRANSFORM * tiles * t * t * (p.i_c + p.k_c)
    weights = g.frequencies * p.i_c * -(-p.k_c // lanes)
    return transforms + weights * (PRODUCT * tiles + PACKED) / threads


@lru_cache(maxsize=256)
def grid(problem: ConvProblem) -> FourierTiles:
    """Return the tiles that should be fastest on one thread."""
    largest = max(problem.k_h, problem.k_w)
    enough = max(problem.o_h, problem.o_w) + largest - 1
    beyond = next((t for t in SIDES if t >= enough), SIDES[-1])
    sides = [t for t in SIDES if largest <= t <= beyond]
    return FourierTiles.of(problem, min(sides, key=lambda t: cost(problem, t, 1)))


def prepare(w: np.ndarray, problem: ConvProblem) -> np.ndarray:
    """Return the filters' conjugate spectra `[t·(t/2+1), i_c, k_c]`, complex64.

    Conjugate, since deep learning's convolution does not flip the kernel. Transformed in float64,
    rounded once.
    """
    t = grid(problem).t
    U = np.fft.rfft2(w.astype(np.float64), (t, t), axes=(0, 1))
    return np.conj(U).astype(np.complex64).reshape(-1, problem.i_c, problem.k_c)


def lower(x: np.ndarray, problem: ConvProblem) -> np.ndarray:
    """Return `D[t,t,i_n,rows,cols,i_c]`, all tiles; what lies outside of the image is zero."""
    p, g = problem, grid(problem)
    D = np.zeros((g.t, g.t, p.i_n, g.rows, g.cols, p.i_c), np.float32)
    for row, col in np.ndindex(g.rows, g.cols):
        top, left = row * g.m_h - p.p_h, col * g.m_w - p.p_w
        tile = x[:, max(top, 0) : max(top + g.t, 0), max(left, 0) : max(left + g.t, 0)]
        above, before = max(-top, 0), max(-left, 0)
        place = D[above : above + tile.shape[1], before : before + tile.shape[2]]
        place[:, :, :, row, col] = tile.transpose(1, 2, 0, 3)
    return D


def _bytes(problem: ConvProblem) -> int:
    p, g = problem, grid(problem)
    tiles, half = p.i_n * g.rows * g.cols, g.t * (g.t // 2 + 1)
    D, V = 4 * g.t**2 * tiles * p.i_c, 8 * half * tiles * p.i_c
    M, Y = 8 * half * tiles * p.k_c, 4 * g.m_h * g.t * tiles * p.k_c
    return max(D + V, V + M, M + Y)


def _unsupported(problem: ConvProblem) -> str | None:
    if problem.stride != (1, 1):
        return (
            f"its stride is {problem.s_h}×{problem.s_w}; a transform gives every output of a tile, "
            "so that with another stride than 1 most would be thrown away. Use microkernel"
        )
    if max(problem.k_h, problem.k_w) > SIDES[-1]:
        return f"its kernel is larger than the largest tile, {SIDES[-1]}; use microkernel"
    return None


@method(
    name="fft",
    chapter=6,
    rung=3,
    workspace_bytes=_bytes,
    unsupported=_unsupported,
    prepare=prepare,
    error_model=lambda p: ErrorModel(grid(p)[1:3], GROWTH * log2(grid(p).t)),
    cost=lambda p: cost(p, grid(p).t, threads_now()),
)
def fft(x: np.ndarray, w: np.ndarray, problem: ConvProblem) -> np.ndarray:
    """Compute `y[i_n,o_h,o_w,k_c]` from `x` and prepared weights, in complex64 all the way.

    A product a frequency in place of one a weight: what it costs hardly grows with the kernel, so
    that large kernels gain most and 3×3 loses.
    """
    p, g = problem, grid(problem)
    y = np.empty(p.output_shape, np.float32)
    V = np.fft.rfft(lower(x, p), axis=1, norm=NORM)
    np.fft.fft(V, axis=0, norm=NORM, out=V)
    M = np.matmul(V.reshape(len(w), -1, p.i_c), w)
    del V
    M = M.reshape(g.t, -1, p.i_n, g.rows, g.cols, p.k_c)
    np.fft.ifft(M, axis=0, norm=NORM, out=M)
    Y = np.fft.irfft(M[: g.m_h], g.t, axis=1, norm=NORM)[:, : g.m_w]
    for row, col in np.ndindex(g.rows, g.cols):
        place = y[:, row * g.m_h :, col * g.m_w :][:, : g.m_h, : g.m_w]
        tile = Y[:, :, :, row, col].transpose(2, 0, 1, 3)
        place[...] = tile[:, : place.shape[1], : place.shape[2]]
    return y
