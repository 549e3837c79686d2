"""Lab 07, exercise 1: a thread for each pixel."""

import numpy as np

from ...core.photo import LUMINANCE
from ..draws import whole
from ..exercise import OUT, Exercise, KernelSpec, Misconception, edit

SOURCE = r"""
extern "C" __global__ void grey(const float *x, float *y, int i_h, int i_w)
{
    int w = blockIdx.x * blockDim.x + threadIdx.x;
    int h = blockIdx.y * blockDim.y + threadIdx.y;
    if (h >= i_h || w >= i_w) return;
    const float *pixel = x + 3 * (h * i_w + w);
    y[h * i_w + w] = 0.299f * pixel[0] + 0.587f * pixel[1] + 0.114f * pixel[2];
}
"""
COLUMN = "blockIdx.x * blockDim.x + threadIdx.x"
ROW = "blockIdx.y * blockDim.y + threadIdx.y"
POSITION = f"int w = {COLUMN};\n    int h = {ROW};"
OUTSIDE = "h >= i_h || w >= i_w"
PIXEL = "pixel = x + 3 * (h * i_w + w)"
SUM = "0.299f * pixel[0] + 0.587f * pixel[1] + 0.114f * pixel[2]"


def grey(x):
    return x @ np.array(LUMINANCE, np.float32)


EXERCISE = Exercise(
    name="grey",
    lab=7,
    task="Turn a colour image into a grey one, with a thread for each pixel.",
    solution=SOURCE,
    reference=grey,
    cases=lambda rng: [
        (2, 3),
        (8, 40),
        (9, 32),
        (whole(rng, 10, 30), whole(rng, 65, 90)),
        (21, 40),
    ],
    inputs=lambda fill, i_h, i_w: (fill(i_h, i_w, 3),),
    valid=lambda i_h, i_w: min(i_h, i_w) > 0,
    budget=lambda x: {"global_store_requests": -(-x.shape[1] // 32) * x.shape[0]},
    kernel=KernelSpec(
        "grey",
        lambda x: (x, OUT, x.shape[0], x.shape[1]),
        lambda x: ((-(-x.shape[1] // 32), -(-x.shape[0] // 8)), (32, 8)),
    ),
    mend="`w` from `.x`, `h` from `.y`, each `blockIdx * blockDim + threadIdx`; "
    "`if (h >= i_h || w >= i_w) return;`; then one `y[h * i_w + w] =` the sum of `0.299f`, "
    "`0.587f` and `0.114f` times the three values from `x[3 * (h * i_w + w)]` on",
    misconceptions=[
        Misconception(
            "a missing or incomplete test of the bounds",
            [
                edit(f"    if ({OUTSIDE}) return;\n", ""),
                edit(OUTSIDE, "h >= i_h && w >= i_w"),
                edit(OUTSIDE, "h * i_w + w >= i_h * i_w"),
                edit(OUTSIDE, "h > i_h || w > i_w"),
            ],
            "Some threads outside the image read and write as well.",
            "A launch has whole blocks, so the last ones stick out of the image. A thread there "
            "must return, below the image and to the right of it: after a row's end, memory goes "
            "on with the next row.",
        ),
        Misconception(
            "blocks left out of the position",
            [
                edit(COLUMN, "threadIdx.x", ROW, "threadIdx.y"),
                edit(COLUMN, "blockIdx.x + threadIdx.x", ROW, "blockIdx.y + threadIdx.y"),
            ],
            "Pixels are missing after the first block, and several threads make the same pixel.",
            "`threadIdx` begins at 0 in every block. `blockIdx * blockDim` is where the block "
            "begins.",
        ),
        Misconception(
            "x and y exchanged",
            edit(POSITION, f"int w = {ROW};\n    int h = {COLUMN};"),
            "The threads don't cover the image: a wide one lacks columns.",
            "The launch has `x` along the width and `y` along the height.",
        ),
        Misconception(
            "rows of the wrong length",
            [
                edit("y[h * i_w", "y[h * i_h", "(h * i_w", "(h * i_h"),
                edit("y[h * i_w + w]", "y[w * i_h + h]"),
            ],
            "The first pixel is right. Other pixels are read or written in the wrong places.",
            "Row `h` begins at pixel `h * i_w`, because each row before it has `i_w` pixels.",
        ),
        Misconception(
            "channels in the wrong places",
            [
                edit(PIXEL, "pixel = x + h * i_w + w"),
                edit(
                    *(PIXEL, "pixel = x + h * i_w + w"),
                    *("pixel[1]", "pixel[i_h * i_w]", "pixel[2]", "pixel[2 * i_h * i_w]"),
                ),
            ],
            "You take the three values from wrong places of `x`.",
            "The three channels of a pixel lie side by side, so pixel number `n` begins at "
            "`x[3 * n]`.",
        ),
        Misconception(
            "a sum in global memory",
            edit(
                f"y[h * i_w + w] = {SUM};",
                "y[h * i_w + w] = 0.299f * pixel[0];\n"
                "    y[h * i_w + w] += 0.587f * pixel[1];\n"
                "    y[h * i_w + w] += 0.114f * pixel[2];",
            ),
            "The values are right, but each thread stores several times.",
            "Each `+=` on `y` is a load and a store. Add in a register and store once.",
        ),
    ],
)
