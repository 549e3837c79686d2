"""A direct convolution with a thread an output value: what labs make exercises of."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from ....problem import ConvProblem
from ....reference import conv2d_float64
from ...grading.exercise import OUT
from .sources import blocks, counting, edited

THREADS = 128

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
NUMBERING = "    int k = i % k_c;\n    int v = i / k_c % o_w;\n    int h = i / k_c / o_w;\n"
ALONG_THE_ROW = "    int v = i % o_w;\n    int h = i / o_w % o_h;\n    int k = i / o_w / o_h;\n"
DOWN_THE_IMAGE = "    int h = i % o_h;\n    int v = i / o_h % o_w;\n    int k = i / o_h / o_w;\n"
TOY = ConvProblem(1, 3, 3, 1, 2, 2, 1)
PROBLEMS = (
    TOY,
    ConvProblem(1, 9, 10, 5, 3, 2, 3, stride=(2, 3)),
    ConvProblem(1, 7, 6, 2, 3, 3, 40),
    ConvProblem(1, 18, 18, 4, 3, 3, 32),
)


def convolved(x, w, problem):
    return conv2d_float64(x[None], w, problem)[0].astype(np.float32)


def arguments(x, w, p):
    """Return what `conv` takes, in both labs."""
    return (x, w, OUT, p.i_h, p.i_w, p.i_c, p.k_h, p.k_w, p.k_c, p.o_h, p.o_w, p.s_h, p.s_w)


def cases(problems: tuple[ConvProblem, ...]) -> Callable:
    """Return an image, weights and their problem for each; the toy's weights are 1, 2, 3, 4."""

    def drawn(rng: np.random.Generator) -> list[tuple]:
        return [
            (counting(*p.input_shape[1:]), counting(*p.kernel_shape), p)
            if p is TOY
            else (
                rng.standard_normal(p.input_shape[1:], dtype=np.float32),
                rng.standard_normal(p.kernel_shape, dtype=np.float32),
                p,
            )
            for p in problems
        ]

    return drawn


def value_launch(source: str) -> Callable:
    """Return an answer with a thread for each output value."""
    return lambda p: (source, blocks((p.o_h * p.o_w * p.k_c, THREADS)), THREADS)


def direct(*exchanges: tuple[str, str]) -> Callable:
    """Return the right answer with pieces of its text exchanged."""
    return value_launch(edited(SOURCE, *exchanges))


def with_block(p: ConvProblem, threads: int) -> tuple:
    """Return a grid for blocks of THREADS, and blocks of fewer."""
    return blocks((p.o_h * p.o_w * p.k_c, THREADS)), threads
