"""Lab 12, exercise 1: the registers of mma.m16n8k16, filled without ldmatrix."""

import numpy as np

from ..draws import whole
from ..exercise import OUT, Exercise, KernelSpec, Misconception, edit

SOURCE = r"""
#include <cuda_fp16.h>
#include <convladder/tensor_core.cuh>

__device__ unsigned pair(const __half *at)
{
    return *(const unsigned *)at;
}

extern "C" __global__ void product(const __half *a, const __half *b, float *c, int k)
{
    int lane = threadIdx.x, g = lane / 4, t = lane % 4;
    float sum[4] = {};
    for (int k0 = 0; k0 < k; k0 += 16) {
        unsigned fa[4], fb[2];
        fa[0] = pair(a + g * k + k0 + 2 * t);
        fa[1] = pair(a + (g + 8) * k + k0 + 2 * t);
        fa[2] = pair(a + g * k + k0 + 2 * t + 8);
        fa[3] = pair(a + (g + 8) * k + k0 + 2 * t + 8);
        fb[0] = pair(b + g * k + k0 + 2 * t);
        fb[1] = pair(b + g * k + k0 + 2 * t + 8);
        mma_m16n8k16(sum, fa, fb);
    }
    for (int i = 0; i < 4; i++)
        c[(g + i / 2 * 8) * 8 + 2 * t + i % 2] = sum[i];
}
"""


def product(a, b):
    return (a.astype(np.float64) @ b.astype(np.float64).T).astype(np.float32)


def halves(fill, rows, columns, k):
    """Return a[rows, k] and b[columns, k] in float16."""
    return fill(rows, k).astype(np.float16), fill(columns, k).astype(np.float16)


LOWER_LEFT = "fa[1] = pair(a + (g + 8) * k + k0 + 2 * t);"
UPPER_RIGHT = "fa[2] = pair(a + g * k + k0 + 2 * t + 8);"
LOWER_RIGHT = "fa[3] = pair(a + (g + 8) * k + k0 + 2 * t + 8);"
SECOND_OF_B = "fb[1] = pair(b + g * k + k0 + 2 * t + 8);"

EXERCISE = Exercise(
    name="load_a_fragment",
    lab=12,
    task="Fill the registers of mma.m16n8k16 from global memory.",
    solution=SOURCE,
    reference=product,
    cases=lambda rng: [(16,), (48,), (16 * whole(rng, 4, 9),), (160,)],
    inputs=lambda fill, k: halves(fill, 16, 8, k),
    valid=lambda k: k > 0 and k % 16 == 0,
    kernel=KernelSpec("product", lambda a, b: (a, b, OUT, a.shape[1]), lambda a, b: (1, 32)),
    mend="`fa[i]` is the pair at row `g + i % 2 * 8`, column `k0 + 2 * t + i / 2 * 8`; `fb[i]` at "
    "row `g`, column `k0 + 2 * t + i * 8`",
    misconceptions=[
        Misconception(
            "the right half before the lower half",
            edit(
                *(LOWER_LEFT, LOWER_LEFT.replace("fa[1]", "fa[2]")),
                *(UPPER_RIGHT, UPPER_RIGHT.replace("fa[2]", "fa[1]")),
            ),
            "`fa[1]` and `fa[2]` are exchanged.",
            "The squares come in the order upper left, lower left, upper right, lower right.",
        ),
        Misconception(
            "lanes along a column",
            edit("g = lane / 4, t = lane % 4", "g = lane % 8, t = lane / 8"),
            "Lane 1 stands in row 1, and the results lie where other lanes' sums belong.",
            "Four neighbouring lanes share a row, so the row is `lane / 4`.",
            mend="`int lane = threadIdx.x, g = lane / 4, t = lane % 4;`",
        ),
        Misconception(
            "one value in place of a pair",
            edit("return *(const unsigned *)at;", "return *(const unsigned short *)at;"),
            "Every second value along `k` counts as 0.",
            "A register of 32 bits holds two halves, neighbours along `k`.",
            mend="`return *(const unsigned *)at;`",
        ),
        Misconception(
            "the second eight left out",
            edit(
                *(UPPER_RIGHT, UPPER_RIGHT.replace(" + 8)", ")")),
                *(LOWER_RIGHT, LOWER_RIGHT.replace(" + 8);", ");")),
                *(SECOND_OF_B, SECOND_OF_B.replace(" + 8)", ")")),
            ),
            "The first eight of each 16 values along `k` count twice, and the others never.",
            "Half of the registers hold values that lie eight further along `k`.",
        ),
        Misconception(
            "rows 16 values apart",
            edit(
                "pair(b + g * k + k0 + 2 * t);",
                "pair(b + g * 16 + k0 + 2 * t);",
                "pair(b + g * k + k0 + 2 * t + 8);",
                "pair(b + g * 16 + k0 + 2 * t + 8);",
            ),
            "Right for `k` = 16. With longer rows the values of B come from elsewhere.",
            "The next row of a matrix begins `k` values later, its leading dimension.",
        ),
    ],
)
