"""Values on an affine grid, rightly and as learners put them there: lab 14, exercise 1."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np


def quantised(
    widen: bool | str = True, steps: Callable = lambda bits: 2**bits - 1,
    round_: Callable = np.rint, sign: int = -1, order: str = "zero, clip",
    zero_round: Callable = np.rint, from_least: bool = False,
) -> Callable:  # fmt: skip
    """Return the reference, or one thing of it another way."""

    def quantise(x, least, most, bits, widen=widen):
        least = min(least, 0.0) if widen in (True, "least") else least
        most = max(most, 0.0) if widen in (True, "most") else most
        high = 2**bits - 1
        scale = (most - least) / steps(bits)
        zero = int(zero_round(sign * least / scale))
        q = np.rint((x - least) / scale) - zero if from_least else round_(x / scale)
        if order == "zero, clip":
            q = np.clip(q + zero, 0, high)
        elif order == "clip, zero":
            q = np.clip(q, 0, high) + zero
        elif order == "clip":
            q = np.clip(q, 0, high)
        elif order == "minus zero, clip":
            q = np.clip(q - zero, 0, high)
        elif order == "zero, clip to a byte":
            q = np.clip(q + zero, 0, 255)
        elif order == "byte, clip":
            q = np.clip((q + zero).astype(np.int64).astype(np.uint8), 0, high)
        else:
            q = q + zero
        return q.astype(np.int64).astype(np.uint8), scale, zero

    return quantise


quantise = quantised()


def changed(change):
    """Change the right `q, scale, zero`: `change(q, scale, zero, bits)`."""
    def wrong(x, least, most, bits):
        return change(*quantise(x, least, most, bits), bits)
    return wrong


def symmetric(x, least, most, bits):
    half = 2 ** (bits - 1)
    scale = max(-least, most) / (half - 1)
    return np.clip(np.rint(x / scale) + half, 0, 2**bits - 1).astype(np.uint8), scale, half


def range_of_the_values(x, least, most, bits):
    return quantise(x, x.min(), x.max(), bits)


def scale_rounded(x, least, most, bits):
    least, most = min(least, 0.0), max(most, 0.0)
    scale = float(np.rint((most - least) / (2**bits - 1))) or 1.0
    zero = int(np.rint(-least / scale))
    return np.clip(np.rint(x / scale) + zero, 0, 2**bits - 1).astype(np.uint8), scale, zero


def zero_from_most(x, least, most, bits):
    least, most = min(least, 0.0), max(most, 0.0)
    scale = (most - least) / (2**bits - 1)
    zero = int(np.rint(most / scale))
    return np.clip(np.rint(x / scale) + zero, 0, 2**bits - 1).astype(np.uint8), scale, zero


def signed(x, least, most, bits):
    q, scale, zero = quantise(x, least, most, bits)
    half = 2 ** (bits - 1)
    return (q.astype(int) - half).astype(np.int8), scale, zero - half


def zero_not_rounded(x, least, most, bits):
    least, most = min(least, 0.0), max(most, 0.0)
    scale = (most - least) / (2**bits - 1)
    zero = -least / scale
    return np.clip(np.rint(x / scale + zero), 0, 2**bits - 1).astype(np.uint8), scale, zero
