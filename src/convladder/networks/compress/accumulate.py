"""Sums that are too narrow: what becomes of a layer whose accumulator saturates or rounds.

A product of a byte and an int8 takes 16 bits, and hundreds of them are added. Each function gives
`y[pixels, k_c]` of `x[pixels, steps]` bytes and `q[steps, k_c]` int8, in int64 unless it says more;
Numba compiles them at their first call.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import cache

import numpy as np

from . import network as nets
from .quantised import QuantisedLayer, QuantisedNetwork, logits

MOST16, LEAST16 = 2**15 - 1, -(2**15)


def exact(x: np.ndarray, q: np.ndarray) -> np.ndarray:
    """Add up as an int32 accumulator does: nothing is lost."""
    return x.astype(np.int64) @ q.astype(np.int64)


def wrapping(x: np.ndarray, q: np.ndarray, bits: int = 16) -> np.ndarray:
    """Add up in `bits` whose carry is dropped: 32767 + 1 is -32768."""
    half = 1 << (bits - 1)
    return (exact(x, q) + half) % (2 * half) - half


def saturating(x: np.ndarray, q: np.ndarray) -> np.ndarray:
    """Add up in an int16 that stays at its end where an addition would go beyond."""
    return _narrow(x, q, pairs=False)


def saturating_pairs(x: np.ndarray, q: np.ndarray) -> np.ndarray:
    """Add two products in int16, which saturates, and pairs in int32.

    That is pmaddubsw, the byte instruction of processors with AVX2 and no VNNI.
    """
    return _narrow(x, q, pairs=True)


def float16_sums(x: np.ndarray, w: np.ndarray) -> np.ndarray:
    """Multiply float16 `x[pixels, steps]` by `w[steps, k_c]`, each product and addition rounded."""
    y = np.zeros((len(x), w.shape[1]), np.float16)
    x, w = x.astype(np.float16), w.astype(np.float16)
    with np.errstate(over="ignore"):  # infinity is what is to be seen
        for step in range(len(w)):
            y += x[:, step, np.newaxis] * w[step]
    return y


def network_accuracy(quantised: QuantisedNetwork, add_up: Callable, count: int = 1000) -> float:
    """Return the share of the first `count` test images labelled right, if all sums are `add_up`.

    Biases are added behind the sums, in int32. Inputs and weights must have their zero at 0.
    """
    return nets.accuracy(
        lambda images: logits(
            quantised, images, lambda layer, x: _sums(layer, x, add_up) + layer.bias
        ),
        count,
    )


def _sums(layer: QuantisedLayer, x: np.ndarray, add_up: Callable) -> np.ndarray:
    if int(layer.x.zero) or np.any(layer.w.zero):
        raise ValueError(
            f"{layer.name} has a zero point other than 0; here sums are of bytes as "
            "they are: use ReLU's outputs and symmetric weights"
        )
    k_h, k_w, _, k_c = layer.q.shape
    windows = np.lib.stride_tricks.sliding_window_view(x, (k_h, k_w), axis=(1, 2))
    matrix = windows.transpose(0, 1, 2, 4, 5, 3).reshape(-1, layer.q[..., 0].size)
    y = add_up(np.ascontiguousarray(matrix), layer.q.reshape(-1, k_c))
    return y.reshape(*windows.shape[:3], k_c)


def _narrow(x: np.ndarray, q: np.ndarray, pairs: bool) -> np.ndarray:
    y = np.zeros((len(x), q.shape[1]), np.int64)
    _compiled()(x, q, y, pairs)
    return y


@cache
def _compiled():
    from ...core.jit import numba  # half a second: only for those who run this

    @numba.njit(cache=True)
    def narrow(x, q, y, pairs):
        steps, channels = q.shape
        part = np.zeros(channels, np.int64)
        for pixel in range(x.shape[0]):
            for step in range(steps):
                value = np.int64(x[pixel, step])
                for k in range(channels):
                    total = part[k] + value * q[step, k]
                    part[k] = min(max(total, LEAST16), MOST16)
                if step == steps - 1 or (pairs and step % 2):
                    for k in range(channels):  # an array's "+=" would compile for two seconds more
                        y[pixel, k] += part[k]
                        part[k] = 0

    return narrow
