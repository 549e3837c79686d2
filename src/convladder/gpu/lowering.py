"""The two lowerings as kernels: im2col's matrix and MEC's, on device arrays."""

from __future__ import annotations

from ..core.problem import ConvProblem
from .launch import Launch, dimensions, value_launch


def im2col_launch(problem: ConvProblem) -> Launch:
    """Return a launch with one thread per matrix value. Raises `ValueError` beyond 2³² values."""
    values = problem.pixels * problem.window
    return value_launch("lower_im2col.cu", "lower_im2col", values, dimensions(problem))


def lower_im2col(x, problem: ConvProblem):
    """Return the matrix `[i_n·o_h·o_w, k_h·k_w·i_c]` of the device array `x[i_n,i_h,i_w,i_c]`.

    Raises `ValueError` for a matrix of more than 2³² values.
    """
    from .. import cuda

    matrix = cuda.empty((problem.pixels, problem.window))
    im2col_launch(problem)(x, matrix)
    return matrix


def mec_shape(problem: ConvProblem, depth: int | None = None) -> tuple[int, int, int, int, int]:
    """Return `[i_n, o_w, padded_h, k_w, depth]`; `depth` is `i_c` or more (default: `i_c`)."""
    depth = problem.i_c if depth is None else depth
    if depth < problem.i_c:
        raise ValueError(f"depth={depth} is less than i_c={problem.i_c}, the channels to store")
    return problem.i_n, problem.o_w, problem.padded_h, problem.k_w, depth


def mec_launch(problem: ConvProblem, depth: int | None = None) -> Launch:
    """Return a launch over `L`. Raises `ValueError` for a `depth` below `i_c` or 2³² values."""
    i_n, o_w, padded_h, k_w, depth = mec_shape(problem, depth)
    values = i_n * o_w * padded_h * k_w * depth
    return value_launch("lower_mec.cu", "lower_mec", values, (*dimensions(problem), depth))


def lower_mec(x, problem: ConvProblem, depth: int | None = None):
    """Return `L[i_n, o_w, padded_h, k_w, depth]` of the device array `x[i_n,i_h,i_w,i_c]`.

    `depth` channels a pixel, `i_c` by default; more are zeros, which put the partitions of `L` on
    16-byte boundaries. Raises `ValueError` for a `depth` below `i_c` or more than 2³² values.
    """
    from .. import cuda

    L = cuda.empty(mec_shape(problem, depth))
    mec_launch(problem, depth)(x, L)
    return L
