"""What is done to each output value after its sum: scale, shift, ReLU, in passes over memory.

Each function is one loop that reads `y` once and writes `out` once. Both are float32 `[rows, k_c]`
and may be the same array; `scale` and `shift` are `[k_c]`.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import cache

import numpy as np


def _scale_shift(y, scale, shift, out):
    for row in range(y.shape[0]):
        for k in range(y.shape[1]):
            out[row, k] = y[row, k] * scale[k] + shift[k]


def _relu(y, out):
    for row in range(y.shape[0]):
        for k in range(y.shape[1]):
            value = y[row, k]
            out[row, k] = value if value > 0 else np.float32(0)


def _scale_shift_relu(y, scale, shift, out):
    for row in range(y.shape[0]):
        for k in range(y.shape[1]):
            value = y[row, k] * scale[k] + shift[k]
            out[row, k] = value if value > 0 else np.float32(0)


@cache
def _compiled(loop: Callable) -> Callable:
    import numba  # half a second: only for those who run this

    return numba.njit(cache=True)(loop)


def scale_shift(y: np.ndarray, scale: np.ndarray, shift: np.ndarray, out: np.ndarray) -> None:
    """`out = y·scale + shift`: a batch norm at inference is this, in one pass."""
    _compiled(_scale_shift)(y, scale, shift, out)


def relu(y: np.ndarray, out: np.ndarray) -> None:
    """`out = max(y, 0)`, in one pass."""
    _compiled(_relu)(y, out)


def scale_shift_relu(
    y: np.ndarray, scale: np.ndarray, shift: np.ndarray, out: np.ndarray
) -> None:
    """`out = max(y·scale + shift, 0)`: both of the above in one pass."""
    _compiled(_scale_shift_relu)(y, scale, shift, out)
