"""Lab 16, exercise 4: a layer in integers."""

import numpy as np

from ..exercise import Exercise, Misconception, edit


def integer_layer(x, w, bias, multiplier, x_zero, y_zero):
    sums = (x.astype(np.int32) - x_zero) @ w.astype(np.int32) + bias
    steps = np.rint(sums * multiplier) + y_zero
    return np.clip(steps, 0, 255).astype(np.uint8)


def layer(fill, x, w, bias, multiplier, x_zero, y_zero):
    arrays = (np.array(x, np.uint8), np.array(w, np.int8), np.array(bias, np.int32))
    return *arrays, np.array(multiplier, np.float32), x_zero, y_zero


def drawn(rng, pixels, steps, k_c, x_zero, y_zero, size):
    x, w = rng.integers(0, 256, (pixels, steps)), rng.integers(-127, 128, (steps, k_c))
    bias, multiplier = rng.integers(-2000, 2000, k_c), rng.uniform(0.5, 1.5, k_c) * size
    return x.tolist(), w.tolist(), bias.tolist(), multiplier.tolist(), x_zero, y_zero


def fits(x, w, bias, multiplier, x_zero, y_zero):
    """Whether the sizes belong together, and the numbers fit into their types."""
    widths = {len(row) for row in w} | {len(bias), len(multiplier)}
    return len(x) > 0 and {len(row) for row in x} == {len(w)} and len(widths) == 1


PRODUCT = "(x.astype(np.int32) - x_zero) @ w.astype(np.int32) + bias"

EXERCISE = Exercise(
    name="integer_layer",
    lab=16,
    task="Multiply bytes by integers, add up, and bring the sums to the next layer's grid.",
    solution=integer_layer,
    cases=lambda rng: [
        ([[10, 20]], [[3], [-2]], [7], [0.5], 4, 100),
        ([[10, 20], [7, 9], [200, 3]], [[3, 1], [-2, 4]], [7, -8], [0.5, 0.25], 4, 101),
        ([[9, 5], [5, 4], [3, 4]], [[1, 3], [0, 1]], [0, 2], [0.5, 0.5], 4, 10),
        ([[255] * 519], [[127]] * 519, [-16_807_714], [1.0], 0, 0),  # a sum that is no float32
        drawn(rng, 4, 9, 3, 0, 0, 0.002),
        drawn(rng, 5, 150, 4, 128, 60, 0.0007),
        drawn(rng, 7, 64, 5, 3, 128, 0.001),
    ],
    inputs=layer,
    valid=fits,
    mend="`np.clip(np.rint(((x.astype(np.int32) - x_zero) @ w.astype(np.int32) + bias) * "
    "multiplier) + y_zero, 0, 255).astype(np.uint8)`",
    misconceptions=[
        Misconception(
            "arithmetic in narrow types",
            [
                edit("x.astype(np.int32) - x_zero", "(x - np.uint8(x_zero)).astype(np.int32)"),
                edit("x.astype(np.int32)", "x.astype(np.int8).astype(np.int32)"),
                edit(
                    PRODUCT, "((x.astype(np.int16) - np.int16(x_zero)) @ w.astype(np.int16) + bias)"
                ),
            ],
            "Small numbers are right. Others are far off, because they wrapped around.",
            "A byte product needs 16 bits, and a sum of many needs 32. Widen to int32 before the "
            "arithmetic.",
        ),
        Misconception(
            "no zero point of the input",
            edit(" - x_zero", ""),
            "Right where the input's zero point is 0. Elsewhere the channels are shifted.",
            "The byte `q` stands for `scale * (q - zero)`, so the product needs `x - x_zero`.",
        ),
        Misconception(
            "truncation in place of rounding",
            [edit("np.rint(", "np.trunc("), edit("np.rint(", "np.floor(")],
            "Many of your values are off by one.",
            "A cast drops the fraction, which shifts all values. Rounding keeps the error within "
            "half a step.",
        ),
        Misconception(
            "no clipping to the byte",
            edit("np.clip(steps, 0, 255)", "steps.astype(np.int64)"),
            "Values beyond 0 to 255 come out at the other end.",
            "A cast to uint8 keeps the low eight bits: 256 becomes 0. Clip first, at both ends.",
        ),
        Misconception(
            "clipping before the zero point",
            edit(
                "steps = np.rint(sums * multiplier) + y_zero",
                "steps = np.clip(np.rint(sums * multiplier), 0, 255) + y_zero",
                "np.clip(steps, 0, 255)",
                "steps.astype(np.int64)",
            ),
            "Negative sums all come out as `y_zero`, and large ones wrap around.",
            "The ends 0 and 255 are those of the byte, which has the zero point in it.",
        ),
        Misconception(
            "the bias in the wrong place",
            [
                edit(" + bias", "", "sums * multiplier", "sums * multiplier + bias"),
                edit(" + bias", ""),
            ],
            "Your values are off by an amount that depends on the channel.",
            "The bias is on the grid of the sums, so it is added before the multiplier.",
        ),
    ],
)
