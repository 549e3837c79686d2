"""Steps on each output value after its sum: scale, shift, ReLU, in passes over memory.

Each function is one loop that reads `y` once and writes `out` once. Both are float32 `[rows, k_c]`
and may be the same array; `scale` and `shift` are float32 `[k_c]`.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import cache, wraps

import numpy as np


@cache
def _machine_code(loop: Callable) -> Callable:
    from ..core.jit import numba  # half a second: only for those who run this

    return numba.njit(cache=True, nogil=True)(loop)


def compiled(loop: Callable) -> Callable:
    """Return `loop`, compiled at its first call."""

    @wraps(loop)
    def run(*arguments: object) -> None:
        _machine_code(loop)(*arguments)

    return run


@compiled
def scale_shift(y, scale, shift, out):
    """Compute `out = y·scale + shift`: what a batch norm is at inference."""
    for row in range(y.shape[0]):
        for k in range(y.shape[1]):
            out[row, k] = y[row, k] * scale[k] + shift[k]


@compiled
def relu(y, out):
    """Compute `out = max(y, 0)`."""
    for row in range(y.shape[0]):
        for k in range(y.shape[1]):
            value = y[row, k]
            out[row, k] = np.float32(0) if value < 0 else value  # a NaN stays


@compiled
def scale_shift_relu(y, scale, shift, out):
    """Compute `out = max(y·scale + shift, 0)`: both of the above in one pass."""
    for row in range(y.shape[0]):
        for k in range(y.shape[1]):
            value = y[row, k] * scale[k] + shift[k]
            out[row, k] = np.float32(0) if value < 0 else value  # a NaN stays
