"""Chapter 10's kernel in other languages, on NumPy's arrays: by numba.cuda, GPU or not."""

from __future__ import annotations

import numpy as np

from ...gpu.same_kernel import (
    SIDE,
    cute_implicit,
    numba_implicit,
    require_plain,
    triton_implicit,
)  # fmt: skip
from ...problem import ConvProblem
from .python_kernels import load_numba_cuda

__all__ = ["cute_implicit", "numba_implicit", "run_numba", "triton_implicit"]


def run_numba(x: np.ndarray, w: np.ndarray, problem: ConvProblem) -> np.ndarray:
    """Return `y[1,o_h,o_w,k_c]` of `x[1,i_h,i_w,i_c]` and `w[k_h,k_w,i_c,k_c]` by numba.cuda.

    Raises ValueError for padding, or more than one image.
    """
    require_plain(p := problem)
    cuda = load_numba_cuda()
    kernel = numba_implicit(cuda)
    y = cuda.to_device(np.full((p.pixels, p.k_c), np.nan, np.float32))
    grid = -(-p.k_c // SIDE), -(-p.pixels // SIDE)
    kernel[grid, (SIDE, SIDE)](
        cuda.to_device(x.ravel()),
        cuda.to_device(w.reshape(p.window, p.k_c)),
        y,
        p.i_w,
        p.i_c,
        p.k_w,
        p.o_w,
        *p.stride,
    )
    return y.copy_to_host().reshape(p.output_shape)
