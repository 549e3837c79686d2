"""Lab 06, exercise 6: a direct convolution of one's own, with as few sectors as one can."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from ....problem import ConvProblem
from ....reference import conv2d_float64
from ...grading.exercise import OUT, Exercise, KernelTask, Misconception
from .sources import blocks, counting, edited

THREADS = 128
SECTORS = 46_080  # loads on the last case, as many as gpu_coalesced

SOURCE = r"""
extern "C" __global__ void conv(const float *x, const float *w, float *y,
                                int i_h, int i_w, int i_c, int k_h, int k_w, int k_c,
                                int o_h, int o_w, int s_h, int s_w)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= o_h * o_w * k_c) return;
    int k = i % k_c;
    int v = i / k_c % o_w;
    int h = i / k_c / o_w;
    float sum = 0;
    for (int a = 0; a < k_h; a++)
        for (int b = 0; b < k_w; b++)
            for (int c = 0; c < i_c; c++)
                sum += x[((s_h * h + a) * i_w + s_w * v + b) * i_c + c]
                     * w[((a * k_w + b) * i_c + c) * k_c + k];
    y[(h * o_w + v) * k_c + k] = sum;
}
"""
NUMBERING = ("    int k = i % k_c;\n    int v = i / k_c % o_w;\n    int h = i / k_c / o_w;\n")
ALONG_THE_ROW = "    int v = i % o_w;\n    int h = i / o_w % o_h;\n    int k = i / o_w / o_h;\n"
DOWN_THE_IMAGE = "    int h = i % o_h;\n    int v = i / o_h % o_w;\n    int k = i / o_h / o_w;\n"
TOY = ConvProblem(1, 3, 3, 1, 2, 2, 1)
PROBLEMS = (TOY, ConvProblem(1, 9, 10, 3, 3, 2, 5, stride=(2, 3)),
            ConvProblem(1, 7, 6, 2, 3, 3, 40), ConvProblem(1, 18, 18, 4, 3, 3, 32))


def convolved(x, w, problem):
    return conv2d_float64(x[None], w, problem)[0].astype(np.float32)


def arguments(x, w, p):
    """Return what `conv` takes, in both labs."""
    return (x, w, OUT, p.i_h, p.i_w, p.i_c, p.k_h, p.k_w, p.k_c, p.o_h, p.o_w, p.s_h, p.s_w)


def cases(problems: tuple[ConvProblem, ...]) -> Callable:
    """Return an image, weights and their problem for each; the toy's weights are 1, 2, 3, 4."""
    def drawn(rng: np.random.Generator) -> list[tuple]:
        return [(counting(*p.input_shape[1:]), counting(*p.kernel_shape), p) if p is TOY else
                (rng.standard_normal(p.input_shape[1:], dtype=np.float32),
                 rng.standard_normal(p.kernel_shape, dtype=np.float32), p) for p in problems]
    return drawn


def value_launch(source: str) -> Callable:
    """Return an answer with a thread for each output value."""
    return lambda p: (source, blocks((p.o_h * p.o_w * p.k_c, THREADS)), THREADS)


def _edited(*exchanges: tuple[str, str]) -> Callable:
    return value_launch(edited(SOURCE, *exchanges))


def _a_block(p: ConvProblem, threads: int) -> tuple:
    """Return a grid for blocks of THREADS, and blocks of fewer."""
    return blocks((p.o_h * p.o_w * p.k_c, THREADS)), threads


EXERCISE = Exercise(
    name="my_direct", lab=6, reference=convolved,
    task="A direct convolution as a kernel of your own, with few sectors.",
    cases=cases(PROBLEMS),
    kernel=KernelTask(
        name="conv", solution=value_launch(SOURCE), arguments=arguments,
        budget=lambda x, w, problem: {"global_load_sectors": SECTORS}),
    misconceptions=[
        Misconception(
            "down the image", _edited((NUMBERING, DOWN_THE_IMAGE)),
            symptom="The threads of a warp stand on rows one below the other.",
            concept="A request moves whole sectors of 32 bytes. Neighbours that read a row of the "
                    "image apart need a sector each: 32 for 32 values.",
            line="Number the threads along the channel: `k = i % k_c`, then `v`, then `h`."),
        Misconception(
            "along the row", _edited((NUMBERING, ALONG_THE_ROW)),
            symptom="The threads of a warp are neighbours in a row of pixels, and in NHWC these "
                    "are `i_c` values apart in `x`, and `k_c` apart in `y`. (A thread that "
                    "computes all channels of its pixel looks the same from here.)",
            concept="What lies side by side in memory is the channels. A warp along `k` reads 32 "
                    "weights in 4 sectors, and one value of `x` for all of its threads.",
            line="`k = i % k_c` first, then `v = i / k_c % o_w`, then `h`."),
        Misconception(
            "no test of the bounds", _edited(("    if (i >= o_h * o_w * k_c) return;\n", "")),
            symptom="Threads of the last block compute values that `y` does not have.",
            concept="A grid has whole blocks: it is rounded up.",
            line="`if (i >= o_h * o_w * k_c) return;`"),
        Misconception(
            "grid rounded down", lambda p: (
                SOURCE, max(1, p.o_h * p.o_w * p.k_c // THREADS), THREADS),
            symptom="The last values are NaN: no thread is there for them.",
            concept="`values // threads` leaves the rest of the division to nobody.",
            line="`-(-values // threads)` blocks."),
        Misconception(
            "stride forgotten", _edited(("(s_h * h + a) * i_w + s_w * v + b",
                                         "(h + a) * i_w + v + b")),
            symptom="With a stride of 1 all is right.",
            concept="The window of output pixel (h, v) begins at (s_h·h, s_w·v).",
            line="`(s_h * h + a) * i_w + s_w * v + b`."),
        Misconception(
            "weights with the filter first", _edited(
                ("w[((a * k_w + b) * i_c + c) * k_c + k]",
                 "w[((k * k_h + a) * k_w + b) * i_c + c]")),
            symptom="With a single filter all is right.",
            concept="`w` is `[k_h, k_w, i_c, k_c]`: the filters are its last axis.",
            line="`w[((a * k_w + b) * i_c + c) * k_c + k]`."),
        Misconception(
            "weights with the channels last", _edited(
                ("w[((a * k_w + b) * i_c + c) * k_c + k]",
                 "w[((a * k_w + b) * k_c + k) * i_c + c]")),
            symptom="With a single channel or a single filter all is right.",
            concept="`w` is `[k_h, k_w, i_c, k_c]`: a step in `c` skips all `k_c` filters.",
            line="Exchange `c` and `k`, and their sizes: `(... * i_c + c) * k_c + k`."),
        Misconception(
            "width of x in y", _edited(("y[(h * o_w + v)", "y[(h * i_w + v)")),
            symptom="The first row is right, the others begin too late.",
            concept="`y` has rows of `o_w` pixels: without padding it is smaller than `x`.",
            line="`y[(h * o_w + v) * k_c + k]`."),
        Misconception(
            "flipped", _edited(("w[((a * k_w + b)", "w[(((k_h - 1 - a) * k_w + k_w - 1 - b)")),
            symptom="Your kernel is turned by 180 degrees.",
            concept="The convolution of neural networks does not flip: weight (a, b) meets pixel "
                    "(h + a, v + b).",
            line="`a` and `b` in `w` as they are in `x`."),
        Misconception(
            "sum begun anew", _edited(("sum += x", "sum = x")),
            symptom="Your values are the last product only.",
            concept="The sum runs over the window and all channels.",
            line="`sum +=`."),
        Misconception(
            "stride within the window", _edited(("(s_h * h + a) * i_w + s_w * v + b",
                                                 "s_h * (h + a) * i_w + s_w * (v + b)")),
            symptom="With a stride of 1 all is right; else your windows have gaps.",
            concept="The stride moves the window. Inside it pixels are neighbours.",
            line="`s_h * h + a` and `s_w * v + b`, with no brackets around the sums."),
        Misconception(
            "strides exchanged", _edited(("(s_h * h + a) * i_w + s_w * v + b",
                                          "(s_w * h + a) * i_w + s_h * v + b")),
            symptom="With the same stride in both directions all is right.",
            concept="`s_h` is how far a window moves down, and `s_w` how far to the right.",
            line="`s_h` with `h`, `s_w` with `v`."),
        Misconception(
            "height for width", _edited(("(s_h * h + a) * i_w", "(s_h * h + a) * i_h")),
            symptom="On square images all is right.",
            concept="Going one row down skips a whole row of `i_w` pixels.",
            line="`(s_h * h + a) * i_w`."),
        Misconception(
            "channels first in y", _edited(("y[(h * o_w + v) * k_c + k]",
                                            "y[(k * o_h + h) * o_w + v]")),
            symptom="With a single filter all is right; else you write a plane for each filter.",
            concept="`y` is `[o_h, o_w, k_c]`: the values of a pixel lie side by side.",
            line="`y[(h * o_w + v) * k_c + k]`: the last axis is `k`."),
        Misconception(
            "rows of x counted in pixels", _edited(
                ("* i_w + s_w * v + b) * i_c + c", "* i_w + s_w * v + b) + c")),
            symptom="With one channel all is right; else your windows overlap in memory.",
            concept="A pixel is `i_c` values long: pixel number p begins at `p * i_c`.",
            line="`x[((...) * i_w + ...) * i_c + c]`."),
        Misconception(
            "one channel only", _edited(
                ("            for (int c = 0; c < i_c; c++)\n",
                 "            for (int c = 0; c < 1; c++)\n")),
            symptom="With one channel all is right; else the sum is too small.",
            concept="A filter looks at every channel of its window, and adds up all of them.",
            line="`for (int c = 0; c < i_c; c++)`."),
        Misconception(
            "channels of the output for those of the input", _edited(
                ("c < i_c; c++", "c < k_c; c++")),
            symptom="Your sum runs over `k_c` channels. The image has `i_c`.",
            concept="`k_c` is how many filters there are, and how many values a pixel of `y` has.",
            line="`c < i_c`."),
        Misconception(
            "window's sides exchanged", _edited(
                ("a < k_h; a++", "a < k_w; a++"),
                ("b < k_w; b++", "b < k_h; b++")),
            symptom="With square windows all is right.",
            concept="`a` counts rows of the window, of which there are `k_h`; `b` its columns.",
            line="`a < k_h` and `b < k_w`."),
        Misconception(
            "window's height for its width in w", _edited(("w[((a * k_w + b)", "w[((a * k_h + b)")),
            symptom="With square windows all is right; else you begin at the wrong weight in the "
                    "second row.",
            concept="Going one row down in the window skips a row of `k_w` places.",
            line="`(a * k_w + b)`."),
        Misconception(
            "the last row and column of the window left out", _edited(
                ("a < k_h; a++", "a < k_h - 1; a++"),
                ("b < k_w; b++", "b < k_w - 1; b++")),
            symptom="The sum lacks a row and a column of each window.",
            concept="`a < k_h` ends with `k_h - 1` already.",
            line="`a < k_h`, `b < k_w`."),
        Misconception(
            "one place too many in the window", _edited(("b < k_w; b++", "b <= k_w; b++")),
            symptom="Each row of a window has one place too many, and takes in its neighbour.",
            concept="A row has `k_w` places, numbered from 0 to `k_w - 1`.",
            line="`b < k_w`."),
        Misconception(
            "output's height for its width", _edited(
                (NUMBERING,
                 "    int k = i % k_c;\n    int v = i / k_c % o_h;\n    int h = i / k_c / o_h;\n")),
            symptom="Where the output is square all is right.",
            concept="Along a row there are `o_w` pixels; after as many begins the next row.",
            line="`v = i / k_c % o_w` and `h = i / k_c / o_w`."),
        Misconception(
            "input's width for the output's", _edited(
                (NUMBERING,
                 "    int k = i % k_c;\n    int v = i / k_c % i_w;\n    int h = i / k_c / i_w;\n")),
            symptom="You split the number of the thread by the width of the image, and the output "
                    "is narrower.",
            concept="Threads are numbered along `y`, so `y`'s sizes take the number apart.",
            line="`o_w` in place of `i_w`, twice."),
        Misconception(
            "filters by blocks of threads", _edited(
                ("int k = i % k_c;", "int k = threadIdx.x % k_c;")),
            symptom="Right where a block is a multiple of the filters, 32 of them or one; with 5 "
                    "or "
                    "40 filters pixels and filters do not match.",
            concept="`k`, `v` and `h` must come out of one number. `i / k_c` is the pixel only "
                    "together with `i % k_c`.",
            line="`k = i % k_c`."),
        Misconception(
            "a grid over the pixels", lambda p: (SOURCE, blocks((p.o_h * p.o_w, THREADS)), THREADS),
            symptom="With a single filter all is right; else only the first part of `y` is "
                    "written.",
            concept="You launch a thread for each *pixel* of the output, and the kernel gives each "
                    "thread one *value*.",
            line="`p.o_h * p.o_w * p.k_c` threads, over the threads of a block, rounded up."),
        Misconception(
            "a block of 32", lambda p: (SOURCE, *_a_block(p, 32)),
            symptom="The launch has fewer threads than values: the grid was made for blocks of "
                    "another size.",
            concept="Grid and block belong together. If the one has 32 threads, the other must "
                    "have four times as many blocks as for 128.",
            line="One variable `threads` for both."),
        Misconception(
            "added to what is there", _edited(
                ("y[(h * o_w + v) * k_c + k] = sum;", "y[(h * o_w + v) * k_c + k] += sum;")),
            symptom="You add to `y`, into which nobody has written.",
            concept="Memory comes as it is. A value that one thread makes by itself is written, "
                    "not added.",
            line="`y[...] = sum;`"),
        Misconception(
            "added to y in every step", _edited(
                ("    float sum = 0;\n", "    y[(h * o_w + v) * k_c + k] = 0;\n"),
                ("sum += x", "y[(h * o_w + v) * k_c + k] += x"),
                ("    y[(h * o_w + v) * k_c + k] = sum;\n", "")),
            symptom="The sum grows in global memory: each multiply-add loads `y` and stores it.",
            concept="A thread has registers. A variable of its own costs no traffic at all, and is "
                    "stored once.",
            line="`float sum = 0;`, and `y[...] = sum;` behind the loops."),
        Misconception(
            "padding where there is none", _edited(
                ("(s_h * h + a) * i_w + s_w * v + b", "(s_h * h + a - 1) * i_w + s_w * v + b - 1")),
            symptom="Your windows begin one pixel too far up and to the left, before the image.",
            concept="There is no padding in this exercise: the first window begins at pixel (0, "
                    "0).",
            line="`s_h * h + a`, `s_w * v + b`."),
    ],
)
