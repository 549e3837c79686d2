"""im2col: lay out every window as a row, and convolution is one matrix product.

Source: "Accelerating convolution: im2col + GEMM" (docs/sources.md), whose
demonstration for one channel is generalised here.
"""

from __future__ import annotations

import numpy as np
from numpy.lib.stride_tricks import sliding_window_view

from ..core.problem import ConvProblem
from ..core.registry import method

MOST_PIXELS = 300_000  # about a second of Python's loop over windows


def pad(x: np.ndarray, problem: ConvProblem) -> np.ndarray:
    """Return `x` with its zeros around it, `[i_n, padded_h, padded_w, i_c]`; `x` itself if none."""
    if problem.padding == (0, 0):
        return x
    return np.pad(x, ((0, 0), (problem.p_h,) * 2, (problem.p_w,) * 2, (0, 0)))


def padded_bytes(problem: ConvProblem) -> int:
    """Return the bytes of the copy that `pad` makes."""
    if problem.padding == (0, 0):
        return 0
    return 4 * problem.i_n * problem.padded_h * problem.padded_w * problem.i_c


def columns(x: np.ndarray, problem: ConvProblem) -> np.ndarray:
    """Return the note's matrix, filled a window at a time: `[k_h·k_w·i_c, i_n·o_h·o_w]`.

    One row per weight of a filter, one column per position of the filter.
    """
    p = problem
    padded = pad(x, p)
    matrix = np.empty((p.window, p.pixels), np.float32)
    column = 0
    for image in padded:
        for top in range(0, p.s_h * p.o_h, p.s_h):
            for left in range(0, p.s_w * p.o_w, p.s_w):
                matrix[:, column] = image[top : top + p.k_h, left : left + p.k_w].ravel()
                column += 1
    return matrix


def lower(x: np.ndarray, problem: ConvProblem) -> np.ndarray:
    """Return the same matrix transposed, `[i_n·o_h·o_w, k_h·k_w·i_c]`, by one strided copy.

    A 1×1 kernel with stride 1 has windows of one pixel: the image is the matrix already.
    """
    p = problem
    padded = pad(x, p)
    if p.kernel_shape[:2] == p.stride == (1, 1):
        return padded.reshape(p.pixels, p.window)
    windows = sliding_window_view(padded, (p.k_h, p.k_w), axis=(1, 2))[:, :: p.s_h, :: p.s_w]
    matrix = np.empty((p.i_n, p.o_h, p.o_w, p.k_h, p.k_w, p.i_c), np.float32)
    matrix[...] = windows.transpose(0, 1, 2, 4, 5, 3)  # the channel innermost, as w has it
    return matrix.reshape(p.pixels, p.window)


def _columns_bytes(problem: ConvProblem) -> int:
    window = 4 * problem.window  # `ravel` copies each window before it is laid into its column
    return padded_bytes(problem) + problem.im2col_bytes() + window


def lowered_bytes(problem: ConvProblem) -> int:
    """Return the bytes that `lower` takes: of the padded image and of the matrix."""
    if problem.kernel_shape[:2] == problem.stride == (1, 1):
        return padded_bytes(problem)
    return padded_bytes(problem) + problem.im2col_bytes()


def _too_many(problem: ConvProblem) -> str | None:
    if problem.pixels <= MOST_PIXELS:
        return None
    return (
        f"a loop in Python over {problem.pixels:,} windows takes seconds to minutes; this method "
        f"stops at {MOST_PIXELS:,}. Use a smaller image or batch, or im2col"
    )


@method(
    name="im2col_loops", chapter=1, rung=3, workspace_bytes=_columns_bytes, unsupported=_too_many
)
def im2col_loops(x: np.ndarray, w: np.ndarray, problem: ConvProblem) -> np.ndarray:
    """Compute `y[i_n,o_h,o_w,k_c]` from `columns` and one GEMM.

    Copy each window into a column, then let BLAS multiply two matrices: the loop over weights and
    channels leaves Python, the one over pixels stays.
    """
    y = np.empty(problem.output_shape, np.float32)
    # (Kᵀ·columns)ᵀ = columnsᵀ·K: BLAS reads a transposed matrix in place, and y comes out NHWC.
    np.matmul(
        columns(x, problem).T,
        w.reshape(problem.window, problem.k_c),
        out=y.reshape(problem.pixels, problem.k_c),
    )
    return y


@method(name="im2col", chapter=1, rung=4, workspace_bytes=lowered_bytes)
def im2col(x: np.ndarray, w: np.ndarray, problem: ConvProblem) -> np.ndarray:
    """Compute `y[i_n,o_h,o_w,k_c]` from `lower` and one GEMM.

    All windows are one overlapping view of the image; a single copy lays them out for a single
    GEMM, at the cost of k_h·k_w times the image's memory.
    """
    y = np.empty(problem.output_shape, np.float32)
    np.matmul(
        lower(x, problem),
        w.reshape(problem.window, problem.k_c),
        out=y.reshape(problem.pixels, problem.k_c),
    )
    return y
