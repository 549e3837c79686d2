"""Lab 14, exercise 4: a layer between bytes, with sums that do not overflow."""

from __future__ import annotations

import numpy as np

from ...grading.exercise import Exercise, Misconception
from . import integer_layer_wrong as wrong
from .integer_layer_wrong import INPUTS_ZERO_POINT, layer, rounded_away


integer_layer = layer()


def _cases(rng: np.random.Generator) -> list[tuple]:
    def case(pixels, steps, k_c, x_zero, y_zero, size):
        x = rng.integers(0, 256, (pixels, steps), np.uint8)
        w = rng.integers(-127, 128, (steps, k_c)).astype(np.int8)
        bias = rng.integers(-2000, 2000, k_c).astype(np.int32)
        multiplier = (rng.uniform(0.5, 1.5, k_c) * size).astype(np.float32)
        return x, w, bias, multiplier, x_zero, y_zero

    small = (
        np.array([[10, 20]], np.uint8),
        np.array([[3], [-2]], np.int8),
        np.array([7], np.int32),
        np.array([0.5], np.float32),
        4,
        100,
    )
    halfway = (
        np.array([[10, 20], [7, 9], [200, 3]], np.uint8),
        np.array([[3, 1], [-2, 4]], np.int8),
        np.array([7, -8], np.int32),
        np.array([0.5, 0.25], np.float32),
        4,
        101,
    )
    above = (
        np.array([[9, 5], [5, 4], [3, 4]], np.uint8),
        np.array([[1, 3], [0, 1]], np.int8),
        np.array([0, 2], np.int32),
        np.array([0.5, 0.5], np.float32),
        4,
        10,
    )
    return [
        small,
        halfway,
        above,
        case(4, 9, 3, 0, 0, 0.002),
        case(5, 150, 4, 128, 60, 0.0007),
        case(7, 64, 5, 3, 128, 0.001),
    ]


EXERCISE = Exercise(
    name="integer_layer",
    lab=14,
    reference=integer_layer,
    cases=_cases,
    task="Multiply bytes by integers, add up, and bring the sums to the next layer's grid.",
    misconceptions=[
        *wrong.MORE,
        Misconception(
            "as the types are",
            layer(sums=lambda x, w, zero: (x - np.uint8(zero)) @ w),
            symptom="Right in the smallest case; in all others some values are far off.",
            concept="NumPy computes in the types that it is given: uint8 less a number is uint8, "
            "and uint8 by int8 is int16. Both are too narrow.",
            line="`(x.astype(np.int32) - x_zero) @ w.astype(np.int32)`",
        ),
        Misconception(
            "sums in 16 bits",
            layer(sums=lambda x, w, zero: (x.astype(np.int16) - np.int16(zero)) @ w),
            symptom="Small sums are right; large ones are far off.",
            concept="127 times 255 twice does not fit into 16 bits. NumPy adds in the type of what "
            "it multiplies, and int16 by int8 is int16.",
            line="Both factors `.astype(np.int32)` before the `@`, and the sums stay so.",
        ),
        Misconception(
            "zero point taken away in bytes",
            layer(
                sums=lambda x, w, zero: (x - np.uint8(zero)).astype(np.int32) @ w.astype(np.int32)
            ),
            symptom="Wrong wherever an input lies below its zero point.",
            concept="3 - 4 is 255 in a byte. A uint8 has no negative numbers.",
            line="`x.astype(np.int32) - x_zero`",
        ),
        *INPUTS_ZERO_POINT,
        Misconception(
            "zero point before the multiplier",
            layer(finish=lambda s, b, m, zero: np.clip(np.rint((s + b + zero) * m), 0, 255)),
            symptom="Your values are too small: only `multiplier` times `y_zero` is in them.",
            concept="`y_zero` is counted in steps of the output's grid. The sum gets there only by "
            "the multiplication.",
            line="`np.rint((sums + bias) * multiplier) + y_zero`",
        ),
        Misconception(
            "bias behind the multiplier",
            layer(finish=lambda s, b, m, zero: np.clip(np.rint(s * m) + b + zero, 0, 255)),
            symptom="In the larger cases most of your values are 0 or 255: the bias moves them "
            "too far.",
            concept="The bias is an int32 in steps of the *sum*, `s_x · s_w`, which are much finer "
            "than the output's.",
            line="`(sums + bias) * multiplier`",
        ),
        Misconception(
            "cut, not rounded",
            layer(finish=lambda s, b, m, zero: np.clip(np.trunc((s + b) * m) + zero, 0, 255)),
            symptom="Many of your values are one step too near to `y_zero`.",
            concept="A cast drops what is behind the point, and every layer would do so again.",
            line="`np.rint((sums + bias) * multiplier)`, and `y_zero` behind the bracket.",
        ),
        Misconception(
            "rounded down",
            layer(finish=lambda s, b, m, zero: np.clip(np.floor((s + b) * m) + zero, 0, 255)),
            symptom="Many of your values are one step too small, none too large.",
            concept="`//`, `np.floor` and a cast of what is not negative go down, so that errors "
            "add up in one direction.",
            line="`np.rint((sums + bias) * multiplier)`: the product, to the nearest.",
        ),
        Misconception(
            "clipped before the zero point",
            layer(finish=lambda s, b, m, zero: np.clip(np.rint((s + b) * m), 0, 255) + zero),
            symptom="Negative sums all come out as `y_zero`, and large ones wrap around.",
            concept="0 and 255 are the ends of the stored byte, which has the zero point in it.",
            line="`np.clip(np.rint(...) + y_zero, 0, 255)`",
        ),
        Misconception(
            "cut off above before the zero point",
            layer(finish=lambda s, b, m, zero: np.clip(np.rint((s + b) * m), -zero, 255) + zero),
            symptom="What should be cut off at 255 wraps around; all else is right.",
            concept="255 is the end of the byte that is stored, with the zero point in it. A "
            "product that is cut off before goes beyond it by `y_zero`, and a cast keeps "
            "the last eight bits.",
            line="First `np.rint(...) + y_zero`, then `np.clip` of that to 0 and 255.",
        ),
        Misconception(
            "a half added, then cut",
            layer(finish=lambda s, b, m, zero: np.clip(np.trunc((s + b) * m + 0.5) + zero, 0, 255)),
            symptom="Products above 0 are right but for halves; negative ones are often one step "
            "too large.",
            concept="A cast cuts towards 0, so that -3.7 + 0.5 becomes -3. And a half goes to the "
            "even neighbour here, as in the definition.",
            line="`np.rint(...)`",
        ),
        Misconception(
            "not clipped",
            layer(finish=lambda s, b, m, zero: np.rint((s + b) * m) + zero),
            symptom="What lies above 255 comes out too small, what lies below 0 too large.",
            concept="A cast to uint8 keeps the last eight bits.",
            line="`np.clip(..., 0, 255)` before the cast.",
        ),
        Misconception(
            "clipped as int8",
            layer(finish=lambda s, b, m, zero: np.clip(np.rint((s + b) * m), -128, 127) + zero),
            symptom="Values far from `y_zero` stop short or wrap around.",
            concept="The ends are those of the byte that is stored, after the zero point.",
            line="Add `y_zero`, then clip to 0 and 255.",
        ),
        Misconception(
            "bias forgotten",
            layer(finish=lambda s, b, m, zero: np.clip(np.rint(s * m) + zero, 0, 255)),
            symptom="Your values are off by a number of steps that depends on the channel.",
            concept="The bias belongs to the sum, before it is brought to the output's grid.",
            line="Add `bias` to the sums, in the bracket.",
        ),
        Misconception(
            "zero point of the output forgotten",
            layer(finish=lambda s, b, m, zero: np.clip(np.rint((s + b) * m), 0, 255)),
            symptom="Right where `y_zero` is 0; elsewhere what should be below `y_zero` is 0, and"
            " the rest is too small.",
            concept="The byte that stands for 0 is `y_zero`.",
            line="`np.rint(...) + y_zero`, before you clip.",
        ),
        Misconception(
            "divided by the multiplier",
            layer(finish=lambda s, b, m, zero: np.clip(np.rint((s + b) / m) + zero, 0, 255)),
            symptom="In the larger cases all your values are 0 or 255.",
            concept="The multiplier takes a step of the sum to a step of the output: it is what "
            "you multiply by.",
            line="`(sums + bias) * multiplier`, with `*`.",
        ),
        Misconception(
            "rounded behind the zero point",
            layer(finish=lambda s, b, m, zero: np.clip(np.rint((s + b) * m + zero + 0.25), 0, 255)),
            symptom="Some of your values are one step too large, none too small.",
            concept="Round once, to the nearest: whatever is added before shifts the border "
            "between two steps.",
            line="Add `y_zero` behind the bracket of `np.rint`.",
        ),
        Misconception(
            "one multiplier for all",
            layer(finish=lambda s, b, m, zero: np.clip(np.rint((s + b) * m[0]) + zero, 0, 255)),
            symptom="The first channel is right.",
            concept="Each output channel has a scale, and so a multiplier, of its own.",
            line="`* multiplier`, the whole array: NumPy lines it up with the last axis.",
        ),
        Misconception(
            "cut off above only",
            layer(finish=lambda s, b, m, zero: np.minimum(np.rint((s + b) * m) + zero, 255)),
            symptom="All is right but what lies below 0: that comes out large.",
            concept="A byte has no -1: a cast makes 255 of it.",
            line="`np.clip(..., 0, 255)` cuts off on both sides.",
        ),
        Misconception(
            "cut off below only",
            layer(finish=lambda s, b, m, zero: np.maximum(np.rint((s + b) * m) + zero, 0)),
            symptom="All is right but what lies above 255: that comes out small.",
            concept="256 in a byte is 0.",
            line="`np.clip(..., 0, 255)`, with both ends.",
        ),
        Misconception(
            "given back in int32",
            lambda *given: integer_layer(*given).astype(np.int32),
            symptom="Your values are right, in 32 bits.",
            concept="The next layer takes bytes; that is what all of this is for.",
            line="`.astype(np.uint8)`, after `np.clip`.",
        ),
        Misconception(
            "rounded with the zero point",
            layer(finish=lambda s, b, m, zero: np.clip(np.rint((s + b) * m + zero), 0, 255)),
            symptom="Right where the output's zero point is even; where it is odd, you are off by "
            "1 when the product lies halfway.",
            concept="Halfway goes to the even neighbour. An odd number added before turns even "
            "neighbours into odd ones.",
            line="`np.rint((sums + bias) * multiplier) + y_zero`: round, then add.",
        ),
        Misconception(
            "bias behind the multiplier, then rounded",
            layer(finish=lambda s, b, m, zero: np.clip(np.rint(s * m + b) + zero, 0, 255)),
            symptom="The bias moves your values too far: it is added after the multiplication.",
            concept="The bias is counted in steps of the sum, and the multiplier brings the sum to "
            "the output's steps: both together.",
            line="`np.rint((sums + bias) * multiplier) + y_zero`.",
        ),
        Misconception(
            "halves rounded up",
            layer(finish=lambda s, b, m, zero: np.clip(np.floor((s + b) * m + 0.5) + zero, 0, 255)),
            symptom="All is right but for values that lie halfway between two steps: those you "
            "round up.",
            concept="A half goes to the *even* neighbour, as `np.rint` does it; always up would "
            "make sums a little too large.",
            line="`np.rint(...)` of the product, with no half added.",
        ),
        Misconception(
            "halves rounded away from zero",
            layer(finish=rounded_away),
            symptom="All is right but for values that lie halfway between two steps: those you "
            "round away from 0.",
            concept="C's `round` does so. Here, as in NumPy and in the definition, a half goes to "
            "the *even* neighbour.",
            line="`np.rint(...)` of the product, before the zero point.",
        ),
        Misconception(
            "a ReLU at the zero point",
            layer(finish=lambda s, b, m, zero: np.clip(np.rint((s + b) * m) + zero, zero, 255)),
            symptom="What is above `y_zero` is right; nothing of yours is below it.",
            concept="That is a layer with its ReLU, which nobody asked for here.",
            line="`np.clip(..., 0, 255)`, and no other limit below.",
        ),
        Misconception(
            "bias taken away",
            layer(finish=lambda s, b, m, zero: np.clip(np.rint((s - b) * m) + zero, 0, 255)),
            symptom="Your bias has the wrong sign.",
            concept="A bias is added to the sum.",
            line="`sums + bias`.",
        ),
        Misconception(
            "zero point of the output taken off",
            layer(finish=lambda s, b, m, zero: np.clip(np.rint((s + b) * m) - zero, 0, 255)),
            symptom="Right where the output's zero point is 0; elsewhere your values are too "
            "small by twice that, or cut off at 0.",
            concept="The byte that stands for 0 is `y_zero`: a value lies so many steps above its"
            " product.",
            line="`+ y_zero`.",
        ),
    ],
)
