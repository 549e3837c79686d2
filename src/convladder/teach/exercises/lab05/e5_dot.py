"""Lab 05, exercise 5: a dot product, judged by its machine code."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache

import numpy as np

from ...grading.exercise import Exercise, Flaw, Misconception
from . import dot_wrong as wrong

CHAINS = 8  # asked for in `dot`: four cycles of latency by two multiply-adds a cycle


def dot(a, b):
    return float(_eight()(a, b))


def _dot_code(function: Callable) -> Flaw | None:
    from ....cpu.assembly import compiled_loop

    if function is dot:
        function = _eight()
    function = getattr(function, "compiled", function)
    if not hasattr(function, "inspect_asm"):
        return Flaw(
            "not compiled",
            "it is no compiled function: decorate it with `@numba.njit(...)`, with a loop in it.",
        )
    loop = compiled_loop(function)
    if "cvtps2pd" in str(loop) or "fcvtl" in str(loop):
        return Flaw(
            "double precision",
            "its loop turns every value into float64 first: half as many fit into a vector.",
        )
    if not loop.multiply_adds:
        return _without_vectors(function)
    if loop.shuffles:
        return Flaw(
            "rearranged",
            f"its loop has {loop.shuffles} instructions that sort values "
            f"into vectors, for {len(loop.multiply_adds)} multiply-adds.",
        )
    if loop.accumulators < CHAINS:
        return Flaw(
            "too few chains",
            f"its loop adds to {loop.accumulators} registers in turn; "
            f"{CHAINS} chains are asked for.",
        )
    return None


def _without_vectors(function: Callable) -> Flaw:
    """Return why a compiled function has no vectors, as far as it shows."""
    single = "its innermost loop multiplies single values, not vectors"
    allowed = getattr(function, "targetoptions", {}).get("fastmath")
    if not allowed or allowed is not True and not {"fast", "reassoc"} & set(allowed):
        return Flaw("no vectors", f"{single}.")
    if any("NRT_MemInfo_alloc" in text for text in function.inspect_asm().values()):
        return Flaw(
            "an array on the way",
            "it makes an array on the way, and its innermost loop "
            "has no vector that is multiplied and added at once.",
        )
    return Flaw("no vectors, though allowed", f"{single}, although `fastmath` would allow them.")


@cache
def _eight():
    import numba

    @numba.njit(fastmath=True)
    def eight(a, b):
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

    return eight


def _integers(rng: np.random.Generator, n: int) -> np.ndarray:
    """Return small whole numbers but 0: their sums are exact in float32, in any order."""
    return (rng.integers(1, 9, n) * rng.choice([-1, 1], n)).astype(np.float32)


EXERCISE = Exercise(
    name="dot",
    lab=5,
    reference=dot,
    code=_dot_code,
    task="Write a dot product whose machine code has eight independent chains of vectors.",
    cases=lambda rng: [(_integers(rng, n), _integers(rng, n)) for n in (7, 3, 64, 1027)],
    misconceptions=[
        Misconception(
            "rest forgotten",
            lambda a, b, step=4: float(
                np.dot(a[: len(a) // step * step], b[: len(b) // step * step])
            ),
            symptom="Lengths that your number of parts divides, or the step of your loop, are "
            "right; of others the last products are missing.",
            concept="`len(a) // 4` leaves up to three values over, `len(a) // 8` up to seven.",
            line="After the main loop, add the products of what is left, to the end.",
            choices={"step": (2, 8, 16, 32, 64)},
        ),
        Misconception(
            "parts that do not match",
            wrong.mismatched,
            choices={"parts": (2, 4, 8), "of_a": (False, True)},
            symptom="Lengths below the number of your chains are right; in others values of one "
            "part of `a` meet those of another part of `b`.",
            concept="Copied lines are places where a number must change, and more than once in "
            "each: both vectors are read at the same place.",
            line="`a[k * part + i] * b[k * part + i]`, with the same `k` twice.",
        ),
        Misconception(
            "the last part twice",
            wrong.with_the_last_part,
            choices={"parts": (2, 8)},
            symptom="Your last part counts twice: in a sum of its own, and once more with what is "
            "left over.",
            concept="Four parts end at `4 * part`. What is left over begins there.",
            line="`for i in range(4 * part, len(a))`, with your own number of parts for the 4.",
        ),
        Misconception(
            "a last group that overlaps",
            wrong.overlapping,
            choices={"step": (2, 4, 8, 16), "short": (0, 8)},
            symptom="Lengths that your step divides are right, and some short ones; in others a "
            "product or several near the end count twice.",
            concept="A last group moved back until it fits begins among values that have had "
            "their turn. For a maximum that would do; a sum takes each product once.",
            line="One by one from where the whole groups end: `for i in range(whole, len(a))`.",
        ),
        Misconception(
            "the last product twice",
            lambda a, b: float(np.dot(a, b) + (0 if len(a) % 2 else a[-1] * b[-1])),
            symptom="Odd lengths are right; in even ones the last product counts twice.",
            concept="A rest is there only if something is left over: 7 values are twice 3 and one "
            "more, 64 are twice 32 and nothing.",
            line="`for i in range(2 * half, len(a))`, with `half = len(a) // 2`: where nothing is "
            "left, this goes round zero times.",
        ),
        Misconception(
            "chains not added up",
            lambda a, b: float(
                np.dot(a[: len(a) // 4], b[: len(a) // 4])
                + np.dot(a[len(a) // 4 * 4 :], b[len(a) // 4 * 4 :])
            ),
            symptom="Your result holds the products of one chain, and not those of the others.",
            concept="Each chain has its own sum; the dot product is the sum of them all.",
            line="Every part of the vectors belongs to one of the sums, and all of the sums into "
            "`return`.",
        ),
        Misconception(
            "not compiled",
            lambda a, b: float(a @ b),
            symptom="The values are right, but what you handed in is no compiled function: its "
            "loop is interpreted, NumPy's, or in another function.",
            concept="The exercise is to write a loop, and to see in the machine code what the "
            "compiler made of it.",
            line="Write `for i in range(...)` in `dot` itself, and put "
            "`@numba.njit(fastmath=True)` above its `def`.",
        ),
        Misconception(
            "order kept",
            wrong.one_sum(False, np.float32),
            symptom="The compiler used no vectors at all.",
            concept="Vectors add in another order, and rounding depends on it. The compiler may "
            "only do so if you allow it.",
            line="`@numba.njit(fastmath=True)`: of what that allows, it is `reassoc` that vectors "
            "need.",
        ),
        Misconception(
            "float64 sum",
            wrong.one_sum(True, float),
            symptom="Every value is converted before it is added.",
            concept="`0.0` is a float64 to Numba, and `0` becomes one as soon as a float32 is "
            "added to it. A float64 sum makes all that is added to it float64.",
            line="Begin with `np.float32(0)`, and let no other float64 into the sum.",
        ),
        Misconception(
            "one sum",
            wrong.one_sum(True, np.float32),
            symptom="Your loop has vectors, in fewer chains than are asked for.",
            concept="LLVM splits a single sum into four chains or so. You can give it more to "
            "split: a loop that grows several sums.",
            line="Cut both vectors into four parts, and grow one sum in each: "
            "`s1 += a[part + i] * b[part + i]`. What is left over goes into one of them, in a "
            "loop of its own.",
        ),
        Misconception(
            "neighbours to different chains",
            wrong.numba(wrong.neighbours),
            symptom="There are vectors, and besides them instructions that only sort values.",
            concept="A vector loads *neighbouring* values for one sum. Values must be sorted where "
            "neighbours belong to different sums; where a loop goes backwards, in steps, "
            "or has a short loop inside; where `enumerate` or a signature with "
            "`float32[:]`, which allows gaps, hides that they are neighbours.",
            line="One loop, forwards and without steps, in which each sum goes through a part of "
            "its own: `s1 += a[part + i] * b[part + i]`. (A signature: `float32[::1]`.)",
        ),
        Misconception(
            "an array on the way",
            wrong.numba(wrong.sums_in_an_array),
            symptom="Your function makes an array on the way, for sums, for products or for a "
            "copy.",
            concept="An array lies in memory: what is kept in it, sums or products, is stored and "
            "loaded again. A sum that is a variable of its own stays in a register, and a "
            "product that goes into it at once is one instruction with the addition.",
            line="`s0 = s1 = s2 = s3 = np.float32(0)` before the loop; in it `s0 += a[i] * b[i]`, "
            "`s1 += a[part + i] * b[part + i]` and so on. No `np.zeros`, no `a * b` of whole "
            "arrays.",
        ),
        Misconception(
            "a loop that gets no vectors",
            wrong.numba(wrong.zipped),
            symptom="The compiler may use vectors, and does not.",
            concept="It makes vectors of a plain loop that counts, reads `a[i]` and `b[i]`, and "
            "adds to a variable. Of other loops, with `zip`, a `while`, a `break`, an index or "
            "a choice by `i % 8`, or sums in a list, it may not see that neighbours are "
            "treated alike.",
            line="`for i in range(...): s0 += a[i] * b[i]`, with further sums beside it, each of a "
            "part of its own: no `zip`, no list, and no `if`, `break` or `return` inside.",
        ),
        Misconception(
            "BLAS inside",
            wrong.blas_inside,
            symptom="You call `np.dot`, or `@`, in compiled code. Numba hands that to BLAS by way "
            "of SciPy, which this course does without.",
            concept="Even with SciPy the loop would be the library's. The exercise judges the "
            "machine code of a loop of yours.",
            line="`for i in range(len(a)): total += a[i] * b[i]` is where to begin.",
        ),
    ],
)
