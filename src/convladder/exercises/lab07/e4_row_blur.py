"""Lab 07, exercise 4: find a race, and place the barriers."""

import numpy as np

from ..draws import whole
from ..exercise import OUT, Exercise, KernelSpec, Misconception, edit

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
        __syncthreads();  // all of row is written
        if (w < i_w)
            y[h * i_w + w] = (row[t] + row[t + 1] + row[t + 2]) / 3;
        __syncthreads();  // and has been read
    }
}
"""
WRITTEN = "        __syncthreads();  // all of row is written\n"
READ = "        __syncthreads();  // and has been read\n"
IF, BRANCH = (
    "        if (w < i_w)\n    ",
    "        if (w < i_w) {\n            __syncthreads();\n    ",
)
THIRD = ") / 3;\n"


def row_blur(x):
    padded = np.pad(x, ((0, 0), (1, 1)))
    return ((padded[:, :-2] + padded[:, 1:-1] + padded[:, 2:]) / 3).astype(np.float32)


EXERCISE = Exercise(
    name="row_blur",
    lab=7,
    task="Find the race in a kernel that averages neighbours, and place the barriers.",
    solution=SOURCE,
    reference=row_blur,
    cases=lambda rng: [
        (2, 4),
        (1, 64),
        (3, 129),
        (whole(rng, 2, 5), whole(rng, 65, 127)),
        (5, 128),
    ],
    inputs=lambda fill, i_h, i_w: (fill(i_h, i_w),),
    valid=lambda i_h, i_w: min(i_h, i_w) > 0,
    budget=lambda x: {"barriers": 2},
    kernel=KernelSpec(
        "row_blur", lambda x: (x, OUT, *x.shape), lambda x: (-(-x.shape[1] // 64), 64)
    ),
    mend="`__syncthreads();` above `if (w < i_w)`, and another as the last line of the loop",
    misconceptions=[
        Misconception(
            "no barrier before the reads",
            [edit(WRITTEN, ""), edit(WRITTEN, "", READ, "")],
            "A thread reads values of `row` that its neighbours have yet to write.",
            "A barrier belongs between a write of one thread and a read of another. Each thread "
            "writes one value of `row` and reads three.",
        ),
        Misconception(
            "no barrier after the reads",
            edit(READ, ""),
            "One row is right. With more, a thread writes the next row while its neighbours still "
            "read this one.",
            "`row` is used again in the next round of the loop. All reads must come before the "
            "next writes.",
        ),
        Misconception(
            "a barrier that not all threads reach",
            [
                edit(WRITTEN, "", IF, BRANCH, THIRD, THIRD + "        }\n"),
                edit("    for (int h", "    if (w >= i_w) return;\n    for (int h"),
                edit(IF, "        if (w >= i_w) continue;\n    "),
            ],
            "Threads beyond the image miss a barrier at which the others wait.",
            "`__syncthreads()` waits for every thread of the block. None may leave before it, and "
            "it stands in no branch that only some threads take.",
        ),
        Misconception(
            "a barrier of the warp",
            edit(
                *(WRITTEN, WRITTEN.replace("threads", "warp")),
                *(READ, READ.replace("threads", "warp")),
            ),
            "Within a warp all is right. Threads at its edges race with those of the next warp.",
            "`__syncwarp()` waits for 32 threads. The neighbours may be in another warp, so the "
            "whole block must wait.",
        ),
        Misconception(
            "barriers after every line",
            edit("        if (t == 0)", "        __syncthreads();\n        if (t == 0)"),
            "The values are right and no thread races, but you have more barriers than needed.",
            "Barriers cost time. The three stores go to different places, so nothing has to wait "
            "between them.",
        ),
    ],
)
