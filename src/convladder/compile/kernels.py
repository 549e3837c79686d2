"""What the generated programs call: the ladder's own kernels, and the loops around them.

All write into `out`, float32 and C-contiguous, and allocate nothing of its size.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import cache, wraps

import numpy as np

from ..cpu import depthwise as channels
from ..cpu import epilogue, microkernel
from ..cpu.pool import finish_pool, max_pool  # noqa: F401
from ..cpu.threads import threads_now
from ..cpu.vector.blocking import tile_for
from ..isa import host_isa
from ..problem import ConvProblem


@cache
def _machine_code(loop: Callable) -> Callable:
    import numba  # half a second: only for those who run this

    return numba.njit(cache=True, nogil=True)(loop)


def compiled(loop: Callable) -> Callable:
    """`loop`, compiled at its first call."""

    @wraps(loop)
    def run(*arguments: object) -> None:
        _machine_code(loop)(*arguments)

    return run


def convolve(x: np.ndarray, packed: np.ndarray, problem: ConvProblem, out: np.ndarray) -> None:
    """Chapter 05's microkernel on all threads; `packed` is what its `prepare` made."""
    size = tile_for(problem, host_isa())
    microkernel.convolve(x, packed, problem, size, threads_now(), out)


def multiply(x: np.ndarray, packed: np.ndarray, problem: ConvProblem, out: np.ndarray) -> None:
    """A product as the 1×1 convolution that it is: `x[n,i]` to `out[n,o]`."""
    convolve(x[:, None, None], packed, problem, out[:, None, None])


def depthwise(x: np.ndarray, w: np.ndarray, channel: ConvProblem, out: np.ndarray) -> None:
    """Each channel by its own filter `w[k_h,k_w,i_c]`."""
    channels.depthwise(x, w, channel, out)


def finish(y: np.ndarray, bias: np.ndarray, added: np.ndarray | None, relu: bool) -> None:
    """In place, one pass: add `bias[k_c]` and the map `added` (or None), cut off at zero."""
    rows = y.reshape(-1, y.shape[-1])
    if added is None:
        _finish(rows, bias, relu)
    else:
        _finish_sum(rows, bias, added.reshape(rows.shape), relu)


@compiled
def _finish(y, bias, relu):
    for row in range(y.shape[0]):
        for k in range(y.shape[1]):
            value = y[row, k] + bias[k]
            y[row, k] = np.float32(0) if relu and value < 0 else value


@compiled
def _finish_sum(y, bias, added, relu):
    for row in range(y.shape[0]):
        for k in range(y.shape[1]):
            value = y[row, k] + bias[k] + added[row, k]
            y[row, k] = np.float32(0) if relu and value < 0 else value


def scale_shift(x: np.ndarray, scale: np.ndarray, shift: np.ndarray, out: np.ndarray) -> None:
    """`out = x·scale + shift`, a channel at a time: batch norm that was not folded."""
    k_c = x.shape[-1]
    epilogue.scale_shift(x.reshape(-1, k_c), scale, shift, out.reshape(-1, k_c))
