"""Lab 03, exercise 6: a MEC of your own, in half the bytes."""

import numpy as np

from ...core.problem import ConvProblem
from ..draws import layer
from ..exercise import Exercise, Misconception, edit
from .e4_mec_conv import SPARSE, TOY, image_and_kernel

TALL = ConvProblem(1, 23, 7, 2, 4, 3, 3, padding=(1, 0))
TALL_STRIDED = ConvProblem(2, 143, 10, 3, 4, 2, 4, stride=(3, 2), padding=(0, 1))
PHOTO = ConvProblem(1, 224, 224, 3, 7, 7, 16, padding=1)


def my_mec(x, w, problem, band=8):
    p = problem
    K = p.k_h * p.k_w * p.i_c
    kernel = w.reshape(K, p.k_c)
    padded = np.pad(x, ((0, 0), (p.p_h, p.p_h), (p.p_w, p.p_w), (0, 0)))
    y = np.empty(p.output_shape, np.float32)
    for first in range(0, p.o_h, band):
        count = min(band, p.o_h - first)
        rows = padded[:, p.s_h * first :][:, : p.s_h * (count - 1) + p.k_h]
        L = np.empty((p.i_n, p.o_w, rows.shape[1], p.k_w, p.i_c), np.float32)
        for v in range(p.o_w):
            L[:, v] = rows[:, :, p.s_w * v : p.s_w * v + p.k_w]
        strips = L.reshape(p.i_n, p.o_w, -1)
        for h in range(count):
            begin = p.s_h * h * p.k_w * p.i_c
            np.matmul(strips[:, :, begin : begin + K], kernel, out=y[:, first + h])
    return y


def bands(old, new):
    """The same mistake with bands of several heights, and with bands of one row."""
    sizes = ("band=8", "band=4", "band=16")
    return [edit("band=8", size, old, new) for size in sizes]


EXERCISE = Exercise(
    name="my_mec",
    lab=3,
    task="A MEC of your own, in half the bytes of L or less.",
    solution=my_mec,
    cases=lambda rng: [(TOY,), (TALL,), (SPARSE,), (layer(rng, 30, 1),), (TALL_STRIDED,), (PHOTO,)],
    inputs=image_and_kernel,
    reference=lambda x, w, problem: my_mec(x, w, problem),
    allowed=("convladder.core.problem",),
    contiguous=True,
    budget=lambda x, w, p: {"workspace": p.mec_bytes() // 2},
    mend="For `first` in `range(0, o_h, 8)`: lower `s_h * (count - 1) + k_h` rows of the padded "
    "image from `s_h * first` on, and write the products to `y[:, first + h]`",
    misconceptions=[
        Misconception(
            "the whole L at once",
            edit("band=8", "band=1000"),
            "The values are right, but you hold the bytes of the whole `L`.",
            "An output row needs `k_h` rows of the image, so a few output rows need only a band of "
            "it. The next band can reuse the memory.",
        ),
        Misconception(
            "bands without the rows they share",
            bands("(count - 1) + p.k_h]", "count].copy()"),
            "The last output rows of each band are wrong, or raise an exception.",
            "The windows at the end of a band reach into the next one: `count` output rows need "
            "`s_h * (count - 1) + k_h` image rows.",
        ),
        Misconception(
            "bands that begin at the output row",
            bands("p.s_h * first :", "first :"),
            "Layers with a vertical stride of 1 are right. Otherwise only the first band is.",
            "Output row `first` begins at image row `s_h * first`.",
        ),
        Misconception(
            "the last band left out",
            bands("range(0, p.o_h, band)", "range(0, p.o_h - band + 1, band)"),
            "The last output rows, those beyond the last whole band, are never written.",
            "If `o_h` is not a multiple of the band, the last band is shorter: "
            "`min(band, o_h - first)` rows.",
        ),
        Misconception(
            "every band written to the top",
            bands("y[:, first + h]", "y[:, h]"),
            "The top of the output holds the last band, and the rest was never written.",
            "Rows of a band count from 0, but in the output they begin at `first`.",
        ),
    ],
)
