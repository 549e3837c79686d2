"""One convolution in three layouts, for chapter 05 to count what a warp asks for in each."""

from __future__ import annotations

import numpy as np

from ..core.problem import ConvProblem
from ..cpu.layouts import from_blocked, to_blocked
from .launch import Launch

THREADS = 128


def layout_launch(problem: ConvProblem, block: int, by_pixel: bool) -> Launch:
    """Return the launch of `conv_layout`: images in blocks of `block` channels, 1 is NCHW.

    `by_pixel`: neighbouring threads take neighbouring pixels of a row, else neighbouring channels.
    Raises `ValueError` for a batch, a stride, a padding, and a block that does not divide the
    channels in and out.
    """
    p = problem
    if p.i_n != 1 or tuple(p.stride) != (1, 1) or tuple(p.padding) != (0, 0):
        raise ValueError(f"{p}: this kernel takes one image, stride 1 and no padding")
    if p.i_c % block or p.k_c % block:
        raise ValueError(
            f"block={block} does not divide {p.i_c} channels in and {p.k_c} out; 1 does"
        )
    sizes = p.i_h, p.i_w, p.i_c, p.k_h, p.k_w, p.k_c, p.o_h, p.o_w, block, int(by_pixel)
    values = p.o_h * p.o_w * p.k_c
    return Launch("layouts.cu", "conv_layout", (-(-values // THREADS),), (THREADS,), 0, sizes)


def layout_report(x: np.ndarray, w: np.ndarray, problem: ConvProblem, block: int, by_pixel: bool):
    """Run `x[i_h,i_w,i_c]` on the emulator; return the result `[o_h,o_w,k_c]` and its report."""
    from .. import cuda

    y = cuda.empty((problem.k_c // block, problem.o_h, problem.o_w, block))
    arrays = cuda.to_device(to_blocked(x, block)), cuda.to_device(w), y
    report = layout_launch(problem, block, by_pixel).profile(*arrays)
    return from_blocked(y.get(), problem.k_c), report
