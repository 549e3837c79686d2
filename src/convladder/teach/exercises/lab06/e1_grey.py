"""Lab 06, exercise 1: a thread for each output pixel."""

from __future__ import annotations

import numpy as np

from ....photo import LUMINANCE, photo
from ...grading.exercise import OUT, Exercise, KernelTask, Misconception
from .grey import ALL_PIXELS, BOUNDS, SOURCE, SUMMED, X, Y
from .sources import blocks, counting, edited

BLOCK = 32, 8


def grey(x):
    return x @ np.array(LUMINANCE, np.float32)


def _from_planes(at: str) -> str:
    return edited(
        SOURCE,
        ("x[3 * at]", f"x[{at}]"),
        ("x[3 * at + 1]", f"x[{at} + i_h * i_w]"),
        ("x[3 * at + 2]", f"x[{at} + 2 * i_h * i_w]"),
    )


EXERCISE = Exercise(
    name="grey",
    lab=6,
    reference=grey,
    task="Turn a colour image into a grey one, with a thread for each pixel.",
    cases=lambda rng: [
        (counting(2, 3, 3),),
        (rng.random((9, 40, 3), dtype=np.float32),),
        (photo(40)[:21],),
    ],
    kernel=KernelTask(
        name="grey",
        solution=SOURCE,
        arguments=lambda x: (x, OUT, x.shape[0], x.shape[1]),
        launch=lambda x: (blocks((x.shape[1], 32), (x.shape[0], 8)), BLOCK),
        budget=lambda x: {"global_store_requests": -(-x.shape[1] // 32) * x.shape[0]},
    ),
    misconceptions=[
        Misconception(
            "summed in y",
            SUMMED,
            symptom="The values are right, but `y` is written again and again: four requests to "
            "store, where one is enough.",
            concept="Only the last is the result. A sum grows in a register, at no cost.",
            line="`float sum = 0;`, `sum +=` for each channel, and `y[...] = sum` in the end.",
        ),
        Misconception(
            "added to y",
            edited(
                SOURCE,
                (" + 0.587f", ";\n    y[at] += 0.587f"),
                (" + 0.114f", ";\n    y[at] += 0.114f"),
            ),
            symptom="The values are right, but `y` is written again and again: three requests to "
            "store, where one is enough.",
            concept="What is not the result yet has no business in global memory.",
            line="Add all three products in a register, then store once: one `y[...] = ...`, "
            "in no loop over the channels.",
        ),
        Misconception(
            "no test of the bounds",
            edited(SOURCE, (BOUNDS, "")),
            symptom="Threads beyond the image read and write as well: whole blocks are launched, "
            "and the last ones stick out on the right and below.",
            concept="A grid has whole blocks. For 70 columns by blocks of 32 there are 96 threads "
            "a row, and 26 of them have no pixel. They must do nothing.",
            line="`if (h >= i_h || w >= i_w) return;` before the first access: `||`, since either "
            "is enough.",
        ),
        Misconception(
            "the width is not tested",
            edited(SOURCE, ("h >= i_h || w >= i_w", "h >= i_h")),
            symptom="No thread is below the image any more, but some are to the right of it.",
            concept="With `w` too large, `h * i_w + w` is a pixel of a *later* row, which another "
            "thread computes as well, or lies behind the array.",
            line="`if (h >= i_h || w >= i_w) return;`, with `||` and `>=`.",
        ),
        Misconception(
            "the height is not tested",
            edited(SOURCE, ("h >= i_h || w >= i_w", "w >= i_w")),
            symptom="No thread is to the right of the image any more, but some are below it.",
            concept="The grid is rounded up in both directions, so both need a test.",
            line="The test needs both: `h >= i_h || w >= i_w`, each with `>=`.",
        ),
        Misconception(
            "bounds one too far",
            edited(SOURCE, ("h >= i_h || w >= i_w", "h > i_h || w > i_w")),
            symptom="Your test lets threads pass that stand one beyond the image.",
            concept="Rows are counted from 0: the last of `i_h` rows is `i_h - 1`, so `i_h` is "
            "outside already.",
            line="`>=` in place of `>`.",
        ),
        Misconception(
            "numbered in x only",
            edited(
                SOURCE,
                (
                    SOURCE[SOURCE.index("    int w") : SOURCE.index("    y[at]")],
                    f"    int at = {X};\n    if (at >= i_h * i_w) return;\n",
                ),
            ),
            symptom="Threads one below the other compute the same pixel: at most as many are "
            "written as a row of blocks has threads.",
            concept="This launch has two dimensions: threads that differ in y alone all have your "
            "number, and write the same pixel.",
            line="`w` from x, `h` from y; `if (h >= i_h || w >= i_w) return;`; `at = h * i_w + w`.",
        ),
        Misconception(
            "block forgotten",
            edited(SOURCE, (X, "threadIdx.x"), (Y, "threadIdx.y")),
            symptom="Only the first 8 rows and 32 columns are written; all else is NaN.",
            concept="`threadIdx` counts anew in every block: all blocks wrote the same pixels.",
            line="`blockIdx.x * blockDim.x + threadIdx.x`, and the same with `y`.",
        ),
        Misconception(
            "blocks overlap",
            edited(SOURCE, (X, "blockIdx.x + threadIdx.x"), (Y, "blockIdx.y + threadIdx.y")),
            symptom="The first pixels are right; the last columns, or rows as well, are NaN.",
            concept="Block 1 begins where block 0 ends, `blockDim.x` threads on, and not one "
            "thread on.",
            line="Multiply `blockIdx.x` by `blockDim.x`, and `blockIdx.y` by `blockDim.y`.",
        ),
        Misconception(
            "the channels forgotten",
            edited(
                SOURCE,
                ("x[3 * at]", "x[at]"),
                ("x[3 * at + 1]", "x[at + 1]"),
                ("x[3 * at + 2]", "x[at + 2]"),
            ),
            symptom="The first pixel is right; the next ones begin one value later, not three.",
            concept="In NHWC the channels of a pixel lie side by side, so the next pixel is 3 "
            "values on.",
            line="Pixel `at` is `x[3 * at]`, `x[3 * at + 1]`, `x[3 * at + 2]`.",
        ),
        Misconception(
            "the channels as planes",
            _from_planes("at"),
            symptom="You take the three channels of a pixel from three places far apart, as if "
            "each were an image of its own.",
            concept="`c * i_h * i_w + at` is right where each channel is an image of its own "
            "(NCHW). Here the three channels of a pixel are neighbours (NHWC).",
            line="`x[3 * at]`, `x[3 * at + 1]`, `x[3 * at + 2]`.",
        ),
        Misconception(
            "height for width",
            edited(SOURCE, ("int at = h * i_w + w", "int at = h * i_h + w")),
            symptom="Your rows begin too early: the end of `y` is never written.",
            concept="Going one row down skips a whole row of `i_w` pixels.",
            line="`h * i_w + w`.",
        ),
        Misconception(
            "a loop over the image",
            ALL_PIXELS,
            symptom="Each pixel is computed by many threads, where one would do.",
            concept="A kernel is what *one* thread does. There is a thread for each pixel, and the "
            "loop over the image is the launch.",
            line="No loop: `h`, `w` from block and thread, `if (h >= i_h || w >= i_w) return;`.",
        ),
        Misconception(
            "three values a pixel in y",
            edited(SOURCE, ("y[at]", "y[3 * at]")),
            symptom="You write every third value of `y`, and soon behind its end.",
            concept="`x` has three values a pixel, and `y` has one.",
            line="`y[at]` with `at = h * i_w + w`, and `x[3 * at]`.",
        ),
        Misconception(
            "the mean of the channels",
            edited(
                SOURCE,
                (
                    "0.299f * x[3 * at] + 0.587f * x[3 * at + 1] + 0.114f * x[3 * at + 2]",
                    "(x[3 * at] + x[3 * at + 1] + x[3 * at + 2]) / 3",
                ),
            ),
            symptom="All pixels are there, but the three channels count alike.",
            concept="Green looks brighter than blue: the channels have weights of their own.",
            line="`0.299f * red + 0.587f * green + 0.114f * blue`, and no division.",
        ),
        Misconception(
            "axes exchanged",
            edited(SOURCE, ("int w =", "int _ ="), ("int h =", "int w ="), ("int _ =", "int h =")),
            symptom="The rows come from x and the columns from y: the threads do not cover the "
            "image.",
            concept="x is the direction in which threads are neighbours in a warp. The launch has "
            "32 × 8 threads a block and covers the *width* in x.",
            line="`w` from `.x`, `h` from `.y`.",
        ),
        Misconception(
            "blue for red",
            edited(SOURCE, ("0.299f", "0.11f"), ("0.114f", "0.299f"), ("0.11f", "0.114f")),
            symptom="The weights of the first and the last channel are exchanged.",
            concept="The channels are red, green, blue, in this order.",
            line="0.299 belongs to the first channel.",
        ),
        Misconception(
            "the sum of the channels",
            edited(SOURCE, ("0.299f * ", ""), ("0.587f * ", ""), ("0.114f * ", "")),
            symptom="The three channels are added up with no weights.",
            concept="The three weights add up to 1, so that white stays white.",
            line="`0.299f * red + 0.587f * green + 0.114f * blue`.",
        ),
        Misconception(
            "blue forgotten",
            edited(SOURCE, (" + 0.114f * x[3 * at + 2]", "")),
            symptom="Every pixel is a little too dark: one channel is missing.",
            concept="Grey is made of all three channels, blue too.",
            line="All three: `+ 0.114f * x[3 * at + 2]`, or `c < 3` in a loop over them.",
        ),
        Misconception(
            "height for width in y",
            edited(SOURCE, ("y[at] =", "y[h * i_h + w] =")),
            symptom="Of the rows of `y` only the first begins where it should.",
            concept="A row of `y` is `i_w` values long, as a row of `x` is `i_w` pixels.",
            line="`y[h * i_w + w]`.",
        ),
        Misconception(
            "the number tested, not the column",
            edited(SOURCE, ("if (h >= i_h || w >= i_w)", "if (h * i_w + w >= i_h * i_w)")),
            symptom="Nobody is outside the array any more, but threads to the right of the image "
            "write pixels of the next row, which belong to other threads.",
            concept="Row 0, column `i_w` has the number of row 1, column 0. The number alone does "
            "not say that the column is outside.",
            line="`if (h >= i_h || w >= i_w) return;`",
        ),
        Misconception(
            "a walk through the image by x alone",
            edited(
                SOURCE,
                (
                    SOURCE[SOURCE.index("    int w") : SOURCE.index("    y[at]")],
                    f"    for (int at = {X}; at < i_h * i_w; at += gridDim.x * blockDim.x)\n    ",
                ),
            ),
            symptom="Threads that stand one below the other in a block write the same pixels.",
            concept="The y of block and thread has no part in your pixel, and threads that differ "
            "in y alone do the same. The launch has a thread for each pixel: no loop "
            "over pixels is needed.",
            line="No loop: `w` from x, `h` from y, then `if (h >= i_h || w >= i_w) return;`.",
        ),
        Misconception(
            "green and blue exchanged",
            edited(SOURCE, ("0.587f", "0.11f"), ("0.114f", "0.587f"), ("0.11f", "0.114f")),
            symptom="The weights of the second and the last channel are exchanged.",
            concept="Green looks brightest, and has the largest weight: it is the one in the "
            "middle.",
            line="0.587 belongs to `x[3 * at + 1]`, 0.114 to `x[3 * at + 2]`.",
        ),
        Misconception(
            "red and green exchanged",
            edited(SOURCE, ("0.299f", "0.29f"), ("0.587f", "0.299f"), ("0.29f", "0.587f")),
            symptom="The weights of the first two channels are exchanged.",
            concept="Red comes first in memory. The largest weight is green's, which comes second.",
            line="0.299 belongs to `x[3 * at]`, 0.587 to `x[3 * at + 1]`.",
        ),
        Misconception(
            "bounds one too near",
            edited(SOURCE, ("h >= i_h || w >= i_w", "h >= i_h - 1 || w >= i_w - 1")),
            symptom="The last row and the last column are never written.",
            concept="Row `i_h - 1` is the last one, and it is inside.",
            line="`h >= i_h || w >= i_w`.",
        ),
        Misconception(
            "only the pixel's column times 3",
            edited(
                SOURCE,
                ("x[3 * at]", "x[h * i_w + 3 * w]"),
                ("x[3 * at + 1]", "x[h * i_w + 3 * w + 1]"),
                ("x[3 * at + 2]", "x[h * i_w + 3 * w + 2]"),
            ),
            symptom="The first row is right; the rows below begin too early in `x`.",
            concept="A row of `x` is `3 * i_w` values long.",
            line="`3 * (h * i_w + w)`, with brackets around the whole number.",
        ),
        Misconception(
            "written by columns",
            edited(SOURCE, ("y[at] =", "y[w * i_h + h] =")),
            symptom="The right values stand in `y` column by column: it is the transpose.",
            concept="`y` is `[i_h, i_w]`: the pixels of a row lie side by side.",
            line="`y[h * i_w + w]`: the column counts fastest.",
        ),
        Misconception(
            "whole-number weights",
            edited(
                SOURCE, ("0.299f", "299 / 1000"), ("0.587f", "587 / 1000"), ("0.114f", "114 / 1000")
            ),
            symptom="All of your pixels are 0.",
            concept="Weights like `299 / 1000` can make them so: in C that is a division of whole "
            "numbers, which gives 0.",
            line="`0.299f * ...`: floats, and no whole number among the factors.",
        ),
        Misconception(
            "rows as long as the grid",
            edited(SOURCE, ("int at = h * i_w + w", "int at = h * gridDim.x * blockDim.x + w")),
            symptom="You take rows for as long as a row of the grid's threads, 32 or a multiple.",
            concept="The grid covers the image and more. In memory a row is `i_w` pixels.",
            line="`h * i_w + w`: the image's width, not the grid's.",
        ),
        Misconception(
            "other weights",
            edited(SOURCE, ("0.299f", "0.3f"), ("0.587f", "0.59f"), ("0.114f", "0.11f")),
            symptom="The right values, nearly: your weights are rounded.",
            concept="0.3, 0.59 and 0.11 are these weights with two digits.",
            line="0.299, 0.587, 0.114: all three digits.",
        ),
        Misconception(
            "whole numbers of grey",
            edited(SOURCE, ("y[at] = 0.299f", "y[at] = (int)(0.299f"), ("at + 2];", "at + 2]);")),
            symptom="Your grey values are whole numbers: the fraction is cut off.",
            concept="`y` is float32, and so are the colours; in a photo they go from 0 to 1.",
            line="`y[at] =` the sum as it is: no `int` or `unsigned char` on the way, nothing "
            "rounded.",
        ),
        Misconception(
            "another standard's weights",
            edited(SOURCE, ("0.299f", "0.2126f"), ("0.587f", "0.7152f"), ("0.114f", "0.0722f")),
            symptom="Your three weights are others than those of the task.",
            concept="0.2126, 0.7152 and 0.0722 are those of high-definition television, BT.709.",
            line="0.299, 0.587 and 0.114, which are those of BT.601.",
        ),
    ],
)
