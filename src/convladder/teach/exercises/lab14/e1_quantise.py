"""Lab 14, exercise 1: values on an affine grid, with its scale and zero point."""

from __future__ import annotations

import numpy as np

from ...grading.exercise import Exercise, Misconception
from . import quantise_wrong as wrong


def quantise(x, least, most, bits):
    return wrong.quantised()(x, least, most, bits)


def _cases(rng: np.random.Generator) -> list[tuple]:
    wild = rng.normal(0, 2, 200)
    return [
        (np.array([-1, -0.4, 0, 0.3, 2.6, 9]), -1.0, 3.0, 2),
        (np.array([0.3, 0.9, 1.7, 2.0]), 0.5, 2.0, 4),
        (np.array([-9.0, -2.2, -0.1]), -3.0, -1.0, 3),
        (wild, -1.3, 2.9, 8),
        (wild / 10, -2.4, 0.8, 5),  # the zero point is rounded down; values within the range
    ]


EXERCISE = Exercise(
    name="quantise",
    lab=14,
    reference=quantise,
    cases=_cases,
    task="Put values on an affine grid, and give its scale and zero point too.",
    misconceptions=[
        *wrong.MORE,
        Misconception(
            "0 not in the range",
            wrong.quantised(widen=False),
            symptom="Ranges that hold 0 are right; others are not.",
            concept="Zero must be on the grid exactly, since padding and ReLU are full of it. A "
            "range from 0.5 to 2 has no place for it.",
            line="Begin with `least, most = min(least, 0), max(most, 0)`.",
        ),
        Misconception(
            "one step too many",
            wrong.quantised(steps=lambda bits: 2**bits),
            symptom="Your scale is too small, by one part in `2**bits`: the range's upper end is "
            "cut off.",
            concept="`2**bits` points have one gap fewer between them, as a fence has one more "
            "post than it has gaps.",
            line="Divide the range by `2**bits - 1`.",
        ),
        Misconception(
            "cut, not rounded",
            wrong.quantised(round_=np.trunc),
            symptom="Your scale and zero point are right; many `q` are one step nearer to the "
            "zero point.",
            concept="A cast to an integer drops what is behind the point. The error is then up to "
            "a whole step, not half of one.",
            line="`np.rint(x / scale)`, before you cast.",
        ),
        Misconception(
            "rounded down",
            wrong.quantised(round_=np.floor),
            symptom="Your scale and zero point are right; many `q` are one too small.",
            concept="`//`, `np.floor` and a cast of what is not negative go down, always. Errors "
            "then have all the same sign, and sums of hundreds of them drift.",
            line="`np.rint` goes to the nearest; then add `zero`, clip and cast.",
        ),
        Misconception(
            "counted from the range's end",
            wrong.quantised(from_least=True),
            symptom="Your scale and zero point are right; some `q` are one step off.",
            concept="Steps that are counted from `least` do not meet 0.0: `least` itself is only "
            "near the grid. Steps counted from 0 do, and the zero point is a whole number "
            "of them.",
            line="`np.rint(x / scale) + zero`: two whole numbers, each rounded by itself.",
        ),
        Misconception(
            "not clipped",
            wrong.quantised(order="zero"),
            symptom="Values inside the range are right. Those beyond lie beyond the grid, or "
            "come round at the byte's other end.",
            concept="A cast to uint8 keeps the last eight bits: 256 becomes 0, and -1 becomes 255.",
            line="`np.clip(..., 0, 2**bits - 1)` before you cast.",
        ),
        Misconception(
            "clipped before the zero point",
            wrong.quantised(order="clip, zero"),
            symptom="Negative values are all at the zero point, large ones lie beyond the grid or "
            "come round from 0, unless that point is 0.",
            concept="The grid's ends are those of `q`, which has the zero point in it.",
            line="Add `zero` first: `np.clip(np.rint(x / scale) + zero, 0, 2**bits - 1)`.",
        ),
        Misconception(
            "zero point cut, not rounded",
            wrong.quantised(zero_round=np.trunc),
            symptom="Your scale is right. On some grids the zero point is one too small, and with"
            " it the `q` that are not cut off.",
            concept="Cut or rounded down, 0.75 becomes 0, and the grid is three quarters of a "
            "step off.",
            line="`zero = int(np.rint(-least / scale))`",
        ),
        Misconception(
            "zero point of the wrong sign",
            wrong.quantised(sign=1),
            symptom="Your zero point has the wrong sign, and `q` with it is too small, or cut off.",
            concept="`least` is to become `q` = 0: `0 = least / scale + zero`.",
            line="`zero = round(-least / scale)`",
        ),
        Misconception(
            "a symmetric grid",
            wrong.symmetric,
            symptom="Your zero point is always in the middle of the grid.",
            concept="A symmetric grid spends half of its steps on a side that may be empty. An "
            "affine one begins at `least`.",
            line="`zero = int(np.rint(-least / scale))`, with `least` and `most` widened to 0 and "
            "`scale = (most - least) / (2**bits - 1)`.",
        ),
        Misconception(
            "range of the values",
            wrong.range_of_the_values,
            symptom="Your scale is that of a range from the least value of `x` to the largest, "
            "with 0 in it.",
            concept="The range was chosen beforehand, from a calibration; single values may lie "
            "beyond it, and are cut off.",
            line="Use `least` and `most`; `x.min()` and `x.max()` do not occur.",
        ),
        Misconception(
            "scale upside down",
            wrong.changed(lambda q, scale, zero, bits: (q, 1 / scale, zero)),
            symptom="Your `q` and zero point are right; the scale is one over what it should be.",
            concept="The scale is what one step is worth: `x` is about `scale * (q - zero)`.",
            line="The range over the number of gaps, not the other way round.",
        ),
        Misconception(
            "a scale in whole numbers",
            wrong.scale_rounded,
            symptom="Your scale has nothing behind the point.",
            concept="Only `q` and the zero point are integers. The scale is a float, and mostly "
            "far below 1.",
            line="`scale = (most - least) / (2**bits - 1)`, as it is: nothing of it is rounded.",
        ),
        Misconception(
            "steps around the zero point",
            wrong.changed(
                lambda q, scale, zero, bits: ((q.astype(int) - zero).astype(np.int8), scale, zero)
            ),
            symptom="Your `q` is counted from the zero point, in a signed type.",
            concept="What is stored is a byte from 0 to `2**bits - 1`, with the zero point in it.",
            line="`+ zero` before `np.clip`, and `.astype(np.uint8)`.",
        ),
        Misconception(
            "values back on the grid",
            wrong.changed(
                lambda q, scale, zero, bits: (scale * (q.astype(float) - zero), scale, zero)
            ),
            symptom="You return floats: the values that the steps stand for.",
            concept="Asked for are the steps themselves; whoever needs values has `scale` and "
            "`zero` beside them.",
            line="Return `q`, before it is multiplied by the scale.",
        ),
        Misconception(
            "always eight bits",
            lambda x, least, most, bits: quantise(x, least, most, 8),
            symptom="Right for 8 bits, too fine for fewer.",
            concept="`bits` says how many steps there are.",
            line="`2**bits - 1` gaps, and that for the upper end.",
        ),
        Misconception(
            "q one too high",
            wrong.changed(
                lambda q, scale, zero, bits: (q + (q < 2**bits - 1).astype(np.uint8), scale, zero)
            ),
            symptom="Your scale and zero point are right; all `q` but the highest are one too "
            "high.",
            concept="The grid begins at 0.",
            line="Add `zero`, and nothing else.",
        ),
        Misconception(
            "zero from the other end",
            wrong.zero_from_most,
            symptom="The scale is right. Your zero point is counted from the range's upper end.",
            concept="`q` counts steps up from `least`, so 0 is as many steps up as `least` is "
            "down.",
            line="`zero = int(np.rint(-least / scale))`.",
        ),
        Misconception(
            "a byte before it is clipped",
            wrong.quantised(order="byte, clip"),
            symptom="Values inside the range are right. Those below it come out far too high, and "
            "with 8 bits those above it far too low.",
            concept="A byte keeps the last eight bits: -1 is 255 there, 256 is 0, and then they "
            "are cut off at the wrong end.",
            line="`np.clip(...)` first, `.astype(np.uint8)` last.",
        ),
        Misconception(
            "widened on one side",
            wrong.quantised(widen="least"),
            symptom="Ranges that hold 0 are right. Of the others, those on one side of 0 are "
            "right, and those on the other are not.",
            concept="A range may lie above 0 as a whole, or below it. Either way it is widened as "
            "far as 0.",
            line="`least = min(least, 0)` and `most = max(most, 0)`: it takes both.",
            choices={"widen": ("most",)},
        ),
        Misconception(
            "clipped to a byte's ends",
            wrong.quantised(order="zero, clip to a byte"),
            symptom="Right for 8 bits; with fewer, values above the range lie beyond the grid.",
            concept="The grid ends at `2**bits - 1`; 255 is the end of a byte.",
            line="`np.clip(..., 0, 2**bits - 1)`.",
        ),
        Misconception(
            "the zero point before the scale",
            wrong.changed(lambda q, scale, zero, bits: (q, zero, scale)),
            symptom="Your scale and your zero point have changed places.",
            concept="The order is `q`, scale, zero point.",
            line="`return q, scale, zero`.",
        ),
        Misconception(
            "a signed grid",
            wrong.signed,
            symptom="Your `q` and your zero point are half of the grid too low, in a signed type.",
            concept="Both kinds of grid are in use. Here `q` goes from 0 to `2**bits - 1`.",
            line="`np.clip(..., 0, 2**bits - 1).astype(np.uint8)`, and a zero point from 0 up.",
        ),
        Misconception(
            "zero point not rounded",
            wrong.zero_not_rounded,
            symptom="Your zero point is a float, on most grids with something behind the point.",
            concept="0.0 must be on the grid: its step is a whole number, by which all others are"
            " moved.",
            line="`zero = int(np.rint(-least / scale))`, before `q` is made.",
        ),
        Misconception(
            "zero point rounded up",
            wrong.quantised(zero_round=np.ceil),
            symptom="Your scale is right. On some grids the zero point is one too large, and with"
            " it the `q` that are not cut off.",
            concept="The nearest step errs by half of one at most, upwards or downwards.",
            line="`np.rint(-least / scale)`: to the nearest.",
        ),
        Misconception(
            "zero point left out of q",
            wrong.quantised(order="clip"),
            symptom="Your scale and zero point are right, but `q` is counted without the zero "
            "point: what is below 0 is cut off.",
            concept="`q` is a step from 0 to `2**bits - 1`, and 0.0 is step `zero`.",
            line="`np.rint(x / scale) + zero`, then `np.clip`.",
        ),
        Misconception(
            "zero point taken off",
            wrong.quantised(order="minus zero, clip"),
            symptom="Your scale and zero point are right, but `q` has the zero point taken off.",
            concept="0.0 is step `zero`, so `x` lies `zero` steps higher than it would without.",
            line="`+ zero`; minus is for the way back, `scale * (q - zero)`.",
        ),
    ],
)
