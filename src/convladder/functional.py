"""`conv2d` and its gradients: check the arrays, then run a method.

`dy[i_n,o_h,o_w,k_c]` is the gradient of a loss by the output. Both gradients are convolutions, of
the same multiply-adds as the way forward (V. Dumoulin & F. Visin, "A guide to convolution
arithmetic for deep learning", arXiv 1603.07285, chapter 4).
"""

from __future__ import annotations

from collections.abc import Callable
from functools import lru_cache
from math import prod
from typing import Any

import numpy as np

from .core.problem import ConvProblem, pair, whole
from .core.registry import Method, choose, get_method
from .cpu.input_grad import INPUT_GRADS, input_grad
from .cpu.threads import threads_now
from .cpu.weight_grad import WEIGHT_GRADS, weight_grad

MOST_BYTES = 2**46  # of a result, 64 TiB: NumPy's own limit has other words


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
    a layout that is not C-contiguous, shapes that cannot be convolved, an unknown method or device,
    a problem that the method refuses, or a workspace larger than allowed. Each names the argument,
    its value and what is valid. `MemoryError` for a result or workspace that this machine lacks
    room for. An empty batch gives an empty result.
    `cuda.NoBackend` if a method of device "gpu" finds neither a GPU nor a C++ compiler.
    """
    if device not in ("cpu", "gpu"):
        raise ValueError(f"device={device!r} is unknown; use 'cpu' or 'gpu'")
    chosen = None if method == "auto" else get_method(method)
    _array_check("x", x, "i_n,i_h,i_w,i_c")
    _array_check("w", w, "k_h,k_w,i_c,k_c")
    empty = x.ndim == 4 and len(x) == 0
    posed = np.empty((1, *x.shape[1:]), np.float32) if empty else x
    problem = ConvProblem.from_arrays(posed, w, stride, padding, dilation, groups)
    if chosen is None:
        chosen = _fastest(problem, device, workspace_limit, threads_now())
    reason = chosen.unsupported(problem)
    if reason is not None:
        raise ValueError(f"method {method!r} does not take {problem}: {reason}")
    if workspace_limit is not None and (needs := chosen.workspace_bytes(problem)) > workspace_limit:
        raise ValueError(
            f"method {method!r} needs {needs:,} bytes of workspace for {problem}, more than "
            f"workspace_limit={workspace_limit:,}; allow more, or use method='auto'"
        )
    if empty:
        return np.zeros((0, *problem.output_shape[1:]), np.float32)
    size = 4 * prod(problem.output_shape)
    try:
        if size > MOST_BYTES:
            raise MemoryError
        if chosen.device == "cpu":
            return chosen(x, w, problem)
        from . import cuda

        return chosen(cuda.to_device(x), cuda.to_device(w), problem).get()
    except MemoryError:
        raise MemoryError(
            f"the result of {problem} takes {size:,} bytes and the workspace of {chosen.name!r} "
            f"{chosen.workspace_bytes(problem):,}, more than this machine gives; use less padding "
            f"than {problem.padding}, a smaller batch or another method"
        ) from None


@lru_cache(maxsize=256)
def _fastest(problem: ConvProblem, device: str, limit: int | None, threads: int) -> Method:
    """Return what `choose` does on so many threads: the models take longer than a tiny layer."""
    return choose(problem, device, limit)


def conv2d_input_grad(
    dy: np.ndarray,
    w: np.ndarray,
    *,
    size: tuple[int, int],
    stride: int | tuple[int, int] = 1,
    padding: int | tuple[int, int] = 0,
    dilation: int | tuple[int, int] = 1,
    groups: int = 1,
    method: str = "direct",
) -> np.ndarray:
    """Return `dx[i_n,i_h,i_w,i_c]`, the gradient of `conv2d(x, w, ...)` with respect to `x`.

    `dy[i_n,o_h,o_w,k_c]` and `w[k_h,k_w,i_c/groups,k_c]`, float32 and C-contiguous; `size` is
    `(i_h, i_w)`, which a stride above 1 leaves open. Ways: "direct" convolves `dy` with the kernel
    turned around, once for each place that a pixel can have in the stride, by the microkernel;
    "im2col" makes the gradient of the lowered matrix by one GEMM and adds it up; "mec" does so with
    MEC's smaller matrix. Raises as `conv2d` does, and `ValueError` for a `dy` of another shape.
    """
    _check({"dy": dy, "w": w}, method, INPUT_GRADS)
    i_h, i_w = pair("size", size, least=1)
    sides = (i_h, i_w, w.shape[2] * whole("groups", groups, least=1), *w.shape[:2], w.shape[3])
    problem = ConvProblem(len(dy) or 1, *sides, stride, padding, dilation, groups)
    _fits(dy, problem, len(dy))
    if len(dy) == 0:
        return np.zeros((0, *problem.input_shape[1:]), np.float32)
    return input_grad(dy, w, problem, method)


def conv2d_weight_grad(
    x: np.ndarray,
    dy: np.ndarray,
    *,
    kernel: tuple[int, int],
    stride: int | tuple[int, int] = 1,
    padding: int | tuple[int, int] = 0,
    dilation: int | tuple[int, int] = 1,
    groups: int = 1,
    method: str = "direct",
) -> np.ndarray:
    """Return `dw[k_h,k_w,i_c/groups,k_c]`, the gradient of `conv2d(x, w, ...)` with respect to `w`.

    `x[i_n,i_h,i_w,i_c]` and `dy[i_n,o_h,o_w,k_c]`, float32 and C-contiguous; `kernel` is
    `(k_h, k_w)`. Ways: "direct" convolves `x` with `dy`, the stride being a dilation, by the
    microkernel; "im2col" multiplies the lowered matrix, transposed, by `dy`, one GEMM; "mec" does
    so with partitions of MEC's smaller matrix. Raises as `conv2d` does, and `ValueError` for a `dy`
    of another shape.
    """
    _check({"x": x, "dy": dy}, method, WEIGHT_GRADS)
    sides = (*x.shape[1:], *pair("kernel", kernel, least=1), dy.shape[3])
    problem = ConvProblem(len(x) or 1, *sides, stride, padding, dilation, groups)
    _fits(dy, problem, len(x))
    if len(x) == 0:
        return np.zeros(problem.kernel_shape, np.float32)
    return weight_grad(x, dy, problem, method)


def conv_transpose2d(
    x: np.ndarray,
    w: np.ndarray,
    *,
    stride: int | tuple[int, int] = 1,
    padding: int | tuple[int, int] = 0,
    output_padding: int | tuple[int, int] = 0,
    dilation: int | tuple[int, int] = 1,
    groups: int = 1,
    method: str = "direct",
) -> np.ndarray:
    """Return the transposed convolution of `x[i_n,h,w,k_c]`: the input gradient of a convolution.

    `w[k_h,k_w,c/groups,k_c]` is that convolution's, which goes from `c` channels to `k_c`; the
    result has `c`, and the rows from which it makes `h`: `s_h·(h-1) + d_h·(k_h-1) + 1 - 2·p_h`.
    That is the fewest such rows. With stride 2, 3×3 and padding 1, images of 7 rows and of 8 give 4
    alike: `output_padding`, below the stride, says how many more than the fewest there are to be.
    It adds no zeros: these rows, too, get what the windows that hold them spread. Raises as
    `conv2d_input_grad` does.
    """
    steps, more = pair("stride", stride, 1), pair("output_padding", output_padding, 0)
    for s, extra in zip(steps, more, strict=True):
        if extra >= s:
            raise ValueError(
                f"output_padding={output_padding} is not below stride={stride}: use 0 to {s - 1}"
            )
    _check({"x": x, "w": w}, method, INPUT_GRADS)
    size = tuple(
        s * (o - 1) + d * (k - 1) + 1 - 2 * p + extra
        for s, o, d, k, p, extra in zip(
            steps,
            x.shape[1:3],
            pair("dilation", dilation, 1),
            w.shape[:2],
            pair("padding", padding, 0),
            more,
            strict=True,
        )
    )
    if min(size) < 1:
        raise ValueError(
            f"padding={padding} is too much: of images of {x.shape[1:3]} it leaves {size}; use less"
        )
    rest: dict[str, Any] = dict(padding=padding, dilation=dilation, groups=groups, method=method)
    return conv2d_input_grad(x, w, size=size, stride=stride, **rest)


def _array_check(name: str, array: object, axes: str) -> None:
    """Raise unless `array` is float32 NumPy and, of 4 axes, C-contiguous: as `conv2d` says."""
    if not isinstance(array, np.ndarray):
        raise TypeError(
            f"{name} is of type {type(array).__name__}; it needs a NumPy array {name}[{axes}], "
            f"as np.asarray({name}, dtype=np.float32) makes it"
        )
    if isinstance(array, np.ma.MaskedArray):
        raise TypeError(
            f"{name} is a masked array, and a convolution has no rule for what is masked; give it "
            f"values: {name}.filled(0)"
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


def _check(arrays: dict[str, np.ndarray], method: str, ways: dict[str, Callable]) -> None:
    axes = {"x": "i_n,i_h,i_w,i_c", "w": "k_h,k_w,i_c/groups,k_c", "dy": "i_n,o_h,o_w,k_c"}
    for name, array in arrays.items():
        _array_check(name, array, axes[name])
        if array.ndim != 4:
            raise ValueError(
                f"{name} has {array.ndim} axes, shape {array.shape}; it needs 4: "
                f"{name}[{axes[name]}]"
            )
    if method not in ways:
        raise ValueError(
            f"there is no way {method!r} to this gradient; there are {', '.join(ways)}"
        )


def _fits(dy: np.ndarray, problem: ConvProblem, batch: int) -> None:
    expected = (batch, *problem.output_shape[1:])
    if dy.shape != expected:
        raise ValueError(
            f"dy has shape {dy.shape}; the convolution {problem} gives "
            f"{expected}, and its gradient has the same shape"
        )
