"""Lab 03, exercise 4: MEC, one GEMM for each output row."""

import numpy as np

from ...core.problem import ConvProblem
from ..draws import layer
from ..exercise import Exercise, Misconception, edit
from .e2_mec_lower import mec_lower
from .e3_partition import partition

TOY = ConvProblem(1, 4, 3, 1, 2, 2, 1)
STRIDED = ConvProblem(2, 8, 9, 3, 3, 2, 4, stride=(2, 3))
PADDED = ConvProblem(2, 6, 5, 2, 3, 4, 2, stride=(1, 2), padding=(2, 1))
SPARSE = ConvProblem(1, 2, 7, 2, 1, 2, 3, stride=(2, 3))  # skips pixels, and has one output row
# The memory is measured on a batch: with one image, some copies of a whole array are free.
PHOTO = ConvProblem(2, 224, 112, 3, 7, 7, 16, padding=1)


def mec_conv(x, w, problem):
    p = problem
    L = mec_lower(x, p)
    kernel = w.reshape(p.k_h * p.k_w * p.i_c, p.k_c)
    y = np.empty(p.output_shape, np.float32)
    for h in range(p.o_h):
        np.matmul(partition(L, h, p), kernel, out=y[:, h])
    return y


def image_and_kernel(fill, problem):
    return fill(*problem.input_shape), fill(*problem.kernel_shape)[::-1].copy(), problem


def one_lowering(x, w, p):
    """Bytes of `L` and of the padded image."""
    return {"workspace": p.mec_bytes() + 4 * p.i_n * p.padded_h * p.padded_w * p.i_c}


PRODUCT = "np.matmul(partition(L, h, p), kernel, out=y[:, h])"
ROWS = "rows = [partition(L, h, p) @ kernel for h in range(p.o_h)]\n    y = np.stack(rows, 1)"

EXERCISE = Exercise(
    name="mec_conv",
    lab=3,
    task="Convolve by MEC: lower once, then one GEMM for each output row.",
    solution=mec_conv,
    cases=lambda rng: [(TOY,), (STRIDED,), (PADDED,), (SPARSE,), (layer(rng, 12),), (PHOTO,)],
    inputs=image_and_kernel,
    allowed=("convladder.core.problem",),
    contiguous=True,
    budget=one_lowering,
    mend="`np.matmul(partition(L, h, problem), w.reshape(k_h * k_w * i_c, k_c), out=y[:, h])` for "
    "each `h` in `range(problem.o_h)`",
    misconceptions=[
        Misconception(
            "the kernel's axes in another order",
            [
                edit("w.reshape(p.k_h * p.k_w * p.i_c, p.k_c)", "w.reshape(p.k_c, -1).T"),
                edit("w.reshape(", "w.transpose(1, 0, 2, 3).reshape("),
            ],
            "The result has the right shape, but weights meet the wrong pixels.",
            "A row of a partition runs over kernel row, kernel column, channel. `w` lies in "
            "memory in this order, with the filters last.",
        ),
        Misconception(
            "the axes of the output exchanged",
            edit(
                PRODUCT,
                "pass",
                "y = np",
                "y = np.stack([partition(L, h, p) @ kernel for h in range(p.o_h)])\n    z = np",
            ),
            "Your result has the axes `[o_h, i_n, o_w, k_c]`.",
            "NHWC puts the image first: all rows of image 0, then all rows of image 1.",
        ),
        Misconception(
            "something there twice",
            edit("y = np.empty(p.output_shape, np.float32)", ROWS, PRODUCT, "pass"),
            "The values are right, but for a moment there are two results, or two of `L`.",
            "A list of rows and the array made of it exist together, and so does an old `L` with a "
            "new one. Lower once. A GEMM can write its row in place.",
        ),
        Misconception(
            "all partitions copied",
            edit(
                "L = mec_lower(x, p)",
                "L = mec_lower(x, p)\n"
                "    copies = [partition(L, h, p).copy() for h in range(p.o_h)]",
                "partition(L, h, p), kernel",
                "copies[h], kernel",
            ),
            "The values are right, with as many bytes as im2col's matrix, or more.",
            "MEC saves memory because partitions are overlapping views of `L`. Copies store every "
            "shared value again.",
        ),
    ],
)
