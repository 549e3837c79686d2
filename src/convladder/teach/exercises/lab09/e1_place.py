"""Lab 09, exercise 1: where the implicit matrix is read."""

from __future__ import annotations

import numpy as np

from ....problem import ConvProblem
from ...grading.exercise import Exercise, Misconception

TOY = ConvProblem(1, 4, 5, 2, 3, 3, 1)
STRIDED = ConvProblem(2, 9, 11, 3, 3, 4, 5, stride=(2, 3))
PADDED = ConvProblem(2, 7, 6, 2, 5, 3, 4, stride=(1, 2), padding=(2, 1))


def place(problem, m, k):
    return _place(problem, m, k)


def _place(p, m, k, order="hwc", pad=True, stride=None, width=None, image=True, tested=True,
           turned=False, whole=True, beyond=0):
    """Find the place, or one of the ways to miss it."""
    s_h, s_w = stride or p.stride
    n, rest = divmod(m, p.o_h * p.o_w) if whole else (0, m)
    h, v = divmod(rest, width or p.o_w)
    if turned:
        v, h = divmod(rest, p.o_h)
    if order == "hwc":
        a, b, c = k // (p.k_w * p.i_c), k // p.i_c % p.k_w, k % p.i_c
    elif order == "whc":
        b, a, c = k // (p.k_h * p.i_c), k // p.i_c % p.k_h, k % p.i_c
    else:
        c, a, b = k // (p.k_h * p.k_w), k // p.k_w % p.k_h, k % p.k_w
    row, column = h * s_h + a - p.p_h * pad, v * s_w + b - p.p_w * pad
    if tested and not (0 <= row < p.i_h + beyond and 0 <= column < p.i_w + beyond):
        return -1
    return ((n * image * p.i_h + row) * p.i_w + column) * p.i_c + c


def _index_tested(p, m, k):
    index = _place(p, m, k, tested=False)
    return index if 0 <= index < p.i_n * p.i_h * p.i_w * p.i_c else -1


def _in_padded(p, m, k):
    padded = ConvProblem(p.i_n, p.padded_h, p.padded_w, p.i_c, p.k_h, p.k_w, p.k_c, p.stride)
    return _place(padded, m, k)


def _cases(rng: np.random.Generator) -> list[tuple]:
    drawn = [(TOY, 0, 0), (TOY, 4, 7), (TOY, 5, 17)]
    for p in (STRIDED, PADDED):
        drawn += [(p, 1, 1), (p, p.pixels - 1, p.window - 1)]
        drawn += [(p, int(rng.integers(p.pixels)), int(rng.integers(p.window))) for _ in range(8)]
    return [*drawn, (PADDED, 0, 0)]


EXERCISE = Exercise(
    name="place", lab=9, reference=place,
    task="Say which value of x row m, column k of the implicit matrix is.",
    calls_allowed=("convladder.problem",), cases=_cases,
    misconceptions=[
        Misconception(
            "the chapter's function", lambda problem, m, k: _place(
                problem, m, k, pad=False, whole=False, tested=False),
            symptom="This is the chapter's function: right for one image without padding.",
            concept="Here `m` goes on into the next image, and windows may begin outside.",
            line="First `n, rest = divmod(m, o_h * o_w)`; subtract the padding; then test whether "
                 "the place is inside."),
        Misconception(
            "channels outermost", lambda problem, m, k: _place(problem, m, k, order="chw"),
            symptom="Right where the window's first channel is meant, else not.",
            concept="The columns of the matrix go through the window as `w[k_h, k_w, i_c]` has "
                    "it: the channel moves fastest, the kernel row slowest.",
            line="`k % i_c` is the channel, `k // i_c % k_w` the kernel's column."),
        Misconception(
            "padding forgotten", lambda problem, m, k: _place(problem, m, k, pad=False),
            symptom="Layers without padding are right.",
            concept="With padding, the first window begins `p_h` rows above the image and `p_w` "
                    "columns to its left.",
            line="Subtract `p_h` from the row, `p_w` from the column."),
        Misconception(
            "stride forgotten", lambda problem, m, k: _place(problem, m, k, stride=(1, 1)),
            symptom="Layers with a stride of 1 are right.",
            concept="Neighbouring output pixels have windows that are a stride apart.",
            line="The window begins at row `h * s_h` and column `v * s_w`, less the padding."),
        Misconception(
            "strides exchanged",
            lambda problem, m, k: _place(problem, m, k, stride=problem.stride[::-1]),
            symptom="Right where both strides are the same.",
            concept="`s_h` goes down the image, `s_w` along its rows.",
            line="Rows take `s_h`, columns `s_w`."),
        Misconception(
            "divided by the image's width",
            lambda problem, m, k: _place(problem, m, k, width=problem.i_w),
            symptom="Right in the first row of outputs, then more and more too far up.",
            concept="`m` counts *output* pixels, of which a row has `o_w`.",
            line="`h, v = divmod(rest, o_w)`."),
        Misconception(
            "down the columns first", lambda problem, m, k: _place(problem, m, k, turned=True),
            symptom="Rows and columns of the output are exchanged.",
            concept="Output pixels are counted as `y[i_n, o_h, o_w, k_c]` lies: along the row.",
            line="`h = rest // o_w`, `v = rest % o_w`."),
        Misconception(
            "one image only", lambda problem, m, k: _place(problem, m, k, image=False),
            symptom="The first image of a batch is right.",
            concept="`m` goes on through the images: each has `o_h * o_w` rows of the matrix, "
                    "and `i_h * i_w * i_c` values of `x`.",
            line="`n, rest = divmod(m, o_h * o_w)`, and `n` is the first index into `x`."),
        Misconception(
            "kernel row and column exchanged",
            lambda problem, m, k: _place(problem, m, k, order="whc"),
            symptom="Your window runs down its columns.",
            concept="The columns of the matrix go through `w[k_h, k_w, i_c]` as it lies: a whole "
                    "kernel row, then the next.",
            line="`a, rest = divmod(k, k_w * i_c)`, then `b, c = divmod(rest, i_c)`."),
        Misconception(
            "place in the padded image", _in_padded,
            symptom="Your places are those of an image with its zeros around it.",
            concept="Nobody has written such an image: `x` is `i_h` by `i_w`, and the window "
                    "begins `p_h` rows above it.",
            line="Subtract the padding from row and column; the index takes `i_h` and `i_w`."),
        Misconception(
            "index tested, not row and column", _index_tested,
            symptom="Right above the first image and below the last; beside a row you give a "
                    "place of another row.",
            concept="An index between 0 and the array's size may still be wrong: column -1 of a "
                    "row is the end of the row before.",
            line="Test `0 <= row < i_h` and `0 <= column < i_w`, before you make an index."),
        Misconception(
            "one row too many", lambda problem, m, k: _place(problem, m, k, beyond=1),
            symptom="Row `i_h` and column `i_w` count as inside.",
            concept="Counted from 0, the last row is `i_h - 1`.",
            line="`row >= i_h` is outside, and so is `column >= i_w`."),
        Misconception(
            "padding read from memory", lambda problem, m, k: _place(problem, m, k, tested=False),
            symptom="Inside the image all is right. Where a zero is meant, you give some place.",
            concept="Padding is nowhere in `x`. Column -1 of a row is, in memory, the end of the "
                    "row before: a number, and the wrong one.",
            line="Return -1 unless `0 <= row < i_h` and `0 <= column < i_w`."),
    ],
)
