"""Lab 05, exercise 5: a dot product, judged by its machine code."""

import re

import numba
import numpy as np

from ..draws import whole
from ..exercise import Exercise, Misconception, edit

CHAINS = 8  # four cycles of latency times two multiply-adds a cycle


@numba.njit(fastmath=True)
def dot(a, b):
    part = len(a) // 4
    s0 = s1 = s2 = s3 = np.float32(0)
    for i in range(part):
        s0 += a[i] * b[i]
        s1 += a[part + i] * b[part + i]
        s2 += a[2 * part + i] * b[2 * part + i]
        s3 += a[3 * part + i] * b[3 * part + i]
    for i in range(4 * part, len(a)):
        s0 += a[i] * b[i]
    return (s0 + s1) + (s2 + s3)


def whole_numbers(values):
    """Round away from 0: sums of whole numbers are exact in float32, in any order."""
    return np.copysign(np.ceil(np.abs(values)), values)


def machine_code(answer):
    """Return an objection to the machine code of a compiled function."""
    from ...cpu.assembly import compiled_loop

    if not hasattr(answer, "inspect_asm"):
        return "is not compiled. Decorate it with `@numba.njit(...)`, and write a loop in it."
    loop = compiled_loop(answer)
    if "cvtps2pd" in str(loop) or re.search("fcvtl|fcvt\\s+z", str(loop)):
        return "converts every value to float64 first, so half as many fit into a vector."
    if not loop.multiply_adds:
        return "multiplies single values in its innermost loop, not vectors."
    if loop.shuffles:
        return (
            f"has {loop.shuffles} instructions in its loop that sort values into vectors, for "
            f"{len(loop.multiply_adds)} multiply-adds."
        )
    if loop.accumulators < CHAINS:
        return f"adds to {loop.accumulators} registers in turn. The task asks for {CHAINS} chains."
    return None


def rest_left_out(step):
    def wrong(a, b):
        end = len(a) // step * step
        return float(np.dot(a[:end], b[:end]))

    return wrong


EXERCISE = Exercise(
    name="dot",
    lab=5,
    task="Write a dot product whose machine code has eight independent chains of vectors.",
    solution=dot,
    reference=lambda a, b: float(np.dot(a, b)),
    cases=lambda rng: [(7,), (3,), (64,), (whole(rng, 1200, 1400) * 4 + 3,)],
    inputs=lambda fill, n: (whole_numbers(fill(n)), whole_numbers(fill(n)[::-1])),
    valid=lambda n: n > 0,
    usage=machine_code,
    mend="`@numba.njit(fastmath=True)`, four sums that begin as `np.float32(0)`, in one loop: "
    "`s1 += a[part + i] * b[part + i]` and so on; then a loop over the rest",
    misconceptions=[
        Misconception(
            "the rest left out",
            [rest_left_out(step) for step in (4, 8, 32)],
            "Lengths that your number of parts divides are right. Otherwise the last products are "
            "missing.",
            "`len(a) // 4` leaves up to three values over. They need a loop of their own.",
        ),
        Misconception(
            "a loop without vectors",
            edit("fastmath=True", ""),
            "The compiler made no vectors of your loop.",
            "Vectors add in another order, and rounding depends on the order. The compiler changes "
            "it only with `fastmath`, and only in a plain loop over `a[i]` and `b[i]`.",
        ),
        Misconception(
            "a float64 sum",
            edit("np.float32(0)", "0.0"),
            "Every value is converted before it is added.",
            "`0.0` is a float64 to Numba, and a float64 sum makes float64 of every value added to "
            "it.",
        ),
        Misconception(
            "one sum",
            edit("len(a) // 4", "0"),
            "Your loop has vectors, but too few chains.",
            "LLVM splits a single sum into a few chains. Several sums in one loop give it more to "
            "split.",
        ),
        Misconception(
            "neighbours in different sums",
            edit(
                *("range(part)", "range(0, 4 * part, 4)"),
                *("a[part + i] * b[part + i]", "a[i + 1] * b[i + 1]"),
                *("a[2 * part + i] * b[2 * part + i]", "a[i + 2] * b[i + 2]"),
                *("a[3 * part + i] * b[3 * part + i]", "a[i + 3] * b[i + 3]"),
            ),
            "Your loop has vectors, and instructions that only sort values into them.",
            "A vector load reads neighbouring values. They need no sorting if they belong to the "
            "same sum, so let each sum go through a part of its own.",
        ),
    ],
)
