"""Lab 17, exercise 4: two convolutions, strip by strip."""

import numpy as np

from ...core.problem import ConvProblem
from ...functional import conv2d
from ..exercise import Exercise, Misconception, edit

# Two layers, and the rows of a strip: paddings of half a window, of more and of none.
LAYERS = [
    (
        ConvProblem(1, 6, 4, 1, 3, 1, 1, padding=(1, 0)),
        ConvProblem(1, 6, 4, 1, 3, 1, 1, padding=(1, 0)),
        2,
    ),
    (ConvProblem(1, 12, 9, 2, 3, 3, 3, padding=1), ConvProblem(1, 12, 9, 3, 5, 3, 2, 1, (3, 0)), 1),
    (ConvProblem(2, 19, 8, 2, 3, 2, 3, (2, 1), 0), ConvProblem(2, 9, 7, 3, 3, 3, 2, (2, 1), 1), 2),
    (
        ConvProblem(1, 160, 160, 3, 3, 3, 16, padding=1),
        ConvProblem(1, 160, 160, 16, 3, 3, 4, 2, padding=1),
        4,
    ),
]


def cut(x, top, bottom, p_w):
    """Rows top to bottom of x, zeros where there are none, and p_w columns of zeros beside."""
    inside = x[:, max(top, 0) : min(bottom, x.shape[1])]
    above, below = max(-top, 0), max(bottom - x.shape[1], 0)
    return np.pad(inside, ((0, 0), (above, below), (p_w, p_w), (0, 0)))


def two_in_strips(x, w1, w2, p1, p2, rows):
    y = np.empty(p2.output_shape, np.float32)
    for begin in range(0, p2.o_h, rows):
        end = min(begin + rows, p2.o_h)
        top, bottom = p2.s_h * begin - p2.p_h, p2.s_h * (end - 1) - p2.p_h + p2.k_h
        a, b = max(top, 0), min(bottom, p1.o_h)  # what there is of the middle map
        strip = cut(x, p1.s_h * a - p1.p_h, p1.s_h * (b - 1) - p1.p_h + p1.k_h, p1.p_w)
        middle = conv2d(strip, w1, stride=p1.stride, method="microkernel")
        middle = np.pad(middle, ((0, 0), (a - top, bottom - b), (p2.p_w, p2.p_w), (0, 0)))
        y[:, begin:end] = conv2d(middle, w2, stride=p2.stride, method="microkernel")
    return y


def workspace(x, w1, w2, p1, p2, rows):
    """Allow two strips of each map, two copies of the weights, and the output once more.

    An answer may hold a strip while it makes the next, and may collect its strips in a list.
    """
    middle = p2.s_h * (rows - 1) + p2.k_h
    pixels = p1.s_h * (middle - 1) + p1.k_h
    strip = pixels * p1.padded_w * p1.i_c + middle * (p1.o_w + p2.padded_w) * p1.k_c
    values = 2 * (strip + rows * p2.o_w * p2.k_c) + p2.pixels * p2.k_c
    return {"workspace": 4 * values + 2 * (w1.nbytes + w2.nbytes)}


def operands(fill, p1, p2, rows):
    w1, w2 = (fill(*p.kernel_shape)[::-1] * np.float32(p.window**-0.5) for p in (p1, p2))
    return fill(*p1.input_shape), w1, -w2, p1, p2, rows


def fits(p1, p2, rows):
    """Whether the second layer takes the output of the first."""
    return rows > 0 and p2.input_shape == p1.output_shape


ROWS = "p2.s_h * begin - p2.p_h, p2.s_h * (end - 1) - p2.p_h + p2.k_h"
PAD = "((0, 0), (a - top, bottom - b), (p2.p_w, p2.p_w), (0, 0))"

EXERCISE = Exercise(
    name="two_in_strips",
    lab=17,
    task="Run two convolutions strip by strip, without the whole map between them.",
    solution=two_in_strips,
    cases=lambda rng: LAYERS,
    inputs=operands,
    valid=fits,
    allowed=("convladder.core.problem", "convladder.functional.conv2d"),
    budget=workspace,
    contiguous=True,
    mend="Middle rows `top` to `bottom` = `s_h * begin - p_h` to `s_h * (end - 1) - p_h + k_h` of "
    "layer 2; compute those from 0 to `p1.o_h`, and pad the rest with zeros",
    misconceptions=[
        Misconception(
            "strips as images of their own",
            edit(
                PAD,
                "((0, 0), (p2.p_h, p2.p_h), (p2.p_w, p2.p_w), (0, 0))",
                ROWS,
                "p2.s_h * begin, p2.s_h * (end - 1) + p2.k_h - 2 * p2.p_h",
            ),
            "Rows at the seams between strips are wrong: the middle map ends in zeros there.",
            "Zeros belong at the map's own edges only. Between strips there are real rows, which "
            "both neighbours compute.",
        ),
        Misconception(
            "no halo for the first layer",
            edit(
                "p1.s_h * a - p1.p_h, p1.s_h * (b - 1) - p1.p_h + p1.k_h",
                "a, b",
                "conv2d(strip, w1",
                "conv2d(np.pad(strip, ((0, 0), (p1.p_h, p1.p_h), (0, 0), (0, 0))), w1",
            ),
            "The first and last rows of each middle strip are wrong.",
            "The same two formulas apply again, with the first layer's window, stride and padding.",
            mend="Rows `s_h * a - p_h` to `s_h * (b - 1) - p_h + k_h` of the image, with layer 1's"
            " stride and padding",
        ),
        Misconception(
            "zeros that are convolved",
            edit("a, b = max(top, 0), min(bottom, p1.o_h)", "a, b = top, bottom"),
            "Rows at the upper and lower edge of the result are wrong.",
            "Layer 2's padding is zeros. What layer 1 would compute from rows beyond the image is "
            "something else.",
        ),
        Misconception(
            "no stride of the second layer",
            edit(
                ROWS,
                "begin - p2.p_h, end - 1 - p2.p_h + p2.k_h",
                'conv2d(middle, w2, stride=p2.stride, method="microkernel")',
                'conv2d(middle, w2, stride=(1, p2.s_w), method="microkernel")',
            ),
            "The first strip is right. With a stride, later ones begin too early.",
            "Output row `h` of layer 2 begins at middle row `s_h * h - p_h`.",
        ),
        Misconception(
            "the whole map between",
            edit(
                "    for begin",
                "    whole = conv2d(x, w1, stride=p1.stride, padding=p1.padding, "
                'method="microkernel")\n    for begin',
                'middle = conv2d(strip, w1, stride=p1.stride, method="microkernel")',
                "middle = whole[:, a:b]",
            ),
            "The values are right, with the bytes of the whole map between the layers.",
            "A strip of the output needs only a strip of the middle map.",
        ),
    ],
)
