"""`conv2d`: check the arrays, then run a method."""

from __future__ import annotations

import numpy as np

from .problem import ConvProblem
from .registry import choose, get_method


def conv2d(
    x: np.ndarray,
    w: np.ndarray,
    *,
    stride: int | tuple[int, int] = 1,
    padding: int | tuple[int, int] = 0,
    dilation: int | tuple[int, int] = 1,
    groups: int = 1,
    method: str = "im2col",
    device: str = "cpu",
    workspace_limit: int | None = None,
) -> np.ndarray:
    """Convolve `x[i_n,i_h,i_w,i_c]` with `w[k_h,k_w,i_c/groups,k_c]`; returns `y[i_n,o_h,o_w,k_c]`.

    All are float32 and C-contiguous; zeros are padded on every side. "Convolution" is deep
    learning's cross-correlation: the kernel is not flipped. With `dilation` d a window reads every
    d-th pixel. With `groups`, filters of the g-th `k_c/groups` read the g-th `i_c/groups` channels
    alone; `groups=i_c` is a depthwise convolution, of `k_c/i_c` filters a channel. A method of
    device "gpu" has the arrays copied there and its result copied back. With `method="auto"` the
    one of `device` ("cpu" or "gpu") that should be fastest by its model is taken; nothing is
    measured. `workspace_limit`, in bytes, is how much the method may allocate besides its result;
    None: as much as it likes.

    How accurate a result is depends on the method (`Method.error_model`): most are so value by
    value, those that compute in tiles (Winograd, FFT) only relative to what is in the same tile. So
    do NaN and infinity in `x` reach every output whose window holds them, and in tiles others of
    the same tile. In `w` they reach all outputs of their filter; where they would meet nothing but
    padding, a method that skips padding (`Method.skips_padding`) leaves numbers. Values beyond a
    ten thousandth of the largest float32 may overflow inside a tile.

    Raises `TypeError` for something other than a float32 array, and `ValueError` for a wrong rank,
    a layout that is not C-contiguous, shapes that cannot be convolved, an unknown method, a problem
    that the method refuses, or a workspace larger than allowed. Each names the argument, its value
    and what is valid.
    `cuda.NoBackend` if a method of device "gpu" finds neither a GPU nor a C++ compiler.
    """
    chosen = None if method == "auto" else get_method(method)
    checked("x", x, "i_n,i_h,i_w,i_c")
    checked("w", w, "k_h,k_w,i_c,k_c")
    problem = ConvProblem.from_arrays(x, w, stride, padding, dilation, groups)
    if chosen is None:
        chosen = choose(problem, device, workspace_limit)
    reason = chosen.unsupported(problem)
    if reason is not None:
        raise ValueError(f"method {method!r} does not take {problem}: {reason}")
    if workspace_limit is not None and (needs := chosen.workspace_bytes(problem)) > workspace_limit:
        raise ValueError(
            f"method {method!r} needs {needs:,} bytes of workspace for {problem}, more than "
            f"workspace_limit={workspace_limit:,}; allow more, or use method='auto'"
        )
    if chosen.device == "cpu":
        return chosen(x, w, problem)
    from . import cuda

    return chosen(cuda.to_device(x), cuda.to_device(w), problem).get()


def checked(name: str, array: object, axes: str) -> None:
    """Raise unless `array` is float32 NumPy and, of 4 axes, C-contiguous: as `conv2d` says."""
    if not isinstance(array, np.ndarray):
        raise TypeError(
            f"{name} is of type {type(array).__name__}; it needs a NumPy array {name}[{axes}], "
            f"as np.asarray({name}, dtype=np.float32) makes it"
        )
    if array.dtype != np.float32:
        raise TypeError(
            f"{name} has dtype {array.dtype}; it needs float32: {name}.astype(np.float32)"
        )
    if array.ndim == 4 and not array.flags.c_contiguous:
        raise ValueError(
            f"{name} of shape {array.shape} has strides {array.strides}, which is not "
            f"C-contiguous (a slice, transpose or reversal of another array); "
            f"copy it: np.ascontiguousarray({name})"
        )
