"""Lab 07, exercise 4: four floats a request."""

from __future__ import annotations

import numpy as np

from ...grading.exercise import OUT, Exercise, KernelTask, Misconception
from ..lab06.sources import blocks, counting, edited
from .vectors import FOUR_IN_TURN, REST, SOURCE, STORE, STRIDED

THREADS = 128


def relu(x):
    return np.maximum(x, 0)


def _requests(x):
    most = -(-x.size // 128)  # 32 lanes by 4 floats
    return {"global_load_requests": most, "global_store_requests": most}


def _case(rng, n):
    return ((counting(n) - 3) if n < 10 else rng.standard_normal(n, dtype=np.float32),)


EXERCISE = Exercise(
    name="relu4",
    lab=7,
    reference=relu,
    task="ReLU with vector loads and stores: a quarter of the requests.",
    cases=lambda rng: [_case(rng, n) for n in (6, 509, 515, 4096)],
    kernel=KernelTask(
        name="relu",
        solution=SOURCE,
        arguments=lambda x: (x, OUT, x.size),
        budget=_requests,
        launch=lambda x: (blocks((x.size, 4 * THREADS)), THREADS),
    ),
    misconceptions=[
        Misconception(
            "four in turn",
            FOUR_IN_TURN,
            symptom="Each thread takes four neighbours, but one at a time: 4 requests of 16 "
            "sectors each, and every sector moves four times.",
            concept="In one request the lanes are 16 bytes apart, so that only a quarter of each "
            "sector is used. A load of 16 bytes takes all four values at once.",
            line="If `i + 3 < n`: `float4 v = *reinterpret_cast<const float4 *>(x + i);`, `fmaxf` "
            "of each part, and a store of all four in the same way. Else a loop for the "
            "rest.",
        ),
        Misconception(
            "one float at a time",
            STRIDED,
            symptom="Your sectors are as few as can be, but there are four times as many requests.",
            concept="A request of 32 lanes by 4 bytes is 128 bytes; with `float4` it is 512. The "
            "bytes stay the same, the instructions fall to a quarter.",
            line="`int i = 4 * (blockIdx.x * blockDim.x + threadIdx.x);`: a `float4` is read at "
            "`x + i` and written at `y + i`, if `i + 3 < n`; else a loop for the rest.",
        ),
        Misconception(
            "vector loads, single stores",
            edited(SOURCE, (STORE, "y[i] = v.x; y[i + 1] = v.y; y[i + 2] = v.z; y[i + 3] = v.w;")),
            symptom="Your loads are vectors, your stores are not.",
            concept="Stores have requests and sectors like loads.",
            line=f"`{STORE}`",
        ),
        Misconception(
            "single loads, vector stores",
            edited(
                SOURCE,
                (
                    "*reinterpret_cast<const float4 *>(x + i)",
                    "make_float4(x[i], x[i + 1], x[i + 2], x[i + 3])",
                ),
            ),
            symptom="Your stores are vectors, your loads are not.",
            concept="`make_float4` puts four values together in registers, after they were loaded "
            "one by one.",
            line="`*reinterpret_cast<const float4 *>(x + i)`.",
        ),
        Misconception(
            "rest forgotten",
            edited(SOURCE, (REST, "")),
            symptom="Up to three values at the end are NaN.",
            concept="`n` is not always a multiple of 4.",
            line="Where fewer than four are left, a loop `for (; i < n; i++)` from the first of "
            "them.",
        ),
        Misconception(
            "the last four one by one",
            edited(SOURCE, ("i + 3 < n", "i + 4 < n")),
            symptom="Where `n` is a multiple of 4, the last vector is taken in four pieces.",
            concept="The last of four values is number `i + 3`: it must be below `n`.",
            line="`if (i + 3 < n)`.",
        ),
        Misconception(
            "four at the end as well",
            edited(SOURCE, ("if (i + 3 < n)", "if (i < n)"), (REST, "")),
            symptom="At the end, vectors are loaded and stored that reach beyond the arrays.",
            concept="A vector is four values or none. That the first of them is there says nothing "
            "of the last.",
            line="`if (i + 3 < n)`, with `i` the first of the four values, and a loop for the "
            "rest.",
        ),
        Misconception(
            "vectors that overlap",
            edited(
                SOURCE,
                (
                    "4 * (blockIdx.x * blockDim.x + threadIdx.x)",
                    "blockIdx.x * blockDim.x + threadIdx.x",
                ),
            ),
            symptom="The vectors of neighbouring threads begin 4 bytes apart.",
            concept="A `float4` must lie at a multiple of 16 bytes: on a GPU this stops the "
            "kernel. And each value would be loaded four times.",
            line="Thread number times 4: `i = 4 * (blockIdx.x * blockDim.x + threadIdx.x)`.",
        ),
        Misconception(
            "only the first of four",
            edited(SOURCE, (" v.y = fmaxf(v.y, 0); v.z = fmaxf(v.z, 0); v.w = fmaxf(v.w, 0);", "")),
            symptom="Every fourth value is right, and the others are as they were.",
            concept="A `float4` is no number: each of its parts x, y, z, w is computed by itself.",
            line="`fmaxf` for `v.x`, `v.y`, `v.z` and `v.w`.",
        ),
        Misconception(
            "vectors counted twice",
            edited(
                SOURCE,
                (
                    "*reinterpret_cast<const float4 *>(x + i)",
                    "reinterpret_cast<const float4 *>(x)[i]",
                ),
                ("*reinterpret_cast<float4 *>(y + i)", "reinterpret_cast<float4 *>(y)[i]"),
            ),
            symptom="You go beyond the arrays, four times as far as they are long.",
            concept="A pointer to `float4` counts in vectors: `[i]` is 4·i floats on.",
            line="Add before you convert: `reinterpret_cast<const float4 *>(x + i)`, or take "
            "`[i / 4]`.",
        ),
        Misconception(
            "one too far",
            edited(SOURCE, ("i + 3 < n", "i + 3 <= n")),
            symptom="Where three values are left, a vector is taken, and reaches beyond the end.",
            concept="`n` values end with number `n - 1`: the last of four, `i + 3`, must be below "
            "`n`.",
            line="`if (i + 3 < n)`, with `<` and with the 3.",
        ),
        Misconception(
            "only the thread times 4",
            edited(
                SOURCE,
                (
                    "4 * (blockIdx.x * blockDim.x + threadIdx.x)",
                    "blockIdx.x * blockDim.x + 4 * threadIdx.x",
                ),
            ),
            symptom="The first block is right; the next one begins within it, not behind it.",
            concept="A block of 128 threads takes 512 values, and so the next begins 512 on.",
            line="`4 * (blockIdx.x * blockDim.x + threadIdx.x)`.",
        ),
        Misconception(
            "the last of four forgotten",
            edited(SOURCE, (" v.w = fmaxf(v.w, 0);", "")),
            symptom="Every fourth value is as it was; the others are right.",
            concept="A `float4` has four parts: x, y, z *and* w.",
            line="`v.w = fmaxf(v.w, 0);`",
        ),
        Misconception(
            "the rest copied",
            edited(SOURCE, ("y[i] = fmaxf(x[i], 0);", "y[i] = x[i];")),
            symptom="Up to three values at the end keep their sign.",
            concept="The rest is ReLU too, one value at a time.",
            line="`y[i] = fmaxf(x[i], 0);`",
        ),
        Misconception(
            "one of the rest",
            edited(SOURCE, ("        for (; i < n; i++)\n", "        if (i < n)\n")),
            symptom="Where two or three values are left, one is written and the others are NaN.",
            concept="Less than four may be one, two or three.",
            line="`for (; i < n; i++)`.",
        ),
        Misconception(
            "the smaller",
            edited(SOURCE, ("fmaxf", "fminf")),
            symptom="You keep the negative values, and set the others to 0.",
            concept="ReLU is the larger of the value and 0.",
            line="`fmaxf`.",
        ),
        Misconception(
            "a value a thread",
            r"""
extern "C" __global__ void relu(const float *x, float *y, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) y[i] = fmaxf(x[i], 0);
}
""",
            symptom="As many values are right as there are threads; the rest is NaN.",
            concept="The launch has a thread for each *four* values.",
            line="`int i = 4 * (blockIdx.x * blockDim.x + threadIdx.x);`, and a `float4` from `i` "
            "on, if `i + 3 < n`; else a loop for the rest.",
        ),
        Misconception(
            "pairs",
            edited(
                SOURCE,
                (
                    "float4 v = *reinterpret_cast<const float4 *>(x + i);",
                    "float2 p = *reinterpret_cast<const float2 *>(x + i);\n"
                    "        float2 q = *reinterpret_cast<const float2 *>(x + i + 2);\n"
                    "        float4 v = make_float4(p.x, p.y, q.x, q.y);",
                ),
            ),
            symptom="Your loads are twice as many requests as there need be.",
            concept="A request can carry 16 bytes a lane, four values. Two `float2`, or the same "
            "four loaded twice, are two requests.",
            line="One load of all four, `float4 v = *reinterpret_cast<const float4 *>(x + i);`, "
            "and no other of these values.",
        ),
        Misconception(
            "the rest one too few",
            edited(SOURCE, ("for (; i < n; i++)", "for (; i < n - 1; i++)")),
            symptom="Where `n` is no multiple of 4, the last value is NaN.",
            concept="The last value is number `n - 1`, and it belongs to the rest.",
            line="`for (; i < n; i++)`, as far as `n`.",
        ),
        Misconception(
            "a last four that nobody finishes",
            edited(
                SOURCE,
                ("i + 3 < n", "i + 4 < n"),
                (
                    "for (; i < n; i++)\n            y[i] = fmaxf(x[i], 0);",
                    "for (int j = i; j < i + 3 && j < n; j++)\n            y[j] = fmaxf(x[j], 0);",
                ),
            ),
            symptom="Where `n` is a multiple of 4 the last value is NaN: the last four are taken "
            "for a rest of three.",
            concept="Values `i` to `i + 3` are all there if `i + 3 < n`. What is left for the loop "
            "is three at most.",
            line="`i + 3 < n` in place of `i + 4 < n`.",
        ),
        Misconception(
            "without the sign",
            edited(
                SOURCE,
                ("fmaxf(v.x, 0)", "fabsf(v.x)"),
                ("fmaxf(v.y, 0)", "fabsf(v.y)"),
                ("fmaxf(v.z, 0)", "fabsf(v.z)"),
                ("fmaxf(v.w, 0)", "fabsf(v.w)"),
                ("fmaxf(x[i], 0)", "fabsf(x[i])"),
            ),
            symptom="Negative values come out positive.",
            concept="ReLU makes them 0.",
            line="`fmaxf(..., 0)`, not `fabsf`.",
        ),
        Misconception(
            "the rest left as it is negative",
            edited(SOURCE, ("y[i] = fmaxf(x[i], 0);", "if (x[i] > 0) y[i] = x[i];")),
            symptom="In the rest, negative values are never written.",
            concept="`y` is fresh memory: where you write no 0, none is.",
            line="`y[i] = fmaxf(x[i], 0);`, for every value of the rest.",
        ),
        Misconception(
            "the rest by every thread",
            edited(
                SOURCE,
                (REST, "\n    for (int j = n / 4 * 4; j < n; j++)\n        y[j] = fmaxf(x[j], 0);"),
            ),
            symptom="Values at the end are written by several threads.",
            concept="The rest is three values at most: the work of one thread, from its own `i` "
            "on. No other thread comes near them.",
            line="Only where `i + 3 >= n`, that is in an `else`, and from `i` on.",
        ),
        Misconception(
            "the last of four by its neighbour's sign",
            edited(SOURCE, ("v.w = fmaxf(v.w, 0);", "v.w = v.z > 0 ? v.w : 0;")),
            symptom="Of each four, whether the last is kept depends on the sign of the third.",
            concept="Four copied lines are four places where a letter must change, and more than "
            "once in each.",
            line="`v.w > 0 ? v.w : 0`, or `fmaxf(v.w, 0)`, where the letter stands once less.",
        ),
        *(
            Misconception(
                f"the {which} of four twice",
                edited(SOURCE, (f"v.{b} = fmaxf(v.{b}, 0);", f"v.{b} = fmaxf(v.{a}, 0);")),
                symptom=f"Of each four, the {following} value is the same as the one before it.",
                concept=f"Each part of the vector is made of itself, `v.{b}` too.",
                line=f"`v.{b} = fmaxf(v.{b}, 0);`, with `{b}` on both sides.",
            )
            for which, following, a, b in (
                ("first", "second", "x", "y"),
                ("second", "third", "y", "z"),
                ("third", "last", "z", "w"),
            )
        ),
        Misconception(
            "the last vector moved back",
            edited(
                SOURCE,
                (REST, ""),
                ("    if (i + 3 < n) {", "    if (i >= n) return;\n    i = min(i, n - 4);\n    {"),
            ),
            symptom="Where `n` is no multiple of 4, your last vector is moved back until it fits, "
            "and begins at no multiple of 16 bytes.",
            concept="A `float4` must lie at a multiple of 16 bytes: on a GPU this stops the "
            "kernel.",
            line="Leave vectors where they are: `if (i + 3 < n)`, and a loop for the rest.",
        ),
    ],
)
