"""Lab 06, exercise 4: find a race, and place the barriers."""

from __future__ import annotations

import numpy as np

from ...grading.exercise import OUT, Exercise, KernelTask, Misconception
from .sources import blocks, counting, edited

TILE = 64

SOURCE = r"""
#define TILE 64
extern "C" __global__ void row_blur(const float *x, float *y, int i_h, int i_w)
{
    __shared__ float row[TILE + 2];
    int t = threadIdx.x;
    int w = blockIdx.x * TILE + t;
    for (int h = 0; h < i_h; h++) {
        row[t + 1] = w < i_w ? x[h * i_w + w] : 0.0f;
        if (t == 0)
            row[0] = w > 0 ? x[h * i_w + w - 1] : 0.0f;
        if (t == TILE - 1)
            row[TILE + 1] = w + 1 < i_w ? x[h * i_w + w + 1] : 0.0f;
        __syncthreads();
        if (w < i_w)
            y[h * i_w + w] = (row[t] + row[t + 1] + row[t + 2]) / 3;
        __syncthreads();
    }
}
"""
FIRST = "        __syncthreads();\n        if (w < i_w)\n"
LAST = "        __syncthreads();\n    }\n"
NO_FIRST, NO_LAST = (FIRST, "        if (w < i_w)\n"), (LAST, "    }\n")
GIVEN = edited(SOURCE, NO_FIRST, NO_LAST)
EVERYWHERE = edited(
    SOURCE,
    ("        if (t == 0)", "        __syncthreads();\n        if (t == 0)"),
    ("        if (t == TILE - 1)", "        __syncthreads();\n        if (t == TILE - 1)"),
)
LEFT, RIGHT = "w > 0 ? x[h * i_w + w - 1] : 0.0f", "w + 1 < i_w ? x[h * i_w + w + 1] : 0.0f"
UNDER_THE_IF = "        if (w < i_w)\n", "        if (w < i_w)\n            __syncthreads();\n"


def row_blur(x):
    padded = np.pad(x, ((0, 0), (1, 1)))
    return ((padded[:, :-2] + padded[:, 1:-1] + padded[:, 2:]) / 3).astype(np.float32)


EXERCISE = Exercise(
    name="row_blur",
    lab=6,
    reference=row_blur,
    task="Find the race in a kernel that averages neighbours, and place the barriers.",
    cases=lambda rng: [
        (counting(2, 4),),
        *(
            (rng.standard_normal(shape, dtype=np.float32),)
            for shape in ((1, 64), (3, 129), (5, 128))
        ),
    ],
    kernel=KernelTask(
        name="row_blur",
        solution=SOURCE,
        arguments=lambda x: (x, OUT, *x.shape),
        launch=lambda x: (blocks((x.shape[1], TILE)), TILE),
        budget=lambda x: {"barriers": 2},
    ),
    misconceptions=[
        Misconception(
            "as it was given",
            GIVEN,
            symptom="A thread reads what its neighbours write in the same round, and nothing "
            "between the two makes it wait for them.",
            concept="Warps of a block run in any order. Only a barrier promises that what was "
            "written before it is there after it, for all threads of the block. (A fence, "
            "`__threadfence_block()`, makes nobody wait.)",
            line="`__syncthreads();` above `if (w < i_w)`; and, where the next round writes the "
            "same `row`, another as the last line of the loop.",
        ),
        Misconception(
            "one barrier, after the writes",
            edited(SOURCE, NO_LAST),
            symptom="With one row of the image all is right. With more, a thread writes the next "
            "row while its neighbours still read this one.",
            concept="A barrier orders what is before it and what is after it. In a loop, the reads "
            "of one round and the writes of the next meet as well.",
            line="`__syncthreads();` as the last line of the loop; with one between the stores and "
            "the reads, that makes two.",
        ),
        Misconception(
            "one barrier, after the reads",
            edited(SOURCE, NO_FIRST),
            symptom="The rounds of the loop are kept apart, but within one round a thread reads "
            "its neighbours' values before they are written.",
            concept="The barrier that counts first is the one between the writes of `row` and its "
            "reads.",
            line="A second `__syncthreads();`, above `if (w < i_w)`.",
        ),
        Misconception(
            "a barrier that not all reach",
            edited(
                SOURCE,
                (
                    "        if (w < i_w)\n            y[h",
                    "        if (w < i_w) {\n            __syncthreads();\n            y[h",
                ),
                ("        __syncthreads();\n        if", "        if"),
                ("/ 3;\n", "/ 3;\n        }\n"),
            ),
            symptom="Threads beyond the image never come to a barrier at which the others wait: "
            "it stands inside `if (w < i_w)`, or they leave or go on before it.",
            concept="`__syncthreads()` is for *all* threads of the block. On a real chip this "
            "hangs, or goes wrong silently.",
            line="Put it outside of the `if`, where all threads come by: above it, if it parts "
            "writes and reads. Nobody may `return`, `break` or `continue` before it.",
        ),
        Misconception(
            "threads that leave early",
            edited(SOURCE, ("    for (int h", "    if (w >= i_w) return;\n    for (int h")),
            symptom="Threads beyond the image never come to a barrier at which the others wait: "
            "they have left by `return` or `break`, go round it by `continue`, or it is in "
            "a branch that they do not take.",
            concept="A thread without a pixel still has to come to every barrier, and here it "
            "fills its place of `row` with zero as well.",
            line="No `return`, `break` or `continue`, and no barrier in a branch: `if (w < i_w)` "
            "around the store alone.",
        ),
        Misconception(
            "a barrier for one thread",
            edited(
                SOURCE,
                ("        __syncthreads();\n        if (w", "        if (w"),
                (
                    "        if (t == TILE - 1)\n            row[TILE + 1] = w + 1 < i_w ? "
                    "x[h * i_w + w + 1] : 0.0f;\n",
                    "        if (t == TILE - 1) {\n            row[TILE + 1] = w + 1 < i_w ? "
                    "x[h * i_w + w + 1] : 0.0f;\n            __syncthreads();\n        }\n",
                ),
            ),
            symptom="The barrier stands where only one thread of the block comes by.",
            concept="A barrier is not an order to the others to wait: each thread must come to it "
            "itself.",
            line="Put it behind the `if` and all that this rules, where every thread passes.",
        ),
        Misconception(
            "a barrier of the warp",
            edited(SOURCE, ("__syncthreads();", "__syncwarp();")),
            symptom="Within a warp of 32 threads all is well; at its edges threads of two warps "
            "touch the same places.",
            concept="`__syncwarp()` waits for the 32 threads of one warp. The block has two, and "
            "thread 32 reads what thread 31 writes.",
            line="`__syncthreads();`, which waits for the whole block.",
        ),
        Misconception(
            "a barrier after every line",
            EVERYWHERE,
            symptom="The values are right, and no thread races. But there are more barriers than "
            "it takes.",
            concept="A barrier has to stand between a write and a read of another thread, or a "
            "read and a write. Two writes to different places need none between them.",
            line="Keep two: one between the writes of `row` and its reads, and one between the "
            "reads and the next round's writes.",
        ),
        Misconception(
            "no barrier needed",
            edited(GIVEN, ("row[t] + row[t + 1] + row[t + 2]", "3 * row[t + 1]")),
            symptom="No race any more, but each pixel is averaged with itself.",
            concept="The exercise is to let threads read what others wrote, in order.",
            line="`row[t] + row[t + 1] + row[t + 2]` as it was, `__syncthreads();` above `if (w < "
            "i_w)`, and another as the last line of the loop.",
        ),
        Misconception(
            "a barrier between the if and its line",
            edited(GIVEN, UNDER_THE_IF),
            symptom="Now the `if` rules the barrier, and the line below it is done by all.",
            concept="Without braces an `if` rules one statement, the next. And a barrier under an "
            "`if` is not reached by all threads.",
            line="Put the barrier above the `if`, and a second one as the last line of the loop.",
        ),
        Misconception(
            "the first of two barriers under the if",
            edited(SOURCE, NO_FIRST, UNDER_THE_IF),
            symptom="The `if` rules your first barrier now, and no longer the store.",
            concept="Threads beyond the image go past it and wait at the second one, the others "
            "at the first.",
            line="Move the first barrier up, above the `if`.",
        ),
        Misconception(
            "threads that miss the second barrier",
            edited(
                SOURCE,
                (
                    "        if (w < i_w)\n            y[h",
                    "        if (w >= i_w) return;\n        y[h",
                ),
            ),
            symptom="Threads beyond the image do not come to a barrier at which the others wait: "
            "they leave before it or go round it, or it stands inside `if (w < i_w)`.",
            concept="A thread must come to *every* barrier of the block, as long as the others do.",
            line="`if (w < i_w)` around the store alone, and no `return`, `break` or `continue` "
            "before the last barrier.",
        ),
        Misconception(
            "beside the first column",
            edited(SOURCE, ("w > 0 ?", "w >= 0 ?")),
            symptom="Thread 0 of the first block reads left of the image.",
            concept="Column 0 has no left neighbour: a `w` of 0 must take the zero.",
            line="`w > 0 ? x[h * i_w + w - 1] : 0.0f`.",
        ),
        *(
            Misconception(
                f"zeros {where} every block",
                edited(SOURCE, *((side, "0.0f") for side in sides)),
                symptom=f"Where two blocks meet, the pixel {where} a block counts as 0.",
                concept=f"Zeros are {where} the *image*. {where.capitalize()} a block of 64 columns "
                "there can be pixels.",
                line=f"{places} as they were given.",
            )
            for where, sides, places in (
                ("beside", (LEFT, RIGHT), "`row[0]` and `row[TILE + 1]`"),
                ("left of", (LEFT,), "`row[0]`"),
                ("right of", (RIGHT,), "`row[TILE + 1]`"),
            )
        ),
        Misconception(
            "the mean of those that are there",
            edited(SOURCE, ("row[t + 2]) / 3", "row[t + 2]) / (1 + (w > 0) + (w + 1 < i_w))")),
            symptom="At both ends of a row you divide by 2.",
            concept="Beside the image is 0, and it counts: the sum is over 3 everywhere.",
            line="`/ 3`.",
        ),
        Misconception(
            "two rows in turns, and no barrier",
            edited(
                GIVEN,
                ("float row[TILE + 2];", "float rows[2][TILE + 2];"),
                ("        row[t + 1] =", "        float *row = rows[h % 2];\n        row[t + 1] ="),
            ),
            symptom="Several rows keep rounds apart, but not the writes and the reads of one.",
            concept="A thread reads what its neighbours write in the same round: that needs a "
            "barrier, however many rows there are.",
            line="`__syncthreads();` before `if (w < i_w)`.",
        ),
    ],
)
