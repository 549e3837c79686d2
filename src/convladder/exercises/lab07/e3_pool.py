"""Lab 07, exercise 3: a kernel that reads out of bounds on odd sizes, to be mended."""

import numpy as np

from ..draws import whole
from ..exercise import OUT, Exercise, KernelSpec, Misconception, edit

SOURCE = r"""
extern "C" __global__ void pool(const float *x, float *y, int i_h, int i_w)
{
    int o_h = (i_h + 1) / 2, o_w = (i_w + 1) / 2;
    int w = blockIdx.x * blockDim.x + threadIdx.x;
    int h = blockIdx.y * blockDim.y + threadIdx.y;
    if (h >= o_h || w >= o_w) return;
    float best = x[2 * h * i_w + 2 * w];
    for (int a = 0; a < 2; a++)
        for (int b = 0; b < 2; b++)
            if (2 * h + a < i_h && 2 * w + b < i_w)
                best = fmaxf(best, x[(2 * h + a) * i_w + 2 * w + b]);
    y[h * o_w + w] = best;
}
"""
INSIDE = "2 * h + a < i_h && 2 * w + b < i_w"
TEST = f"            if ({INSIDE})\n"
FIRST, PIXEL = "best = x[2 * h * i_w + 2 * w];", "x[(2 * h + a) * i_w + 2 * w + b]"


def pool(x):
    i_h, i_w = x.shape
    even = np.pad(x, ((0, i_h % 2), (0, i_w % 2)), constant_values=-np.inf)
    return even.reshape((i_h + 1) // 2, 2, (i_w + 1) // 2, 2).max(axis=(1, 3))


def grid(x):
    return (-(-((x.shape[1] + 1) // 2) // 16), -(-((x.shape[0] + 1) // 2) // 8)), (16, 8)


EXERCISE = Exercise(
    name="pool",
    lab=7,
    task="Mend a maximum over windows of 2 × 2 pixels that fails on images of odd size.",
    solution=SOURCE,
    reference=pool,
    cases=lambda rng: [
        (4, 4, 1.0),
        (3, 5, 1.0),
        (5, 6, 3.0),
        (6, 5, 3.0),
        (2 * whole(rng, 2, 20) + 1, 2 * whole(rng, 2, 20) + 1, 2.0),
        (17, 35, 1e30),
    ],
    inputs=lambda fill, i_h, i_w, scale: (-np.float32(scale) * abs(fill(i_h, i_w)),),
    valid=lambda i_h, i_w, scale: min(i_h, i_w, scale) > 0,
    kernel=KernelSpec("pool", lambda x: (x, OUT, *x.shape), grid),
    mend=f"`if ({INSIDE})` before `best = fmaxf(best, …)`",
    misconceptions=[
        Misconception(
            "windows beyond the image",
            edit(TEST, ""),
            "Even sizes are right. On odd ones the last windows read pixels that don't exist.",
            "5 columns give 3 windows, and the last window has a single column. Its other half "
            "lies outside the array, or is the next row's.",
        ),
        Misconception(
            "half of the test",
            [
                edit(INSIDE, "2 * h + a < i_h"),
                edit(INSIDE, "2 * w + b < i_w"),
                edit(INSIDE, "(2 * h + a) * i_w + 2 * w + b < i_h * i_w"),
            ],
            "Windows that stick out of the image on one side still take in a wrong pixel.",
            "After a row's last pixel comes the next row. That pixel is inside the array, but not "
            "in the window. Rows and columns each need a test.",
        ),
        Misconception(
            "a start that is no pixel",
            [edit(FIRST, f"best = {each};") for each in ("0", "1.17549435e-38f", "-1e9f")],
            "Where all pixels of a window are less than your first value, you return that value.",
            "A maximum begins with a value of its own window, or with `-INFINITY`.",
            mend="`float best = x[2 * h * i_w + 2 * w];`",
        ),
        Misconception(
            "zeros outside the image",
            edit(TEST, "", PIXEL, f"{INSIDE} ? {PIXEL} : 0.0f"),
            "On odd sizes the last windows give 0 where all their pixels are negative.",
            "A pixel that doesn't exist must not win. Leave it out, or take `-INFINITY`.",
        ),
    ],
)
