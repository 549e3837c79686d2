"""Lab 14, exercise 1: values on an affine grid, with its scale and zero point."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from ...grading.exercise import Exercise, Misconception


def _quantised(
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
        elif order == "zero, clip to a byte":
            q = np.clip(q + zero, 0, 255)
        elif order == "byte, clip":
            q = np.clip((q + zero).astype(np.int64).astype(np.uint8), 0, high)
        else:
            q = q + zero
        return q.astype(np.int64).astype(np.uint8), scale, zero

    return quantise


def quantise(x, least, most, bits):
    return _quantised()(x, least, most, bits)


def _changed(change):
    """Change the right `q, scale, zero`: `change(q, scale, zero, bits)`."""
    def wrong(x, least, most, bits):
        return change(*quantise(x, least, most, bits), bits)
    return wrong


def _symmetric(x, least, most, bits):
    half = 2 ** (bits - 1)
    scale = max(-least, most) / (half - 1)
    return np.clip(np.rint(x / scale) + half, 0, 2**bits - 1).astype(np.uint8), scale, half


def _range_of_the_values(x, least, most, bits):
    return quantise(x, x.min(), x.max(), bits)


def _scale_rounded(x, least, most, bits):
    least, most = min(least, 0.0), max(most, 0.0)
    scale = float(np.rint((most - least) / (2**bits - 1))) or 1.0
    zero = int(np.rint(-least / scale))
    return np.clip(np.rint(x / scale) + zero, 0, 2**bits - 1).astype(np.uint8), scale, zero


def _cases(rng: np.random.Generator) -> list[tuple]:
    wild = rng.normal(0, 2, 200)
    return [
        (np.array([-1, -0.4, 0, 0.3, 2.6, 9]), -1.0, 3.0, 2),
        (np.array([0.3, 0.9, 1.7, 2.0]), 0.5, 2.0, 4),
        (np.array([-9.0, -2.2, -0.1]), -3.0, -1.0, 3),
        (wild, -1.3, 2.9, 8),
        (wild, -2.4, 0.7, 5),
    ]


def _zero_from_most(x, least, most, bits):
    least, most = min(least, 0.0), max(most, 0.0)
    scale = (most - least) / (2**bits - 1)
    zero = int(np.rint(most / scale))
    return np.clip(np.rint(x / scale) + zero, 0, 2**bits - 1).astype(np.uint8), scale, zero


def _signed(x, least, most, bits):
    q, scale, zero = quantise(x, least, most, bits)
    half = 2 ** (bits - 1)
    return (q.astype(int) - half).astype(np.int8), scale, zero - half


def _zero_not_rounded(x, least, most, bits):
    least, most = min(least, 0.0), max(most, 0.0)
    scale = (most - least) / (2**bits - 1)
    zero = -least / scale
    return np.clip(np.rint(x / scale + zero), 0, 2**bits - 1).astype(np.uint8), scale, zero


EXERCISE = Exercise(
    name="quantise", lab=14, reference=quantise, cases=_cases,
    task="Put values on an affine grid, and give its scale and zero point too.",
    misconceptions=[
        Misconception(
            "0 not in the range", _quantised(widen=False),
            symptom="Ranges that hold 0 are right; others are not.",
            concept="Zero must be on the grid exactly, since padding and ReLU are full of it. A "
                    "range from 0.5 to 2 has no place for it.",
            line="Begin with `least, most = min(least, 0), max(most, 0)`."),
        Misconception(
            "one step too many", _quantised(steps=lambda bits: 2**bits),
            symptom="Your scale is too small, by one part in `2**bits`: the range's upper end is "
                    "cut off.",
            concept="`2**bits` points have one gap fewer between them, as a fence has one more "
                    "post than it has gaps.",
            line="Divide the range by `2**bits - 1`."),
        Misconception(
            "cut, not rounded", _quantised(round_=np.trunc),
            symptom="Your scale and zero point are right; many `q` are one step nearer to the "
                    "zero point.",
            concept="A cast to an integer drops what is behind the point. The error is then up to "
                    "a whole step, not half of one.",
            line="`np.rint(x / scale)`, before you cast."),
        Misconception(
            "rounded down", _quantised(round_=np.floor),
            symptom="Your scale and zero point are right; many `q` are one too small.",
            concept="`//`, `np.floor` and a cast of what is not negative go down, always. Errors "
                    "then have all the same sign, and sums of hundreds of them drift.",
            line="`np.rint` goes to the nearest; then add `zero`, clip and cast."),
        Misconception(
            "counted from the range's end", _quantised(from_least=True),
            symptom="Your scale and zero point are right; some `q` are one step off.",
            concept="Steps that are counted from `least` do not meet 0.0: `least` itself is only "
                    "near the grid. Steps counted from 0 do, and the zero point is a whole number "
                    "of them.",
            line="`np.rint(x / scale) + zero`, not `np.rint((x - least) / scale)`."),
        Misconception(
            "not clipped", _quantised(order="zero"),
            symptom="Values inside the range are right. Those beyond lie beyond the grid, or at "
                    "the byte's other end.",
            concept="A cast to uint8 keeps the last eight bits: 256 becomes 0, and -1 becomes 255.",
            line="`np.clip(..., 0, 2**bits - 1)` before you cast."),
        Misconception(
            "clipped before the zero point", _quantised(order="clip, zero"),
            symptom="Negative values are all at the zero point, large ones lie beyond the grid, "
                    "unless that point is 0.",
            concept="The grid's ends are those of `q`, which has the zero point in it.",
            line="Add `zero` first: `np.clip(np.rint(x / scale) + zero, 0, 2**bits - 1)`."),
        Misconception(
            "zero point cut, not rounded", _quantised(zero_round=np.trunc),
            symptom="Your scale is right. On some grids the zero point is one too small, and with"
                    " it the `q` that are not cut off.",
            concept="`int(...)` drops what is behind the point: 0.75 becomes 0, and the grid is "
                    "three quarters of a step off.",
            line="`zero = int(np.rint(-least / scale))`"),
        Misconception(
            "zero point of the wrong sign", _quantised(sign=1),
            symptom="Your zero point has the wrong sign, and `q` with it is too small, or cut "
                    "off.",
            concept="`least` is to become `q` = 0: `0 = least / scale + zero`.",
            line="`zero = round(-least / scale)`"),
        Misconception(
            "a symmetric grid", _symmetric,
            symptom="Your zero point is always in the middle of the grid.",
            concept="A symmetric grid spends half of its steps on a side that may be empty. An "
                    "affine one begins at `least`.",
            line="`zero = int(np.rint(-least / scale))`, with a scale of the whole range."),
        Misconception(
            "range of the values", _range_of_the_values,
            symptom="Your scale follows `x`, not `least` and `most`.",
            concept="The range was chosen beforehand, from a calibration; single values may lie "
                    "beyond it, and are cut off.",
            line="Use `least` and `most`; `x.min()` and `x.max()` do not occur."),
        Misconception(
            "scale upside down", _changed(lambda q, scale, zero, bits: (q, 1 / scale, zero)),
            symptom="Your `q` and zero point are right; the scale is one over what it should "
                    "be.",
            concept="The scale is what one step is worth: `x` is about `scale * (q - zero)`.",
            line="The range over the number of gaps, not the other way round."),
        Misconception(
            "a scale in whole numbers", _scale_rounded,
            symptom="Your scale has nothing behind the point.",
            concept="Only `q` and the zero point are integers. The scale is a float, and mostly "
                    "far below 1.",
            line="No `np.rint` around the scale."),
        Misconception(
            "steps around the zero point",
            _changed(
                lambda q, scale, zero, bits: ((q.astype(int) - zero).astype(np.int8), scale, zero)),
            symptom="Your `q` is counted from the zero point, in a signed type.",
            concept="What is stored is a byte from 0 to `2**bits - 1`, with the zero point in "
                    "it.",
            line="`+ zero` before `np.clip`, and `.astype(np.uint8)`."),
        Misconception(
            "values back on the grid",
            _changed(
                lambda q, scale, zero, bits: (scale * (q.astype(float) - zero), scale, zero)),
            symptom="You return floats: the values that the steps stand for.",
            concept="Asked for are the steps themselves; whoever needs values has `scale` and "
                    "`zero` beside them.",
            line="Return `q`, before it is multiplied by the scale."),
        Misconception(
            "always eight bits", lambda x, least, most, bits: quantise(x, least, most, 8),
            symptom="Right for 8 bits, too fine for fewer.",
            concept="`bits` says how many steps there are.",
            line="`2**bits - 1` in place of 255."),
        Misconception(
            "q one too high",
            _changed(
                lambda q, scale, zero, bits: (q + (q < 2**bits - 1).astype(np.uint8), scale, zero)),
            symptom="Your scale and zero point are right; all `q` but the highest are one too "
                    "high.",
            concept="The grid begins at 0.",
            line="Add `zero`, and nothing else."),
        Misconception(
            "zero from the other end", _zero_from_most,
            symptom="The scale is right. Your zero point is counted from the range's upper end.",
            concept="`q` counts steps up from `least`, so 0 is as many steps up as `least` is "
                    "down.",
            line="`zero = int(np.rint(-least / scale))`."),
        Misconception(
            "a byte before it is clipped", _quantised(order="byte, clip"),
            symptom="Values inside the range are right. Those below it come out far too high.",
            concept="A byte keeps the last eight bits: -1 is 255 there, and then you cut it off "
                    "at the wrong end.",
            line="`np.clip(...)` first, `.astype(np.uint8)` last."),
        Misconception(
            "widened on one side", _quantised(widen="least"),
            symptom="Ranges on one side of 0 are right, those on the other are not.",
            concept="0 may lie below the whole range, or above it.",
            line="Both: `least = min(least, 0)` and `most = max(most, 0)`.",
            choices={"widen": ("most",)}),
        Misconception(
            "clipped to a byte's ends", _quantised(order="zero, clip to a byte"),
            symptom="Right for 8 bits; with fewer, values beyond the range lie beyond the grid.",
            concept="The grid ends at `2**bits - 1`; 255 is the end of a byte.",
            line="`np.clip(..., 0, 2**bits - 1)`."),
        Misconception(
            "the zero point before the scale",
            _changed(lambda q, scale, zero, bits: (q, zero, scale)),
            symptom="Your scale and your zero point have changed places.",
            concept="The order is `q`, scale, zero point.",
            line="`return q, scale, zero`."),
        Misconception(
            "a signed grid", _signed,
            symptom="Your `q` and your zero point are half of the grid too low, in a signed type.",
            concept="Both kinds of grid are in use. Here `q` goes from 0 to `2**bits - 1`.",
            line="`np.clip(..., 0, 2**bits - 1).astype(np.uint8)`, and a zero point from 0 up."),
        Misconception(
            "zero point not rounded", _zero_not_rounded,
            symptom="Your zero point has something behind the point.",
            concept="0.0 must be on the grid: its step is a whole number, by which all others are"
                    " moved.",
            line="`zero = int(np.rint(-least / scale))`, before `q` is made."),
    ],
)
