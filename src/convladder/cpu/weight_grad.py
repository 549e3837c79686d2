"""The gradient with respect to a convolution's weights, three ways.

A weight meets one pixel of every window: its gradient is the sum, over all windows, of that pixel
times the gradient of what the window gave. That is a convolution of the image with `dy` as kernel,
in which channels take the place of images, and the stride that of dilation.
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from ..core.dilation_groups import is_dense, parts
from ..core.problem import ConvProblem
from ..core.registry import get_method
from . import im2col as lowering
from . import mec


def weight_grad(
    x: np.ndarray, dy: np.ndarray, problem: ConvProblem, method: str = "direct"
) -> np.ndarray:
    """Return `dw[k_h,k_w,i_c/groups,k_c]` from `x[i_n,i_h,i_w,i_c]` and `dy[i_n,o_h,o_w,k_c]`.

    `method`: one of `WEIGHT_GRADS`. Dilation and groups are done in parts, as on the way forward.
    """
    one = WEIGHT_GRADS[method]
    if is_dense(problem):
        return one(x, dy, problem)
    dw = np.zeros(problem.kernel_shape, np.float32)
    for part in parts(problem):
        dw[..., part.filters] += one(
            part.image(x), np.ascontiguousarray(part.output(dy)), part.problem
        )
    return dw


def as_forward(problem: ConvProblem) -> ConvProblem:
    """Return the convolution that the weight gradient of a plain problem is.

    Its image is `x[i_c,i_h,i_w,i_n]`, its kernel `dy[o_h,o_w,i_n,k_c]`; the first `k_h` by `k_w` of
    its outputs, `[i_c,k_h,k_w,k_c]`, are the gradient.
    """
    p = problem
    return ConvProblem(p.i_c, p.i_h, p.i_w, p.i_n, p.o_h, p.o_w, p.k_c, 1, p.padding, p.stride)


def direct(x: np.ndarray, dy: np.ndarray, problem: ConvProblem) -> np.ndarray:
    """Return `dw` by the microkernel, as a convolution of `x` with `dy`."""
    p = problem
    image = np.ascontiguousarray(x.transpose(3, 1, 2, 0))
    kernel = np.ascontiguousarray(dy.transpose(1, 2, 0, 3))
    found = get_method("microkernel")(image, kernel, as_forward(p))[:, : p.k_h, : p.k_w]
    return np.ascontiguousarray(found.transpose(1, 2, 0, 3))


def im2col(x: np.ndarray, dy: np.ndarray, problem: ConvProblem) -> np.ndarray:
    """Return `dw` by one GEMM: the lowered matrix, transposed, by `dy`."""
    p = problem
    dw = np.empty(p.kernel_shape, np.float32)
    np.matmul(lowering.lower(x, p).T, dy.reshape(p.pixels, p.k_c), out=dw.reshape(p.window, p.k_c))
    return dw


def by_mec(x: np.ndarray, dy: np.ndarray, problem: ConvProblem) -> np.ndarray:
    """Return `dw` by a GEMM for each row of `dy` and partition of MEC's matrix, added up."""
    p = problem
    L = mec.lower(x, p)
    dw, one = np.zeros((2, p.window, p.k_c), np.float32)
    for h in range(p.o_h):
        rows = mec.partition(L, h, p)
        for n in range(p.i_n):
            dw += np.matmul(rows[n].T, dy[n, h], out=one)
    return dw.reshape(p.kernel_shape)


WEIGHT_GRADS: dict[str, Callable[[np.ndarray, np.ndarray, ConvProblem], np.ndarray]] = {
    "direct": direct,
    "im2col": im2col,
    "mec": by_mec,
}
