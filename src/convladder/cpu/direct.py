"""Direct convolution with the channel innermost: the compiler finds the vectors by itself."""

from __future__ import annotations

from functools import cache

import numpy as np

from ..core.problem import ConvProblem
from ..core.registry import method
from .threads import threads_now
from .workers import workers

PIXELS = 4  # side by side in a tile; `add_tile` spells out 4 pixels by 4 steps


def add_step(x, at, w, step, y, v):
    """Add one step of the sum to one pixel: `y[v,:] += x[at]·w[step,:]`."""
    value = x[at]
    for k in range(w.shape[1]):
        y[v, k] += value * w[step, k]


def add_tile(x, at, apart, w, step, y, v):
    """Add four steps to four pixels, whose inputs begin at `x[at]` and lie `apart` values apart.

    Each vector of weights is loaded once for four pixels, each vector of `y` once for four steps:
    8 loads and 4 stores for 16 multiply-adds. One pixel and step at a time, it's 2 and 1 for one.
    """
    a0, a1, a2, a3 = x[at], x[at + 1], x[at + 2], x[at + 3]
    at += apart
    b0, b1, b2, b3 = x[at], x[at + 1], x[at + 2], x[at + 3]
    at += apart
    c0, c1, c2, c3 = x[at], x[at + 1], x[at + 2], x[at + 3]
    at += apart
    d0, d1, d2, d3 = x[at], x[at + 1], x[at + 2], x[at + 3]
    for k in range(w.shape[1]):
        w0, w1, w2, w3 = w[step, k], w[step + 1, k], w[step + 2, k], w[step + 3, k]
        y[v, k] += a0 * w0 + a1 * w1 + a2 * w2 + a3 * w3
        y[v + 1, k] += b0 * w0 + b1 * w1 + b2 * w2 + b3 * w3
        y[v + 2, k] += c0 * w0 + c1 * w1 + c2 * w2 + c3 * w3
        y[v + 3, k] += d0 * w0 + d1 * w1 + d2 * w2 + d3 * w3


def fill_row(x, w, y, line, i_c, s_h, s_w, p_h, p_w):
    """Fill row `line` of all the rows of `y[i_n,o_h,o_w,k_c]`."""
    i_h, width = x.shape[1:]
    k_h, steps = w.shape[:2]
    o_h, o_w = y.shape[1:3]
    n, h = divmod(line, o_h)
    out = y[n, h]
    out[:] = 0
    v = 0
    while v < o_w:
        begin = (s_w * v - p_w) * i_c
        end = begin + (PIXELS - 1) * s_w * i_c + steps
        whole = v + PIXELS <= o_w and begin >= 0 and end <= width
        # A kernel row of a pixel is one run of values; padding cuts it at either end.
        first, last = max(0, -begin), min(steps, width - begin)
        for a in range(max(0, p_h - s_h * h), min(k_h, i_h + p_h - s_h * h)):
            row, weights = x[n, s_h * h + a - p_h], w[a]
            j = first
            if whole:
                while j + 4 <= last:
                    add_tile(row, begin + j, s_w * i_c, weights, j, out, v)
                    j += 4
            while j < last:
                for pixel in range(PIXELS if whole else 1):
                    add_step(row, begin + j + pixel * s_w * i_c, weights, j, out, v + pixel)
                j += 1
        v += PIXELS if whole else 1


@cache
def _compiled():
    from numba.extending import register_jitable

    from ..core.jit import numba  # half a second: only for those who run this

    # By their own names: variables of this function would be part of the name under which Numba
    # keeps the code, and compiled functions have another one in each process.
    for each in (add_tile, add_step):
        register_jitable(fastmath=True, inline="always")(each)
    register_jitable(fastmath=True)(fill_row)

    @numba.njit(cache=True, fastmath=True, nogil=True)
    def convolve(begin, end, x, w, y, i_c, s_h, s_w, p_h, p_w):
        """Fill rows `begin` to `end` of all the rows of `y[i_n,o_h,o_w,k_c]`, from
        `x[i_n,i_h,i_w·i_c]` and `w[k_h,k_w·i_c,k_c]`."""
        for line in range(begin, end):
            fill_row(x, w, y, line, i_c, s_h, s_w, p_h, p_w)

    return convolve


@method(
    name="direct_tiled", chapter=5, rung=1, workspace_bytes=lambda problem: 0, skips_padding=True
)
def direct_tiled(x: np.ndarray, w: np.ndarray, problem: ConvProblem) -> np.ndarray:
    """Compute `y[i_n,o_h,o_w,k_c]`; threads share its rows.

    No lowering: with the output channel innermost the compiler makes vectors, and a tile of pixels
    and steps shares each load, as far as LLVM keeps it in registers.
    """
    p, threads, convolve = problem, threads_now(), _compiled()
    y = np.empty(p.output_shape, np.float32)
    rows = x.reshape(p.i_n, p.i_h, p.i_w * p.i_c)
    weights = w.reshape(p.k_h, p.k_w * p.i_c, p.k_c)
    lines = p.i_n * p.o_h

    def work(thread: int) -> None:
        part = lines * thread // threads, lines * (thread + 1) // threads
        convolve(*part, rows, weights, y, p.i_c, *p.stride, *p.padding)

    workers(threads).together(work)
    return y
