"""MEC: lower along the width only, and let overlapping views of that do the height.

Source: M. Cho & D. Brand, "MEC: Memory-efficient Convolution for Deep Neural Network", ICML 2017,
section 3; here `L[i_n, o_w, i_h, k_w, i_c]` with `L[n,w,h,b,c] = x[n, h, s_w·w + b, c]`.
"""

from __future__ import annotations

import numpy as np
from numpy.lib.stride_tricks import as_strided

from ..core.problem import ConvProblem
from ..core.registry import method

THRESHOLD = 100  # the paper's T: "around 100" for a GPU; the right value depends on the platform


def lower(x: np.ndarray, problem: ConvProblem) -> np.ndarray:
    """Return `L[i_n, o_w, padded_h, k_w, i_c]`: each window of columns, over the full height.

    Padding is written as zeros into `L`; no padded copy of the image is made.
    """
    p = problem
    L = np.empty((p.i_n, p.o_w, p.padded_h, p.k_w, p.i_c), np.float32)
    L[:, :, : p.p_h] = 0
    L[:, :, p.p_h + p.i_h :] = 0
    image_rows = L[:, :, p.p_h : p.p_h + p.i_h]

    # Windows that lie wholly inside the image are one strided view, and one copy.
    first = -(-p.p_w // p.s_w)
    stop = max(first, (p.i_w + p.p_w - p.k_w) // p.s_w + 1)
    if stop > first:
        n, h, w, c = x.strides
        windows = as_strided(
            x[:, :, p.s_w * first - p.p_w :],
            (p.i_n, stop - first, p.i_h, p.k_w, p.i_c),
            (n, p.s_w * w, h, w, c),
            writeable=False,
        )
        image_rows[:, first:stop] = windows

    # The few that reach over its left or right edge are cut to what exists.
    for at in (*range(min(first, p.o_w)), *range(stop, p.o_w)):
        left = p.s_w * at - p.p_w
        begin, end = max(left, 0), min(left + p.k_w, p.i_w)
        image_rows[:, at] = 0
        if begin < end:
            image_rows[:, at, :, begin - left : end - left] = x[:, :, begin:end]
    return L


def partition(L: np.ndarray, h: int, problem: ConvProblem) -> np.ndarray:
    """Return the windows of output row `h`, `[i_n, o_w, k_h·k_w·i_c]`, a view, never a copy.

    Partition `h` begins `s_h·k_w·i_c` values after the one before and overlaps it. Its last axis
    is contiguous and its rows lie `padded_h·k_w·i_c` values apart, which BLAS takes as the leading
    dimension.
    """
    p = problem
    begin = p.s_h * h * p.k_w * p.i_c
    return L.reshape(p.i_n, p.o_w, -1)[:, :, begin : begin + p.window]


def choose(problem: ConvProblem, threshold: int = THRESHOLD) -> str:
    """Return the method that the paper's Algorithm 2 takes: `mec_batch` (A) or `mec_rows` (B).

    Solution A where rows are short (`o_w <= threshold`), so that one image's row would be a short
    GEMM, and where the output fits into `L`, whose memory the fix-up reuses.
    """
    fits = 4 * problem.pixels * problem.k_c <= problem.mec_bytes()
    return "mec_batch" if problem.o_w <= threshold and fits else "mec_rows"


@method(name="mec_rows", chapter=3, rung=1, workspace_bytes=ConvProblem.mec_bytes)
def mec_rows(x: np.ndarray, w: np.ndarray, problem: ConvProblem) -> np.ndarray:
    """Compute `y[i_n,o_h,o_w,k_c]` by `i_n·o_h` GEMMs of `o_w` rows, each put straight in place.

    Lower along the width only and multiply overlapping views: k_h times less memory to write and
    read, for o_h smaller GEMMs (the paper's Solution B).
    """
    L = lower(x, problem)
    kernel = w.reshape(problem.window, problem.k_c)
    y = np.empty(problem.output_shape, np.float32)
    for h in range(problem.o_h):
        rows = partition(L, h, problem)
        for n in range(problem.i_n):
            np.matmul(rows[n], kernel, out=y[n, h])
    return y


def _batch_bytes(problem: ConvProblem) -> int:
    if problem.i_n == 1:
        return problem.mec_bytes()
    return max(problem.mec_bytes(), 4 * problem.pixels * problem.k_c)


@method(name="mec_batch", chapter=3, rung=2, workspace_bytes=_batch_bytes)
def mec_batch(x: np.ndarray, w: np.ndarray, problem: ConvProblem) -> np.ndarray:
    """Compute `y[i_n,o_h,o_w,k_c]` by `o_h` GEMMs of `i_n·o_w` rows.

    One GEMM does row h of every image: fewer and taller products when rows are short, paid for by
    putting the result in order afterwards (the paper's Solution A).

    The GEMMs leave `[o_h,i_n,o_w,k_c]`, which is put in order by way of `L`'s memory. The paper
    asks for an output no larger than `L`; a larger one is taken too, with that much workspace.
    """
    p = problem
    L = lower(x, p)
    kernel = w.reshape(p.window, p.k_c)
    y = np.empty(p.output_shape, np.float32)
    by_row = y.reshape(p.o_h, p.i_n * p.o_w, p.k_c)  # the order in which the GEMMs write
    for h in range(p.o_h):
        rows = partition(L, h, p).reshape(p.i_n * p.o_w, p.window)
        np.matmul(rows, kernel, out=by_row[h])
    if p.i_n > 1:
        if y.size <= L.size:
            spare = L.reshape(-1)[: y.size]
        else:
            del L, rows
            spare = np.empty(y.size, np.float32)
        spare[...] = y.reshape(-1)
        y[...] = spare.reshape(p.o_h, p.i_n, p.o_w, p.k_c).swapaxes(0, 1)
    return y
