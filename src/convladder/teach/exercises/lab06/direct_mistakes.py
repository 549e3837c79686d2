"""Usual mistakes of a direct convolution: who computes what, and how the kernel is launched."""

from __future__ import annotations

from ...grading.exercise import Misconception
from .direct import (
    ALONG_THE_ROW,
    DOWN_THE_IMAGE,
    NUMBERING,
    SOURCE,
    THREADS,
    direct,
    value_launch,
    with_block,
)
from .sources import blocks, edited


def _declared(p, order="i_h, i_w, i_c, k_h, k_w, k_c, s_w, s_h, o_w, o_h"):
    """Return an answer whose kernel declares its numbers in this order."""
    numbers = "int " + order.replace(", ", ", int ")
    first, last = SOURCE.index("int i_h"), SOURCE.index(")\n{")
    return value_launch(SOURCE[:first] + numbers + SOURCE[last:])(p)


NUMBERED_AND_LAUNCHED = [
    Misconception(
        "down the image",
        direct((NUMBERING, DOWN_THE_IMAGE)),
        symptom="Your sectors are as many as if the threads of a warp stood on rows one below the "
        "other.",
        concept="A request moves whole sectors of 32 bytes. Neighbours that read a row of the "
        "image apart need a sector each, of which little is used.",
        line="Number the threads along the channel: `k = i % k_c`, `v = i / k_c % o_w`, `h = i / "
        "k_c / o_w`.",
    ),
    Misconception(
        "along the row",
        direct((NUMBERING, ALONG_THE_ROW)),
        symptom="Your sectors are those of warps whose lanes stand on pixels side by side: in "
        "NHWC these are `i_c` values apart in `x`, and `k_c` apart in `y`. (A thread that "
        "computes all channels of its pixel looks the same from here.)",
        concept="What lies side by side in memory is the channels. A warp along `k` reads 32 "
        "weights in 4 sectors, and one value of `x` for all of its threads.",
        line="The channel first: `k = i % k_c`, `v = i / k_c % o_w`, `h = i / k_c / o_w`.",
    ),
    Misconception(
        "a thread for each pixel",
        lambda p: (
            edited(
                SOURCE,
                ("    int i = blockIdx.x * blockDim.x + threadIdx.x;\n", ""),
                ("    if (i >= o_h * o_w * k_c) return;\n", ""),
                (
                    NUMBERING,
                    "    int v = blockIdx.x * 32 + threadIdx.x;\n"
                    "    int h = blockIdx.y * 4 + threadIdx.y;\n"
                    "    if (v >= o_w || h >= o_h) return;\n"
                    "    for (int k = 0; k < k_c; k++) {\n",
                ),
                ("* k_c + k] = sum;\n", "* k_c + k] = sum;\n    }\n"),
            ),
            blocks((p.o_w, 32), (p.o_h, 4)),
            (32, 4),
        ),
        symptom="Your sectors are those of threads that stand on neighbouring pixels, a row of "
        "them in a warp.",
        concept="In NHWC neighbouring pixels are `i_c` values apart in `x`, and `k_c` apart in "
        "`y`. What lies side by side is a pixel's filters, in `w` and in `y`.",
        line="A thread for each value, `p.o_h * p.o_w * p.k_c` in all. From its number `i`: `k = "
        "i % k_c`, `v = i / k_c % o_w`, `h = i / k_c / o_w`.",
    ),
    Misconception(
        "no test of the bounds",
        direct(("    if (i >= o_h * o_w * k_c) return;\n", "")),
        symptom="Threads of the last block compute values that `y` does not have.",
        concept="A grid has whole blocks: it is rounded up.",
        line="`if (i >= o_h * o_w * k_c) return;`",
    ),
    Misconception(
        "grid rounded down",
        lambda p: (SOURCE, max(1, p.o_h * p.o_w * p.k_c // THREADS), THREADS),
        symptom="The last values are NaN: no thread has written them.",
        concept="`values // threads` leaves the rest of the division to nobody.",
        line="`-(-values // threads)` blocks.",
    ),
    Misconception(
        "output's height for its width",
        direct(
            (
                NUMBERING,
                "    int k = i % k_c;\n    int v = i / k_c % o_h;\n    int h = i / k_c / o_h;\n",
            )
        ),
        symptom="Where the output is square all is right.",
        concept="Along a row there are `o_w` pixels; after as many begins the next row.",
        line="`v = i / k_c % o_w` and `h = i / k_c / o_w`.",
    ),
    Misconception(
        "input's width for the output's",
        direct(
            (
                NUMBERING,
                "    int k = i % k_c;\n    int v = i / k_c % i_w;\n    int h = i / k_c / i_w;\n",
            )
        ),
        symptom="You split the number of the thread by the width of the image, and the output "
        "is narrower.",
        concept="Threads are numbered along `y`, so `y`'s sizes take the number apart.",
        line="`o_w` in place of `i_w`, twice.",
    ),
    Misconception(
        "filters by blocks of threads",
        direct(("int k = i % k_c;", "int k = threadIdx.x % k_c;")),
        symptom="Right in the first block, and where a block is a multiple of the filters, 32 of "
        "them or one; with 40 pixels and filters do not match.",
        concept="`k`, `v` and `h` must come out of one number. `i / k_c` is the pixel only "
        "together with `i % k_c`.",
        line="`k = i % k_c`.",
    ),
    Misconception(
        "a grid over the pixels",
        lambda p: (SOURCE, blocks((p.o_h * p.o_w, THREADS)), THREADS),
        symptom="With a single filter all is right; with 32 or 40 only the first part of `y` is "
        "written.",
        concept="You launch a thread for each *pixel* of the output, and the kernel gives each "
        "thread one *value*.",
        line="`p.o_h * p.o_w * p.k_c` threads, over the threads of a block, rounded up.",
    ),
    Misconception(
        "a block of 32",
        lambda p: (SOURCE, *with_block(p, 32)),
        symptom="The launch has fewer threads than values: the grid was made for blocks of "
        "another size.",
        concept="Grid and block belong together. If the one has 32 threads, the other must "
        "have four times as many blocks as for 128.",
        line="One variable `threads` for both.",
    ),
    Misconception(
        "added to what is there",
        direct(("y[(h * o_w + v) * k_c + k] = sum;", "y[(h * o_w + v) * k_c + k] += sum;")),
        symptom="You add to `y`, into which nobody has written.",
        concept="Memory comes as it is, and nobody clears `y`. A thread can make all of a value, "
        "with every place of the window and every channel: then nothing needs adding up.",
        line="A thread for each value, its `float sum = 0;`, all loops, and one `y[...] = sum;`.",
    ),
    Misconception(
        "sizes in one another's place",
        _declared,
        symptom="Your values are as if sizes or strides stood in one another's place: declared in "
        "another order than the task's, or exchanged in a formula.",
        concept="A launch hands over numbers by their places; names mean nothing to it. And a row "
        "of `y` has `o_w` pixels, one of `x` has `i_w`: rows are counted by widths.",
        line="`i_h, i_w, i_c, k_h, k_w, k_c, o_h, o_w, s_h, s_w`, in this order; and `i / k_c % "
        "o_w`, `i / k_c / o_w`.",
        choices={
            "order": (
                "i_w, i_h, i_c, k_w, k_h, k_c, o_w, o_h, s_w, s_h",
                "i_h, i_w, i_c, k_h, k_w, k_c, s_h, s_w, o_h, o_w",
                "i_h, i_w, i_c, k_h, k_w, k_c, o_w, o_h, s_h, s_w",
                "i_h, i_w, i_c, k_w, k_h, k_c, o_h, o_w, s_h, s_w",
                "i_c, i_h, i_w, k_c, k_h, k_w, o_h, o_w, s_h, s_w",
            )
        },
    ),
    Misconception(
        "a block of two dimensions, numbered by x",
        lambda p, block=(16, 8): (SOURCE, *blocks((p.o_h * p.o_w * p.k_c, THREADS)), block),
        symptom="Threads of a block that differ in y alone have the same number, and make the "
        "same value.",
        concept="`blockDim.x` is a side of the block, not all of its threads.",
        line="A block of 128 threads in x, `(128, 1)`; or a number that `threadIdx.y` is part of.",
        choices={"block": ((32, 4), (16, 16), (32, 8), (8, 16))},
    ),
    Misconception(
        "added to y in every step",
        direct(
            ("    float sum = 0;\n", "    y[(h * o_w + v) * k_c + k] = 0;\n"),
            ("sum += x", "y[(h * o_w + v) * k_c + k] += x"),
            ("    y[(h * o_w + v) * k_c + k] = sum;\n", ""),
        ),
        symptom="Your sectors are as many as those of a sum that grows in global memory, where "
        "each multiply-add loads `y` and stores it.",
        concept="A thread has registers. A variable of its own costs no traffic at all, and is "
        "stored once.",
        line="`float sum = 0;`, `sum += ...` in the loops, and `y[...] = sum;` behind them.",
    ),
    Misconception(
        "a warp a pixel, for 32 filters",
        lambda p: (
            edited(
                SOURCE,
                ("    int i = blockIdx.x * blockDim.x + threadIdx.x;\n", ""),
                ("    if (i >= o_h * o_w * k_c) return;\n", ""),
                (
                    NUMBERING,
                    "    int k = threadIdx.x, v = blockIdx.x, h = blockIdx.y;\n"
                    "    if (k >= k_c) return;\n",
                ),
            ),
            (p.o_w, p.o_h),
            32,
        ),
        symptom="Filters from number 32 on are never written.",
        concept="There are `k_c` filters, in one of the cases 40. 32 threads for a pixel are too "
        "few then, if each makes one value.",
        line="Blocks of `p.k_c` threads, or a loop `for (int k = threadIdx.x; k < k_c; "
        "k += blockDim.x)`.",
    ),
    Misconception(
        "a block a value",
        lambda p: (
            edited(SOURCE, ("blockIdx.x * blockDim.x + threadIdx.x", "blockIdx.x")),
            p.o_h * p.o_w * p.k_c,
            1,
        ),
        symptom="Every request brings a sector for one value, as from blocks of one thread.",
        concept="A warp has 32 lanes, used or not. Only lanes of one warp share a request.",
        line="Blocks of 128 threads, `i = blockIdx.x * blockDim.x + threadIdx.x`.",
    ),
    Misconception(
        "grid and block exchanged",
        lambda p: (SOURCE, 1, min(1024, p.o_h * p.o_w * p.k_c)),
        symptom="Only the first 1,024 values are written.",
        concept="A block has at most 1,024 threads. A launch has as many blocks as it takes, each "
        "of some hundred threads.",
        line="`-(-values // 128)` blocks of 128 threads.",
    ),
    Misconception(
        "image's sizes for the number of threads",
        lambda p: (
            edited(SOURCE, ("if (i >= o_h * o_w * k_c)", "if (i >= i_h * i_w * i_c)")),
            blocks((p.o_h * p.o_w * p.k_c, THREADS)),
            THREADS,
        ),
        symptom="Threads stop, or do not, by the number of values in the image.",
        concept="A thread makes a value of `y`: it is `y`'s values that are counted.",
        line="`i >= o_h * o_w * k_c`, the sizes of `y`.",
    ),
    Misconception(
        "the grid's two numbers exchanged",
        lambda p: (
            edited(
                SOURCE,
                ("    int i = blockIdx.x * blockDim.x + threadIdx.x;\n", ""),
                ("    if (i >= o_h * o_w * k_c) return;\n", ""),
                (NUMBERING, "    int k = threadIdx.x, v = blockIdx.x, h = blockIdx.y;\n"),
            ),
            (p.o_h, p.o_w),
            p.k_c,
        ),
        symptom="Where the output is square all is right; else some pixels have two blocks, and "
        "others none.",
        concept="The grid's first number is how many blocks there are in x, which your kernel "
        "takes for columns.",
        line="The grid is `(p.o_w, p.o_h)`.",
    ),
]
