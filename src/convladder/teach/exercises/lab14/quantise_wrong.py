"""Values on an affine grid, rightly and as learners put them there: lab 14, exercise 1."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from ...grading.exercise import Misconception


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


def around(x, least, most, bits, step=None, add=0):
    """Take another step; add: the zero point is put to `x`, before the division."""
    least, most = min(least, 0.0), max(most, 0.0)
    scale = step(least, most, bits) if step else (most - least) / (2**bits - 1)
    zero = int(np.rint(-least / scale))
    steps = np.rint((x + add * zero) / scale) + (1 - add) * zero
    return np.clip(steps, 0, 2**bits - 1).astype(np.uint8), scale, zero


def cut_before(x, least, most, bits):
    return quantise(np.clip(x, least, most), least, most, bits)


MORE = (
    Misconception(
        "as long below 0 as above",
        lambda *given: around(
            *given, step=lambda least, most, bits: 2 * max(-least, most) / (2**bits - 1)
        ),
        symptom="Your scale is that of a range as long below 0 as above.",
        concept="With a zero point of its own the grid need not be symmetric: it goes from `least` "
        "to `most`.",
        line="`scale = (most - least) / (2**bits - 1)`, after both are widened to 0.",
    ),
    Misconception(
        "as far as the values go",
        lambda x, least, most, bits: quantise(x, min(least, x.min()), max(most, x.max()), bits),
        symptom="Right where no value lies beyond the range; else your range goes as far as the "
        "values.",
        concept="The range was chosen beforehand. What lies beyond it is cut off, so that all "
        "else has a fine grid.",
        line="Widen `least` and `most` to 0, and no further.",
    ),
    Misconception(
        "one gap too few",
        lambda *given: around(
            *given, step=lambda least, most, bits: (most - least) / (2**bits - 2)
        ),
        symptom="Your scale is too large, by one part in `2**bits - 2`.",
        concept="From 0 to `2**bits - 1` there are `2**bits - 1` gaps. One less is what a "
        "symmetric grid has.",
        line="`(most - least) / (2**bits - 1)`.",
    ),
    Misconception(
        "cut off at the old ends",
        cut_before,
        symptom="Ranges that hold 0 are right. With others, values between the range and 0 come "
        "out at the range's end.",
        concept="The range is widened to 0, so these values are inside.",
        line="Clip the steps, `np.clip(q, 0, 2**bits - 1)`; or widen before you clip `x`.",
    ),
    Misconception(
        "zero point before the division",
        lambda *given: around(*given, add=1),
        symptom="Your scale and zero point are right; `q` has the zero point added to `x`, before "
        "the division.",
        concept="The zero point counts steps, `x` does not: it becomes steps by the division.",
        line="`np.rint(x / scale) + zero`.",
    ),
)
