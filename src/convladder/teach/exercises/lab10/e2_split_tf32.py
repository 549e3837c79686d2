"""Lab 10, exercise 2: a float32 as the sum of two TF32 numbers."""

from __future__ import annotations

import numpy as np

from ....number_formats import TF32, halves, rounded
from ...grading.exercise import Exercise, Misconception

HALFWAY = np.float32([1 + 2**-11, -1 - 3 * 2**-11, 3 - 2**-10])  # between two of TF32's numbers


def split_tf32(x):
    return halves(x)


def _parts(x, large=None, rest=None):
    large = rounded(x, TF32.fraction) if large is None else large
    return large, rounded(x - large, TF32.fraction) if rest is None else rest


def _cut(x):
    return (np.ascontiguousarray(x).view(np.uint32) & np.uint32(0xFFFFE000)).view(np.float32)


def _half_up(x):
    return _cut((np.ascontiguousarray(x).view(np.uint32) + np.uint32(0x1000)).view(np.float32))


def _halves_up(x, large, small):
    """Round one of the parts, or both, with ties away from zero."""
    first = _half_up(x) if large else rounded(x, TF32.fraction)
    return _parts(x, large=first, rest=_half_up(x - first) if small else None)


def _large_in_float16(x):
    with np.errstate(over="ignore", invalid="ignore"):
        return _parts(x, large=x.astype(np.float16).astype(np.float32))


EXERCISE = Exercise(
    name="split_tf32",
    lab=10,
    reference=split_tf32,
    task="Split float32 numbers into a large and a small part, each a TF32 number.",
    cases=lambda rng: [
        (np.array([1.0001, -3.1415927, 0.1], np.float32),),
        (np.append(rng.standard_normal(100, dtype=np.float32), HALFWAY),),
        (rng.standard_normal((5, 6), dtype=np.float32) * np.float32(1e5),),
    ],
    misconceptions=[
        Misconception(
            "rest not rounded",
            lambda x: _parts(x, rest=x - rounded(x, TF32.fraction)),
            symptom="The large part is right. The small one has too many bits.",
            concept="The rest of a float32 has up to 12 bits, and a tensor core reads 11 of them.",
            line="Round the rest too: `to_tf32(x - large)`.",
        ),
        Misconception(
            "the number itself as the rest",
            lambda x: _parts(x, rest=rounded(x, TF32.fraction)),
            symptom="Both of your parts are the same.",
            concept="The small part is what rounding the large one has lost.",
            line="`small = to_tf32(x - large)`.",
        ),
        Misconception(
            "wrong sign",
            lambda x: _parts(x, rest=rounded(rounded(x, TF32.fraction) - x, TF32.fraction)),
            symptom="The sum of your parts is farther from `x` than the large part alone.",
            concept="large + small must give `x`, so small is `x - large`.",
            line="`to_tf32(x - large)`, in this order.",
        ),
        Misconception(
            "small one first",
            lambda x: _parts(x)[::-1],
            symptom="Your parts are exchanged.",
            concept="The result is the pair (large, small).",
            line="`return large, small`.",
        ),
        Misconception(
            "cut off",
            lambda x: (_cut(x), _cut(x - _cut(x))),
            symptom="Your parts are cut off, not rounded.",
            concept="Cut off, the rest can be twice as large, and always has the sign of `x`. "
            "The nearest leaves one more bit.",
            line="Use `to_tf32` of exercise 1 for both parts.",
        ),
        Misconception(
            "cut off, and the rest as it is",
            lambda x: (_cut(x), x - _cut(x)),
            symptom="The large part is cut off, not rounded, and the small one has too many bits.",
            concept="The rest of what is cut off has up to 13 bits, and a tensor core reads 11 of "
            "them.",
            line="`to_tf32` of `x`, and then of what that leaves.",
        ),
        Misconception(
            "the low bits as a number",
            lambda x: _parts(
                x,
                rest=(np.ascontiguousarray(x).view(np.uint32) & np.uint32(0x1FFF)).view(np.float32),
            ),
            symptom="The large part is right. Your small ones are all next to zero, 1.2e-41 at "
            "most.",
            concept="Bits without their exponent are another number: what they are worth depends "
            "on where they stand.",
            line="Let the subtraction find it, and round: `to_tf32(x - large)`.",
        ),
        Misconception(
            "half and half",
            lambda x: (rounded(x / 2, TF32.fraction), rounded(x / 2, TF32.fraction)),
            symptom="Each of your parts is half of the number.",
            concept="Two halves have the same ten bits, twice: nothing is gained. The second "
            "part must hold what the first cannot.",
            line="`large = to_tf32(x)`, then `small = to_tf32(x - large)`.",
        ),
        Misconception(
            "rest in float16",
            lambda x: _parts(
                x, rest=(x - rounded(x, TF32.fraction)).astype(np.float16).astype(np.float32)
            ),
            symptom="Large rests are right, small ones have lost digits.",
            concept="float16 has few exponents: below 6e-5 its steps no longer shrink.",
            line="Round the rest as TF32: `to_tf32(x - large)`.",
        ),
        Misconception(
            "large part cut off",
            lambda x: _parts(x, large=_cut(x)),
            symptom="Your large part is cut off, not rounded: it is never farther from zero than "
            "`x`.",
            concept="The nearest TF32 number may be above. With it the rest is half as large at "
            "most.",
            line="`large = to_tf32(x)`.",
        ),
        Misconception(
            "small part cut off",
            lambda x: _parts(x, rest=_cut(x - rounded(x, TF32.fraction))),
            symptom="The large part is right; the small one is cut off: never farther from zero "
            "than the rest is.",
            concept="The rest is rounded as the number was. It has one bit too many at most, and "
            "then lies just halfway between two: the one is right whose last kept bit is "
            "0, which can be the one farther from zero.",
            line="`to_tf32(x - large)`, with `to_tf32` of exercise 1.",
        ),
        Misconception(
            "what cutting off loses",
            lambda x: _parts(x, rest=rounded(x - _cut(x), TF32.fraction)),
            symptom="The large part is right. Your small one is what cutting off would lose: where "
            "the large one is farther from zero than `x`, so is their sum.",
            concept="large + small must give `x`, with the large part as you return it.",
            line="`large` once, rounded, and from that very `large` `to_tf32(x - large)`.",
        ),
        Misconception(
            "small part scaled",
            lambda x, by=2.0**11: _parts(
                x, rest=rounded((x - rounded(x, TF32.fraction)) * np.float32(by), TF32.fraction)
            ),
            symptom="Your small part is a power of two times what it should be.",
            concept="float16 needs such a scale, for its few exponents. TF32 has float32's, and "
            "large + small is to give `x` as it is.",
            line="`to_tf32(x - large)`, with no factor.",
            choices={"by": (2.0**10, 2.0**12, 2.0**13)},
        ),
        Misconception(
            "x as it is for the large part",
            lambda x: (x.copy(), np.zeros_like(x)),
            symptom="Your large part is `x` with all its bits, so nothing is left for the small "
            "one.",
            concept="A tensor core reads ten bits of fraction. The large part is what it would "
            "read.",
            line="`large = to_tf32(x)`, then `to_tf32(x - large)`.",
        ),
        Misconception(
            "rest without its sign",
            lambda x: _parts(x, rest=np.abs(rounded(x - rounded(x, TF32.fraction), TF32.fraction))),
            symptom="None of your small parts is negative.",
            concept="Rounding goes up and down: about half of the rests are negative.",
            line="`x - large`, without `abs`.",
        ),
        Misconception(
            "parts of bfloat16",
            lambda x, large=7, small=7: (rounded(x, large), rounded(x - rounded(x, large), small)),
            symptom="Your parts have too few bits, at least one of them.",
            concept="Seven bits of fraction are bfloat16's; TF32 has ten.",
            line="`to_tf32` of exercise 1, for both.",
            choices={"large": (7, 10), "small": (10, 7)},
        ),
        Misconception(
            "large part in float16",
            _large_in_float16,
            symptom="Your large part is infinite where `x` is large.",
            concept="float16 has TF32's ten bits, but ends at 65,504. And tiny numbers lose digits "
            "in it, or become 0.",
            line="`to_tf32(x)`, which goes as far as float32.",
        ),
        Misconception(
            "ties away from zero",
            lambda x, large=True, small=True: _halves_up(x, large, small),
            symptom="Right but for numbers, or rests, exactly halfway: yours go away from zero.",
            concept="Rests have few bits, so that many of them lie just halfway. There the one is "
            "right whose last kept bit is 0.",
            line="`to_tf32` of exercise 1, which adds 0xFFF and the last kept bit.",
            choices={"large": (True, False), "small": (True, False)},
        ),
        Misconception(
            "rest as a share",
            lambda x: _parts(
                x,
                rest=rounded(
                    (x - rounded(x, TF32.fraction)) / rounded(x, TF32.fraction), TF32.fraction
                ),
            ),
            symptom="Your small part is the rest divided by the large one.",
            concept="large + small must give `x`, with the rest as it is.",
            line="`x - large`, and no division.",
        ),
        Misconception(
            "the lost bits as a number",
            lambda x: _parts(
                x,
                rest=rounded(
                    (np.ascontiguousarray(x).view(np.uint32) & np.uint32(0x1FFF)).view(np.float32),
                    TF32.fraction,
                ),
            ),
            symptom="Your small parts are next to nothing, and never negative.",
            concept="The last 13 bits alone, without an exponent, are some 1e-42. The bits of a "
            "fraction count from where the number's exponent puts them: a subtraction "
            "sees to that.",
            line="`to_tf32(x - large)`, a subtraction of floats.",
        ),
        Misconception(
            "a ratio",
            lambda x: _parts(x, rest=rounded(x / rounded(x, TF32.fraction), TF32.fraction)),
            symptom="Your small parts are all close to 1.",
            concept="That is what a quotient gives. large + small must give `x`: it is a sum.",
            line="`to_tf32(x - large)`, not `x / large`.",
        ),
        Misconception(
            "large times small",
            lambda x: _parts(
                x,
                rest=rounded(
                    x - rounded(x, TF32.fraction) * rounded(x, TF32.fraction), TF32.fraction
                ),
            ),
            symptom="Your small part is not small: where `x` is -3.14 it is about -13.",
            concept="That is what `x - large * large` gives. What rounding lost is the difference"
            " of two numbers.",
            line="`x - large`, and nothing multiplied.",
        ),
        Misconception(
            "nothing left",
            lambda x: _parts(x, rest=np.zeros_like(x)),
            symptom="The large part is right. Your small parts are all 0.",
            concept="The small part is what `x` has more than the large one. From `to_tf32(x) - "
            "large` nothing is left.",
            line="`to_tf32(x - large)`: `x` as it was given.",
        ),
    ],
)
