"""A layer between bytes, right and as learners make it: lab 14, exercise 4."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from ...grading.exercise import Misconception


def layer(
    sums: Callable = lambda x, w, zero: (x.astype(np.int32) - zero) @ w.astype(np.int32),
    finish: Callable = lambda s, b, m, zero: np.clip(np.rint((s + b) * m) + zero, 0, 255),
) -> Callable:
    def integer_layer(x, w, bias, multiplier, x_zero, y_zero):
        y = finish(sums(x, w, x_zero), bias, multiplier, y_zero)
        return y.astype(np.int64).astype(np.uint8)

    return integer_layer


def rounded_away(sums, bias, multiplier, zero):
    """Round what lies halfway away from 0, as C's `round` does."""
    product = (sums + bias) * multiplier
    return np.clip(np.copysign(np.floor(np.abs(product) + 0.5), product) + zero, 0, 255)


INPUTS_ZERO_POINT = [
    Misconception(
        "zero point of the input forgotten",
        layer(sums=lambda x, w, zero: x.astype(np.int32) @ w.astype(np.int32)),
        symptom="Right where the input's zero point is 0; elsewhere each channel is off by "
        "about the same in all its values, but where they are cut off.",
        concept="`q` stands for `scale * (q - zero)`. Leave the zero out, and each output is "
        "off by `zero` times the sum of its weights.",
        line="Subtract `x_zero` from `x` before you multiply.",
    ),
    Misconception(
        "zero point of the input added",
        layer(sums=lambda x, w, zero: (x.astype(np.int32) + zero) @ w.astype(np.int32)),
        symptom="Right where the input's zero point is 0.",
        concept="`x_zero` is the byte that stands for 0. A value is how far a byte lies above it.",
        line="A minus before `x_zero`.",
    ),
    Misconception(
        "zero point taken from the sum",
        layer(sums=lambda x, w, zero: x.astype(np.int32) @ w.astype(np.int32) - zero),
        symptom="You take the input's zero point from the sum, once.",
        concept="Each input is `x_zero` too high, so the sum is too high by `x_zero` times "
        "the sum of the weights.",
        line="Subtract before: `(x.astype(np.int32) - x_zero) @ w.astype(np.int32)`.",
    ),
    Misconception(
        "zero point of the input from the result",
        layer(
            sums=lambda x, w, zero: (x.astype(np.int32) @ w.astype(np.int32), zero),
            finish=lambda s, b, m, zero: np.clip(np.rint((s[0] + b) * m) + zero - s[1], 0, 255),
        ),
        symptom="Right where the input's zero point is 0; else it is taken from the result, once.",
        concept="`x_zero` is counted in steps of the *input*. In the sum it is multiplied by "
        "every weight.",
        line="`(x.astype(np.int32) - x_zero) @ w.astype(np.int32)`.",
    ),
    Misconception(
        "all weights summed for the zero point",
        layer(
            sums=lambda x, w, zero: (
                x.astype(np.int32) @ w.astype(np.int32) - zero * w.sum(dtype=np.int32)
            )
        ),
        symptom="Right with one output channel, and where the input's zero point is 0; else "
        "your sums are off by `x_zero` times the weights of the other channels.",
        concept="Each sum is too high by `x_zero` times the weights that went into it. Those "
        "are the ones of its own channel: a column of `w`.",
        line="`w.sum(axis=0)` in int32, not `w.sum()`; or take `x_zero` from `x` before the "
        "product.",
    ),
]


def other_ends(low=1, high=255):
    return layer(finish=lambda s, b, m, zero: np.clip(np.rint((s + b) * m) + zero, low, high))


MORE = (
    Misconception(
        "other ends",
        lambda *given, ends=(1, 255): other_ends(*ends)(*given),
        choices={"ends": ((0, 254), (0, 256), (1, 254))},
        symptom="Right but at an end of the range, which with you is not 0 or not 255.",
        concept="A byte goes from 0 to 255, and the layer uses all of it.",
        line="`np.clip(..., 0, 255)`: both are included.",
    ),
    Misconception(
        "zero point from the weights too",
        layer(sums=lambda x, w, zero: (x.astype(np.int32) - zero) @ (w.astype(np.int32) - zero)),
        symptom="Right where the input's zero point is 0; else it is taken from the weights as "
        "well.",
        concept="Weights are on a symmetric grid, whose zero point is 0.",
        line="`w.astype(np.int32)` as it is.",
    ),
    Misconception(
        "zero point times the inputs",
        layer(sums=lambda x, w, zero: x.astype(np.int32) @ w.astype(np.int32) - zero * x.shape[1]),
        symptom="Right where the input's zero point is 0; else it is taken off as many times as a "
        "sum has inputs.",
        concept="Each input is `x_zero` too high, and is multiplied by a weight: with it the "
        "`x_zero` in it.",
        line="Take it off before the product: `x.astype(np.int32) - x_zero`.",
    ),
    Misconception(
        "weights summed in bytes",
        layer(
            sums=lambda x, w, zero: (
                x.astype(np.int32) @ w.astype(np.int32)
                - zero * w.sum(axis=0, dtype=np.int8).astype(np.int32)
            )
        ),
        symptom="Right where the input's zero point is 0, and where a channel's weights add up to "
        "-128 to 127.",
        concept="A sum of an int8's values does not fit into an int8: it wraps around.",
        line="`w.sum(axis=0, dtype=np.int32)`.",
    ),
    Misconception(
        "inputs read as int8",
        layer(
            sums=lambda x, w, zero: (x.astype(np.int8).astype(np.int32) - zero) @ w.astype(np.int32)
        ),
        symptom="Right where every input is below 128; one from 128 on counts as 256 less.",
        concept="An int8 ends at 127; the inputs are uint8, and go up to 255.",
        line="From uint8 straight to 32 bits: `x.astype(np.int32)`.",
    ),
)
