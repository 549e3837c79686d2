"""The gradient with respect to a convolution's input, three ways.

Each input value was multiplied by a weight in every window that it is in: its gradient is the sum
of these windows' gradients by the same weights. That is a convolution of `dy` with the kernel
turned around and its channels exchanged, a "full correlation".
"""

from __future__ import annotations

from collections.abc import Callable, Iterator

import numpy as np

from ..core.dilation_groups import is_dense, parts
from ..core.problem import ConvProblem
from ..core.registry import get_method
from . import mec


def input_grad(
    dy: np.ndarray, w: np.ndarray, problem: ConvProblem, method: str = "direct"
) -> np.ndarray:
    """Return `dx[i_n,i_h,i_w,i_c]` from `dy[i_n,o_h,o_w,k_c]` and `w[k_h,k_w,i_c/groups,k_c]`.

    `method`: one of `INPUT_GRADS`. Dilation and groups are done in parts, as on the way forward.
    """
    one = INPUT_GRADS[method]
    if is_dense(problem):
        return one(dy, w, problem)
    dx = np.zeros(problem.input_shape, np.float32)
    for part in parts(problem):
        part.add_image(
            one(np.ascontiguousarray(part.output(dy)), part.weights(w), part.problem), dx
        )
    return dx


def turned(w: np.ndarray) -> np.ndarray:
    """Return `w[k_h,k_w,i_c,k_c]` turned around, its channels exchanged: `[k_h,k_w,k_c,i_c]`."""
    return np.ascontiguousarray(w[::-1, ::-1].swapaxes(2, 3))


def direct(dy: np.ndarray, w: np.ndarray, problem: ConvProblem) -> np.ndarray:
    """Return `dx` by the microkernel: one convolution of stride 1 for each place in the stride.

    With stride s, pixel `i` meets only the taps `a` with `a = i + p (mod s)`. So pixels of one
    remainder are a convolution of `dy` with every s-th tap: no zero is put between values of `dy`,
    and none is multiplied.
    """
    dx = np.zeros(problem.input_shape, np.float32)
    convolve = get_method("microkernel")
    for (i, rows, taps_h), (j, cols, taps_w) in _places(problem):
        kernel = turned(w[taps_h, taps_w])
        if kernel.size and len(i) and len(j):  # else no window ever ends there
            part = _window(dy, rows, cols)
            dx[:, i.start :: i.step, j.start :: j.step] = convolve(
                part, kernel, ConvProblem.from_arrays(part, kernel)
            )
    return dx


def _places(p: ConvProblem) -> Iterator[tuple[tuple, tuple]]:
    along = [
        [_place(*axis, r) for r in range(axis[2])]
        for axis in ((p.i_h, p.k_h, p.s_h, p.p_h), (p.i_w, p.k_w, p.s_w, p.p_w))
    ]
    for down in along[0]:
        for across in along[1]:
            yield down, across


def _place(i: int, k: int, s: int, pad: int, r: int) -> tuple[range, range, slice]:
    """Return the pixels of remainder `r`, the rows of `dy` that they need, their taps."""
    taps = -(-(k - r) // s)  # none, if r is not below k
    first, last = -(-(pad - r) // s), (i - 1 + pad - r) // s
    return range(s * first + r - pad, i, s), range(first - taps + 1, last + 1), slice(r, k, s)


def _window(dy: np.ndarray, rows: range, cols: range) -> np.ndarray:
    """Return these rows and columns of `dy`, zeros where it has none; `dy` itself if all."""
    if (rows, cols) == (range(dy.shape[1]), range(dy.shape[2])):
        return dy
    found = np.zeros((len(dy), len(rows), len(cols), dy.shape[3]), np.float32)
    (top, bottom), (left, right) = (
        (max(each.start, 0), min(each.stop, side))
        for each, side in zip((rows, cols), dy.shape[1:3], strict=True)
    )
    if top < bottom and left < right:
        found[:, top - rows.start : bottom - rows.start, left - cols.start : right - cols.start] = (
            dy[:, top:bottom, left:right]
        )
    return found


def im2col(dy: np.ndarray, w: np.ndarray, problem: ConvProblem) -> np.ndarray:
    """Return `dx`: one GEMM gives the gradient of im2col's matrix, which "col2im" adds up."""
    p = problem
    kernel = w.reshape(p.window, p.k_c)
    lowered = dy.reshape(p.pixels, p.k_c) @ kernel.T
    if p.kernel_shape[:2] == p.stride == (1, 1) and p.padding == (0, 0):
        return lowered.reshape(p.input_shape)
    lowered = lowered.reshape(p.i_n, p.o_h, p.o_w, p.k_h, p.k_w, p.i_c)
    padded = np.zeros((p.i_n, p.padded_h, p.padded_w, p.i_c), np.float32)
    for a, b in np.ndindex(p.k_h, p.k_w):
        padded[:, a :: p.s_h, b :: p.s_w][:, : p.o_h, : p.o_w] += lowered[:, :, :, a, b]
    return _unpadded(padded, p)


def by_mec(dy: np.ndarray, w: np.ndarray, problem: ConvProblem) -> np.ndarray:
    """Return `dx` by way of the gradient of MEC's matrix, `[i_n, o_w, padded_h, k_w, i_c]`.

    Its partitions overlap, so that what GEMMs make of the rows of `dy` is added up in it.
    """
    p = problem
    kernel = w.reshape(p.window, p.k_c).T
    L = np.zeros((p.i_n, p.o_w, p.padded_h, p.k_w, p.i_c), np.float32)
    for h in range(p.o_h):
        rows = mec.partition(L, h, p)
        for n in range(p.i_n):
            rows[n] += dy[n, h] @ kernel
    padded = np.zeros((p.i_n, p.padded_h, p.padded_w, p.i_c), np.float32)
    for b in range(p.k_w):
        padded[:, :, b :: p.s_w][:, :, : p.o_w] += L[:, :, :, b].swapaxes(1, 2)
    return _unpadded(padded, p)


def _unpadded(padded: np.ndarray, p: ConvProblem) -> np.ndarray:
    """The image without its padding, contiguous."""
    return np.ascontiguousarray(padded[:, p.p_h : p.p_h + p.i_h, p.p_w : p.p_w + p.i_w])


INPUT_GRADS: dict[str, Callable[[np.ndarray, np.ndarray, ConvProblem], np.ndarray]] = {
    "direct": direct,
    "im2col": im2col,
    "mec": by_mec,
}
