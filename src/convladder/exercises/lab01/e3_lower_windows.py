"""Lab 01, exercise 3: im2col with channels, stride, padding and a batch, windows in rows."""

import numpy as np

from ...core.problem import ConvProblem
from ..draws import layer
from ..exercise import Exercise, Misconception, edit

LAYERS = [
    ConvProblem(1, 3, 3, 2, 2, 2, 1),
    ConvProblem(1, 9, 8, 3, 3, 2, 1, stride=(2, 1)),
    ConvProblem(1, 8, 9, 2, 2, 3, 1, stride=(1, 2), padding=(1, 0)),
    ConvProblem(2, 10, 7, 3, 3, 2, 1, stride=(2, 1), padding=(1, 2)),
    ConvProblem(1, 7, 11, 1, 1, 3, 1, stride=(1, 3), padding=(0, 1)),
    ConvProblem(1, 6, 5, 2, 2, 3, 1),
    ConvProblem(1, 7, 6, 2, 2, 2, 1, stride=(2, 2), padding=(1, 1)),
    ConvProblem(1, 2, 7, 2, 1, 2, 1, stride=(2, 3)),  # skips pixels, and has one output row
]


def lower_windows(x, k_h, k_w, stride, padding):
    (s_h, s_w), (p_h, p_w) = stride, padding
    i_n, i_h, i_w, i_c = x.shape
    o_h = (i_h + 2 * p_h - k_h) // s_h + 1
    o_w = (i_w + 2 * p_w - k_w) // s_w + 1
    padded = np.pad(x, ((0, 0), (p_h, p_h), (p_w, p_w), (0, 0)))
    matrix = np.empty((i_n * o_h * o_w, k_h * k_w * i_c), np.float32)
    for n, h, v in np.ndindex(i_n, o_h, o_w):
        window = padded[n, s_h * h : s_h * h + k_h, s_w * v : s_w * v + k_w]
        matrix[(n * o_h + h) * o_w + v] = window.ravel()
    return matrix


def image_and_settings(fill, problem):
    p = problem
    return fill(*p.input_shape), p.k_h, p.k_w, p.stride, p.padding


WINDOW = "s_h * h : s_h * h + k_h, s_w * v : s_w * v + k_w"
PAIRS = "(p_h, p_h), (p_w, p_w)"

EXERCISE = Exercise(
    name="lower_windows",
    lab=1,
    task="im2col with channels, stride, padding and a batch: each window becomes a row.",
    solution=lower_windows,
    cases=lambda rng: [*((p,) for p in LAYERS), (layer(rng, 12),)],
    inputs=image_and_settings,
    mend="Row `(n * o_h + h) * o_w + v` is `padded[n, s_h * h : s_h * h + k_h, s_w * v : s_w * v + "
    "k_w].ravel()`",
    misconceptions=[
        Misconception(
            "windows one pixel apart",
            edit(WINDOW, "h : h + k_h, v : v + k_w"),
            "With a stride of 1 your result is right. With a larger one you have the right number "
            "of windows, but each begins one pixel after its neighbour.",
            "The stride decides how many windows there are, and also where they begin: the window "
            "of output pixel `(h, v)` begins at row `s_h * h`, column `s_w * v`.",
        ),
        Misconception(
            "strides confused",
            [
                edit("(s_h, s_w), (p_h", "(s_w, s_h), (p_h"),
                edit("(s_h, s_w), (p_h", "(s_h, _), (p_h", "= x.shape", "= x.shape\n    s_w = s_h"),
            ],
            "Layers with two equal strides are right. Others are not.",
            "The stride is a pair, (vertical, horizontal): `s_h` belongs to the rows, `s_w` to the "
            "columns.",
        ),
        Misconception(
            "padding on one side",
            [
                edit(PAIRS, "(2 * p_h, 0), (2 * p_w, 0)"),
                edit(PAIRS, "(0, 2 * p_h), (0, 2 * p_w)"),
                edit(
                    *(PAIRS, "(p_h, 0), (p_w, 0)"),
                    *("i_h + 2 * p_h", "i_h + p_h", "i_w + 2 * p_w", "i_w + p_w"),
                ),
            ],
            "Layers without padding are right. With padding your zeros lie on one side of the "
            "image.",
            "`np.pad` takes (before, after) for each axis, and both sides get `p_h` or `p_w`.",
            mend="`padded = np.pad(x, ((0, 0), (p_h, p_h), (p_w, p_w), (0, 0)))`",
        ),
        Misconception(
            "paddings confused",
            [
                edit("(p_h, p_w) =", "(p_w, p_h) ="),
                edit(PAIRS, "(p_h, p_w), (p_h, p_w)"),
            ],
            "Layers with two equal paddings are right. Others are not.",
            "The padding is a pair, (vertical, horizontal), but a pair for `np.pad` is (before, "
            "after) of one axis.",
            mend="`padded = np.pad(x, ((0, 0), (p_h, p_h), (p_w, p_w), (0, 0)))`",
        ),
        Misconception(
            "the channel outermost",
            edit("window.ravel()", "window.transpose(2, 0, 1).ravel()"),
            "Each row has the right values, but sorted by channel first.",
            "In `w[k_h, k_w, i_c, k_c]` the channel moves faster than row and column. A row of the "
            "matrix needs the same order to meet its weights.",
        ),
        Misconception(
            "windows in columns",
            edit("return matrix", "return matrix.T.copy()"),
            "Your matrix is the transpose of the right one.",
            "With windows in rows, the product with the weights is `[o_h * o_w, k_c]`. That is "
            "NHWC already, with nothing to rearrange.",
        ),
    ],
)
