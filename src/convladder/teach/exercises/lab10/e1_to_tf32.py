"""Lab 10, exercise 1: what a tensor core reads of a float32."""

from __future__ import annotations

import numpy as np

from ....number_formats import TF32, rounded
from ...grading.exercise import Exercise, Misconception


def to_tf32(x):
    return rounded(x, TF32.fraction)


def _bits(x):
    return np.ascontiguousarray(x, np.float32).view(np.uint32)


def _masked(bits):
    return (bits & np.uint32(0xFFFFE000)).view(np.float32)


def _rounded_words(words):
    """Round whole numbers as if they were a float32's bits."""
    return (words + 0xFFF + (words >> 13 & 1) & 0xFFFFE000).astype(np.float32)


def _eleven(x, half=None):
    """Keep eleven bits, the nearest; or what adding `half` and cutting twelve off makes."""
    if half is None:
        return rounded(x, 11)
    return (_bits(x) + np.uint32(half) & np.uint32(0xFFFFF000)).view(np.float32)


def _carry_lost(x, last):
    bits = _bits(x)
    fraction = (bits & np.uint32(0x7FFFFF)) + np.uint32(0xFFF) + last
    return _masked(bits & np.uint32(0xFF800000) | fraction & np.uint32(0x7FFFFF))


def _up_where_odd(x):
    """Go up from halfway on, but only where the last kept bit is 1."""
    bits = _bits(x)
    odd = bits >> np.uint32(12) & bits >> np.uint32(13) & np.uint32(1)
    return _masked(bits + (odd << np.uint32(13)))


def _ties(count: int = 12) -> np.ndarray:
    """Return numbers halfway between two of TF32's."""
    return np.float32(1) + np.float32(2**-11) * np.arange(1, 2 * count, 2, dtype=np.float32)


def _cases(rng: np.random.Generator) -> list[tuple]:
    small = np.array([1, 1.0001, 1.0008, -1.0008, 0.1, 3.1415927], np.float32)
    carried = np.array([1.9999, -3.9999, 0.49999, 1 + 2**-10, -1 - 3 * 2**-10], np.float32)
    close = [np.nextafter(_ties(2), np.float32(to)) for to in (0, 2)]  # to halfway
    return [
        (small,),
        (_ties() * np.float32([1, -1, -1] * 4),),
        (np.concatenate([carried, *close]),),
        (rng.standard_normal(200, dtype=np.float32) * np.float32(1e5),),
        (rng.standard_normal(50, dtype=np.float32) * np.float32(1e-9),),
        (rng.standard_normal((3, 4, 5), dtype=np.float32),),
    ]


def _kept(x, bits):
    """Cut all bits of the fraction off but the first `bits`."""
    return (_bits(x) & np.uint32(2**32 - 2 ** (23 - bits))).view(np.float32)


EXERCISE = Exercise(
    name="to_tf32",
    lab=10,
    reference=to_tf32,
    task="Round a float32 array to TF32: ten bits of fraction, the nearest, ties to even.",
    cases=_cases,
    misconceptions=[
        Misconception(
            "cut off",
            lambda x: _masked(_bits(x)),
            symptom="Your values are never farther from zero than they were.",
            concept="Dropping bits cuts off, and errs by up to a whole unit of the last kept bit. "
            "The nearest errs by half of one.",
            line="Half a unit must be in the sum before bits are cut off. With brackets: "
            "`bits + 0xFFF + (bits >> 13 & 1)`.",
        ),
        Misconception(
            "nothing left of the bits",
            lambda x, mask=0xFFFFE000: (
                _bits(x) + np.uint32(0xFFF) + _bits(x) >> np.uint32(13)
                & np.uint32(1)
                & np.uint32(mask)
            ).view(np.float32),
            symptom="All of your values are 0, or next to it.",
            concept="0 is left where a mask meets only bits that were cleared before. Without "
            "brackets, `bits + 0xFFF + bits >> 13 & 1` adds first, shifts the sum and "
            "keeps one bit of it: `+` comes before `>>`, and `>>` before `&`.",
            line="`(bits + 0xFFF + (bits >> 13 & 1)) & 0xFFFFE000`, with both pairs of brackets.",
            choices={"mask": (0xFFFFFFFF,)},
        ),
        Misconception(
            "ties away from zero",
            lambda x: _masked(_bits(x) + np.uint32(0x1000)),
            symptom="All is right but half of the numbers that lie exactly halfway: yours all go "
            "away from zero.",
            concept="Ties to even: halfway between two, the one whose last kept bit is 0. Always "
            "away from zero would make sums too large.",
            line="Add 0xFFF and the last kept bit, `+ (bits >> 13 & 1)`: together they take up "
            "one half of two. (`>> 12` is the first bit that is dropped, halfway always 1.)",
        ),
        Misconception(
            "ties by another bit",
            lambda x, at=14: _masked(
                _bits(x) + np.uint32(0xFFF) + (_bits(x) >> np.uint32(at) & np.uint32(1))
            ),
            symptom="All is right but some of the numbers that lie exactly halfway: these go to "
            "the one whose last kept bit is 1.",
            concept="Bits are counted from 0. Of a float32's fraction the last 13 go, bits 0 to "
            "12, and the last that is kept is bit 13.",
            line="Add 0xFFF and bit 13, `bits + 0xFFF + (bits >> 13 & 1)`; then `& 0xFFFFE000`.",
            choices={"at": (15, 16)},
        ),
        Misconception(
            "ties upwards",
            lambda x: (
                np.floor(
                    x.astype(np.float64) / (unit := 2.0 ** (np.frexp(x.astype(np.float64))[1] - 11))
                    + 0.5
                )
                * unit
            ).astype(np.float32),
            symptom="All is right but half of the numbers that lie exactly halfway: yours all go "
            "up, the negative ones as well.",
            concept="Ties to even: halfway between two, the one whose last kept bit is 0, below or "
            "above.",
            line="`np.rint` in place of `np.floor(... + 0.5)`; or, of the bits, add 0xFFF and "
            "`(bits >> 13 & 1)`.",
        ),
        Misconception(
            "half up, and the last bit besides",
            lambda x: _masked(
                _bits(x) + np.uint32(0x1000) + (_bits(x) >> np.uint32(13) & np.uint32(1))
            ),
            symptom="Right but for some numbers exactly halfway or just below: with you they go "
            "away from zero.",
            concept="0x1000 alone takes up all that is halfway. With the last kept bit on top, "
            "something just below halfway goes up as well.",
            line="0xFFF and the last kept bit: 0x1000 is one too many.",
        ),
        Misconception(
            "float16",
            lambda x: x.astype(np.float16).astype(np.float32),
            symptom="Numbers near 1 are right, large ones become infinite and tiny ones zero.",
            concept="TF32 has float16's ten bits of fraction, and float32's eight of exponent: "
            "it goes as far as float32.",
            line="`bits = x.view(np.uint32)`, then `(bits + 0xFFF + (bits >> 13 & 1) & 0xFFFFE000)"
            ".view(np.float32)`.",
        ),
        Misconception(
            "too few bits",
            lambda x, kept=7, cut=False, ten=False: (
                _kept(rounded(x, 10) if ten else x, kept) if cut else rounded(x, kept)
            ),
            symptom="You keep too few digits: less than ten bits of fraction.",
            concept="Seven are bfloat16's. TF32 has ten, and a first 1 before the point that is "
            "not stored: eleven binary digits in all.",
            line="A float32 has 23 bits of fraction: round off 13. (Of `np.frexp`'s numbers, from "
            "0.5 to 1, eleven bits behind the point stay.)",
            choices={"kept": (7, 8, 9), "cut": (False, True), "ten": (False, True)},
        ),
        Misconception(
            "too many bits",
            lambda x, kept=23, cut=False: (
                _kept(x, kept) if cut else rounded(x, kept) if kept < 23 else x.copy()
            ),
            symptom="You keep too many bits, or give back what you were given.",
            concept="TF32 lies in memory as a float32 does, but of its 23 bits of fraction the "
            "last 13 are zero.",
            line="`bits & 0xFFFFE000` clears them; round first.",
            choices={"kept": (12, 13, 14, 16), "cut": (False, True)},
        ),
        Misconception(
            "eleven bits kept",
            _eleven,
            symptom="You keep one bit too many.",
            concept="A float's first bit, before the point, is always 1 and not stored. TF32's "
            "ten are those behind it.",
            line="23 stored bits, of which 10 stay: add 0xFFF and `(bits >> 13 & 1)`, then `& "
            "0xFFFFE000`. (Of `np.frexp`'s numbers eleven bits behind the point stay.)",
            choices={"half": (0, 0x800, 0xFFF, 0x1000)},
        ),
        Misconception(
            "decimals",
            lambda x, kept=3: np.round(x, kept).astype(np.float32),
            symptom="You round to decimals.",
            concept="A format keeps a number of *binary* digits, counted from the first that is "
            "not zero: the step grows with the number.",
            line="`bits = x.view(np.uint32)`, then `(bits + 0xFFF + (bits >> 13 & 1) & 0xFFFFE000)"
            ".view(np.float32)`.",
            choices={"kept": (2, 4, 5)},
        ),
        Misconception(
            "bits taken for a number",
            lambda x, read=np.uint32: rounded(x, TF32.fraction).view(read).astype(np.float32),
            symptom="Your values are about a billion or more, whatever `x` is, or minus that.",
            concept="`astype` converts a number: the whole number that the bits spell. `view` "
            "reads the same bits as another type.",
            line="At the end `.view(np.float32)`, and nothing that converts, such as `.astype` or "
            "`np.array(bits, np.float32)`.",
            choices={"read": (np.int32,)},
        ),
        Misconception(
            "carry lost",
            lambda x: _carry_lost(x, _bits(x) >> np.uint32(13) & np.uint32(1)),
            symptom="Numbers just below a power of two come out near half of what they should be.",
            concept="Rounding 1.9999 up carries into the exponent, and gives 2. In the bits of a "
            "float that works by itself, if you add to all of them.",
            line="Add to the whole word, and not to the fraction alone.",
        ),
        Misconception(
            "carry lost, ties away from zero",
            lambda x: _carry_lost(x, np.uint32(1)),
            symptom="Numbers exactly halfway all go away from zero; those just below a power of "
            "two come out near half of what they should be.",
            concept="Rounding 1.9999 up carries into the exponent, and gives 2. Halfway, the one "
            "is right whose last kept bit is 0.",
            line="Add to the whole word, not to the fraction alone: 0xFFF and `(bits >> 13 & 1)`.",
        ),
        Misconception(
            "the same step everywhere",
            lambda x: (np.rint(x * np.float32(1024)) / np.float32(1024)).astype(np.float32),
            symptom="Right from 1 to 2. Smaller numbers lose digits, larger ones keep too many.",
            concept="2⁻¹⁰ is the step between 1 and 2 only. It doubles at every power of two: a "
            "format keeps a number of digits, not of places behind the point.",
            line="`bits = x.view(np.uint32)`, then `(bits + 0xFFF + (bits >> 13 & 1) & 0xFFFFE000)"
            ".view(np.float32)`: what carries into the exponent is right.",
        ),
        Misconception(
            "the other bits",
            lambda x: (np.ascontiguousarray(x).view(np.uint32) & np.uint32(0x1FFF)).view(
                np.float32
            ),
            symptom="You keep the 13 bits that should go: all of your values are nearly 0.",
            concept="A mask has ones where bits stay. Sign, exponent and the first ten bits of "
            "the fraction are the upper 19.",
            line="Add 0xFFF and `(bits >> 13 & 1)`, then `& 0xFFFFE000`.",
        ),
        Misconception(
            "numbers taken for bits",
            lambda x: _rounded_words(x.astype(np.int64)),
            symptom="Your values are multiples of 8,192: all numbers below some thousands come "
            "out as 0.",
            concept="That is what comes of rounding the number, or its whole part, in place of "
            "its bits. `astype` converts a number, and 1.0008 becomes 1. `view` leaves "
            "the bits as they are, and reads them as a whole number.",
            line="`np.ascontiguousarray(x).view(np.uint32)`, at the end `.view(np.float32)`.",
        ),
        Misconception(
            "down to minus infinity",
            lambda x: -_masked(_bits(-x) + np.where(x < 0, np.uint32(0x1FFF), np.uint32(0))),
            symptom="Your values are never larger than they were: negative ones go away from zero.",
            concept="`floor` takes the next one below, also where the one above is nearer.",
            line="`np.rint` in place of `np.floor`; or, on the bits, add 0xFFF and the last kept "
            "bit, `(bits >> 13 & 1)`, then clear 13.",
        ),
        Misconception(
            "up only to an even one",
            _up_where_odd,
            symptom="Numbers below halfway are right. From halfway on, yours go away from zero "
            "only where the last kept bit is 1.",
            concept="The last kept bit decides between two that are *equally* near. Beyond "
            "halfway, where another of the dropped bits is 1 too, one is nearer.",
            line="Add 0xFFF and the last kept bit, `bits >> 13 & 1`, then clear 13 bits.",
        ),
        Misconception(
            "always up",
            lambda x: _masked(_bits(x) + np.uint32(0x1FFF)),
            symptom="Your values are never nearer to zero than they were.",
            concept="With a whole unit but one, 0x1FFF, everything goes away from zero. Half a "
            "unit takes along only what is nearer to the next one.",
            line="`np.rint`; or, on the bits, add 0xFFF and the last kept bit, `(bits >> 13 & 1)`, "
            "before you cut.",
        ),
        Misconception(
            "ties towards zero",
            lambda x: _masked(_bits(x) + np.uint32(0xFFF)),
            symptom="All is right but half of the numbers that lie exactly halfway: yours all go "
            "towards zero.",
            concept="Halfway, the one is right whose last kept bit is 0: that is sometimes the one "
            "below, sometimes the one above.",
            line="`np.rint`, which does so; or, on the bits, add 0xFFF and the last kept bit: "
            "`+ (bits >> 13 & 1)`.",
        ),
    ],
)
