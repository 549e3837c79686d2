"""The ladder's foot: the definition of convolution, as six nested loops."""

from __future__ import annotations

from functools import cache

import numpy as np

from ..core.problem import ConvProblem
from ..core.registry import method

MOST_MACS = 2_000_000  # about a second of plain Python


def convolve_image(x, w, y, s_h, s_w, p_h, p_w):
    """Fill `y[o_h,o_w,k_c]` from one image `x[i_h,i_w,i_c]` and `w[k_h,k_w,i_c,k_c]`.

    Zero padding is never stored: a position outside the image is passed over.
    """
    i_h, i_w, i_c = x.shape
    k_h, k_w = w.shape[:2]
    o_h, o_w, k_c = y.shape
    for h in range(o_h):
        for v in range(o_w):
            for k in range(k_c):
                total = np.float32(0)
                for a in range(k_h):
                    for b in range(k_w):
                        row, column = s_h * h + a - p_h, s_w * v + b - p_w
                        if 0 <= row < i_h and 0 <= column < i_w:
                            for c in range(i_c):
                                total += x[row, column, c] * w[a, b, c, k]
                y[h, v, k] = total


@cache
def _compiled():
    from ..core.jit import numba  # half a second: only for those who run this rung

    return numba.njit(cache=True)(convolve_image)


def _each_image(convolve, x: np.ndarray, w: np.ndarray, problem: ConvProblem) -> np.ndarray:
    y = np.empty(problem.output_shape, np.float32)
    for image, result in zip(x, y, strict=True):
        convolve(image, w, result, *problem.stride, *problem.padding)
    return y


def _too_long(problem: ConvProblem) -> str | None:
    if problem.macs <= MOST_MACS:
        return None
    return (
        f"{problem.macs:,} multiply-accumulates one by one in plain Python take minutes or hours; "
        f"this method stops at {MOST_MACS:,}. Use a smaller image, or loops_numba"
    )


@method(
    name="loops",
    chapter=1,
    rung=1,
    workspace_bytes=lambda problem: 0,
    skips_padding=True,
    unsupported=_too_long,
)
def loops(x: np.ndarray, w: np.ndarray, problem: ConvProblem) -> np.ndarray:
    """Compute `y[i_n,o_h,o_w,k_c]` by `convolve_image`, interpreted. Small problems only.

    The definition itself: every multiply is a line of Python, so the interpreter is the cost and
    the arithmetic is free.
    """
    return _each_image(convolve_image, x, w, problem)


@method(
    name="loops_numba", chapter=1, rung=2, workspace_bytes=lambda problem: 0, skips_padding=True
)
def loops_numba(x: np.ndarray, w: np.ndarray, problem: ConvProblem) -> np.ndarray:
    """Compute `y[i_n,o_h,o_w,k_c]` by `convolve_image`, compiled once, then kept on disk.

    The same text compiled to machine code by Numba: the interpreter goes, and one chain of
    dependent additions is left.
    """
    return _each_image(_compiled(), x, w, problem)
