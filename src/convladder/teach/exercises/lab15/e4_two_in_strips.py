"""Lab 15, exercise 4: two convolutions in strips, the map between them never whole."""

from __future__ import annotations

import numpy as np

from ....convolve import conv2d
from ....problem import ConvProblem
from ...display.photo import photo
from ...grading.exercise import Exercise, Misconception


def two_in_strips(x, w1, w2, p1, p2, rows):
    return _in_strips()(x, w1, w2, p1, p2, rows)


def cut(x, top, bottom, p_w):
    """Return rows `top` to `bottom` of a map, zeros where none are, with `p_w` columns of zeros."""
    inside = x[:, max(top, 0) : min(bottom, x.shape[1])]
    above, below = max(-top, 0), max(bottom - x.shape[1], 0)
    return np.pad(inside, ((0, 0), (above, below), (p_w, p_w), (0, 0)))


def needs(p, begin, end):
    return p.s_h * begin - p.p_h, p.s_h * (end - 1) - p.p_h + p.k_h


def _conv(x, w, p):
    return conv2d(x, w, stride=p.stride, method="microkernel")


def _in_strips(first=lambda p2, begin, end: needs(p2, begin, end), middle=None,
               count=lambda o_h, rows: -(-o_h // rows)):
    def run(x, w1, w2, p1, p2, rows):
        y = np.zeros(p2.output_shape, np.float32)
        for number in range(count(p2.o_h, rows)):
            begin, end = number * rows, min(number * rows + rows, p2.o_h)
            top, bottom = first(p2, begin, end)
            part = (middle or _middle)(x, w1, p1, p2, top, bottom, begin, end)
            y[:, begin:end] = _conv(part, w2, p2)
        return y
    return run


def _middle(x, w1, p1, p2, top, bottom, begin, end, keep=lambda a, b: (a, b)):
    """Return rows `top` to `bottom` of the map between, in zeros: those that are there are made."""
    a, b = max(top, 0), min(bottom, p1.o_h)
    a, b = keep(a, b)
    made = _conv(cut(x, *needs(p1, a, b), p1.p_w), w1, p1)
    return np.pad(made, ((0, 0), (a - top, bottom - b), (p2.p_w, p2.p_w), (0, 0)))


def _no_halo_between(x, w1, p1, p2, top, bottom, begin, end):
    last = min(p2.s_h * (end - 1) + p2.s_h, p1.o_h)
    return _middle(x, w1, p1, p2, top, bottom, begin, end,
                   lambda a, b: (max(a, p2.s_h * begin), min(b, last)))


def _halo_of_one(x, w1, p1, p2, top, bottom, begin, end):
    """Take the pixels under the middle strip, zeros around them."""
    a, b = max(top, 0), min(bottom, p1.o_h)
    strip = np.zeros((1, p1.s_h * (b - a - 1) + p1.k_h, p1.padded_w, p1.i_c), np.float32)
    low, high = p1.s_h * a, min(p1.s_h * b, p1.i_h)
    strip[:, p1.p_h : p1.p_h + high - low, p1.p_w : p1.p_w + p1.i_w] = x[:, low:high][
        :, : strip.shape[1] - p1.p_h]
    made = _conv(strip, w1, p1)
    return np.pad(made, ((0, 0), (a - top, bottom - b), (p2.p_w, p2.p_w), (0, 0)))


def _zeros_convolved(x, w1, p1, p2, top, bottom, begin, end):
    """Put zeros round the image alone: the middle map goes on where it has ended."""
    made = _conv(cut(x, *needs(p1, top, bottom), p1.p_w), w1, p1)
    return np.pad(made, ((0, 0), (0, 0), (p2.p_w, p2.p_w), (0, 0)))


def _height_of_the_image(x, w1, p1, p2, top, bottom, begin, end):
    return _middle(x, w1, p1, p2, top, bottom, begin, end,
                   lambda a, b: (a, min(bottom, p1.i_h)))


def _first_strip_again(x, w1, w2, p1, p2, rows):
    y = two_in_strips(x, w1, w2, p1, p2, rows)
    for begin in range(rows, p2.o_h, rows):
        part = y[:, begin : begin + rows]
        part[...] = y[:, : part.shape[1]].copy()
    return y


def _from_the_top(x, w1, w2, p1, p2, rows):
    """Write every strip into the first rows."""
    right = two_in_strips(x, w1, w2, p1, p2, rows)
    y = np.full_like(right, np.nan)
    for begin in range(0, p2.o_h, rows):
        part = right[:, begin : begin + rows]
        y[:, : part.shape[1]] = part
    return y


def _edge_of_the_middle(x, w1, p1, p2, top, bottom, begin, end):
    a, b = max(top, 0), min(bottom, p1.o_h)
    made = _conv(cut(x, *needs(p1, a, b), p1.p_w), w1, p1)
    made = np.pad(made, ((0, 0), (a - top, bottom - b), (0, 0), (0, 0)), mode="edge")
    return np.pad(made, ((0, 0), (0, 0), (p2.p_w, p2.p_w), (0, 0)))


def _whole_middle(x, w1, w2, p1, p2, rows, copied=False):
    middle = conv2d(x, w1, stride=p1.stride, padding=p1.padding, method="microkernel")
    if not copied:
        return conv2d(middle, w2, stride=p2.stride, padding=p2.padding, method="microkernel")
    middle = np.pad(middle, ((0, 0), (p2.p_h, p2.p_h), (p2.p_w, p2.p_w), (0, 0)))
    found = []
    for begin in range(0, p2.o_h, rows):
        first, last = p2.s_h * begin, p2.s_h * (min(begin + rows, p2.o_h) - 1) + p2.k_h
        found.append(_conv(np.ascontiguousarray(middle[:, first:last]), w2, p2))
    return np.concatenate(found, axis=1)


def _each_by_itself(x, w1, w2, p1, p2, rows):
    step, y = p1.s_h * p2.s_h, np.zeros(p2.output_shape, np.float32)
    for begin in range(0, p2.o_h, rows):
        end = min(begin + rows, p2.o_h)
        strip = x[:, step * begin : step * end]
        y[:, begin:end] = _whole_middle(strip, w1, w2, p1, p2, rows)
    return y


def workspace(x, w1, w2, p1, p2, rows):
    """Allow two strips, the last and the next, of all but the pixels; the output, for those who
    collect its strips before they put them together; the weights."""
    middle = p2.s_h * (rows - 1) + p2.k_h
    pixels = p1.s_h * (middle - 1) + p1.k_h
    values = (pixels * p1.padded_w * p1.i_c + middle * (p1.o_w + p2.padded_w) * p1.k_c
              + rows * p2.o_w * p2.k_c) * 2
    return 4 * (values + p2.pixels * p2.k_c) + 2 * (w1.nbytes + w2.nbytes)


def amounts(x, w1, w2, p1, p2, rows):
    whole, padded = 4 * p1.pixels * p1.k_c, 4 * p2.i_n * p2.padded_h * p2.padded_w * p2.i_c
    return {"the whole map between": whole, "the whole map between and a copy of it": 2 * whole,
            "the whole map between and its padded copy": whole + padded}


LAYERS = [
    (ConvProblem(1, 6, 4, 1, 3, 1, 1, padding=(1, 0)),
     ConvProblem(1, 6, 4, 1, 3, 1, 1, padding=(1, 0)), 2),
    (ConvProblem(1, 12, 9, 2, 3, 3, 3, padding=1), ConvProblem(1, 12, 9, 3, 5, 3, 2, 1, (2, 1)), 3),
    (ConvProblem(1, 18, 8, 2, 3, 3, 3, (2, 1), 1), ConvProblem(1, 9, 8, 3, 3, 3, 2, (2, 1), 1), 2),
    (ConvProblem(1, 160, 160, 3, 3, 3, 16, padding=1),
     ConvProblem(1, 160, 160, 16, 3, 3, 4, 2, padding=1), 4),
]


def _cases(rng):
    def weights(p):
        return rng.standard_normal(p.kernel_shape, np.float32) * np.float32(p.window**-0.5)

    def image(p):
        if p.i_c == 1:
            return np.arange(1, 25, dtype=np.float32).reshape(p.input_shape)
        if p.i_h == 160:
            return photo(160)[None] - np.float32(0.4)
        return rng.standard_normal(p.input_shape, np.float32)
    return [(image(p1), weights(p1), weights(p2), p1, p2, rows) for p1, p2, rows in LAYERS]


EXERCISE = Exercise(
    name="two_in_strips", lab=15, reference=two_in_strips, contiguous=True,
    task="Run two convolutions strip by strip, without the whole map between them.",
    calls_allowed=("convladder.problem", "convladder.convolve.conv2d"),
    workspace=workspace, amounts=amounts, cases=_cases,
    misconceptions=[
        Misconception(
            "each strip by itself", _each_by_itself,
            symptom="You run each strip as if it were an image of its own.",
            concept="Then zeros are put around every strip, where the image goes on. The picture "
                    "of chapter 15 shows the lines that this leaves.",
            line="Find the rows that a strip needs, as in exercise 3, for each of the two layers; "
                 "convolve without padding, and put zeros only where a map ends."),
        Misconception(
            "zeros between strips", _in_strips(middle=_no_halo_between),
            symptom="Rows at the seams between strips are wrong: there, your middle map ends in "
                    "zeros.",
            concept="Zeros belong where the *map* ends. Where only your strip ends, the map goes "
                    "on, and its neighbours' rows must be computed too.",
            line="`top, bottom = s_h * begin - p_h, s_h * (end - 1) - p_h + k_h` of the second "
                 "layer; zeros only for rows below 0 or from `p1.o_h` on."),
        Misconception(
            "halo of one layer", _in_strips(middle=_halo_of_one),
            symptom="The middle strip is high enough; its first and last rows are wrong.",
            concept="The middle strip has a halo, and to compute it you need a halo of pixels as "
                    "well: one for each layer.",
            line="Apply the same two formulas again, with `p1`, to the rows of the middle strip."),
        Misconception(
            "zeros convolved", _in_strips(middle=_zeros_convolved),
            symptom="All is right but rows at the upper and lower edge of the result.",
            concept="Beyond its edge the middle map *is* zero. Convolving a larger rim of zero "
                    "pixels makes other values there, which belong to no map.",
            line="Compute only rows from 0 to `p1.o_h` of the middle map, then pad with zeros."),
        Misconception(
            "height of the image", _in_strips(middle=_height_of_the_image),
            symptom="Right where the middle map is as high as the image; else the last rows are "
                    "wrong.",
            concept="The middle map has `p1.o_h` rows, the image `p1.i_h`.",
            line="`min(bottom, p1.o_h)`."),
        Misconception(
            "stride ignored", _in_strips(
                lambda p2, begin, end: (begin - p2.p_h,
                                        begin - p2.p_h + p2.s_h * (end - begin - 1) + p2.k_h)),
            symptom="The first strip is right; where the second layer has a stride the later ones"
                    " begin too early.",
            concept="Output row `begin` looks at middle rows from `s_h * begin - p_h` on.",
            line="Multiply `begin` by `p2.s_h`."),
        Misconception(
            "padding not taken off", _in_strips(
                lambda p2, begin, end: (p2.s_h * begin, p2.s_h * (end - 1) + p2.k_h)),
            symptom="Your rows are those of `p_h` rows further down.",
            concept="The first window begins in the padding, `p_h` rows above the map.",
            line="`top = p2.s_h * begin - p2.p_h`."),
        Misconception(
            "last strip missing", _in_strips(count=lambda o_h, rows: o_h // rows),
            symptom="The last output rows are zero where `rows` does not divide `o_h`.",
            concept="The last strip is shorter, but it is there.",
            line="`for begin in range(0, p2.o_h, rows)`, and `end = min(begin + rows, p2.o_h)`."),
        Misconception(
            "the whole map between", _whole_middle,
            symptom="The values are right. You make the whole map between the layers.",
            concept="That map is the largest array of the two layers. A strip of output needs "
                    "only a strip of it.",
            line="Call the first layer inside the loop, on the pixels of one strip.",
            choices={"copied": (True,)}),
        Misconception(
            "every strip the first one", _first_strip_again,
            symptom="The first strip is right, the others repeat it.",
            concept="Each strip needs pixels of its own.",
            line="`top` and `bottom` follow from this strip's `begin` and `end`."),
        Misconception(
            "every strip into row 0", _from_the_top,
            symptom="All strips were written to the top of the result, one over the other.",
            concept="A strip's rows are counted from 0, the result's from `begin`.",
            line="`y[:, begin:end] = ...`"),
        Misconception(
            "edge repeated between", _in_strips(middle=_edge_of_the_middle),
            symptom="The first and the last rows are wrong, where the middle map ends.",
            concept="Beyond its edge the middle map is zero, not what its last row is.",
            line='`np.pad(...)` without `mode="edge"`.'),
        Misconception(
            "flipped kernel",
            lambda x, w1, w2, p1, p2, rows: two_in_strips(
                x, np.ascontiguousarray(w1[::-1, ::-1]), w2, p1, p2, rows),
            symptom="Your first kernel was turned round.",
            concept="The first weight meets the window's first pixel, in both layers.",
            line="`w1` as it is."),
        Misconception(
            "float64", lambda *given: two_in_strips(*given).astype(np.float64),
            symptom="Your result is float64.",
            concept="`np.empty` without a dtype makes float64.",
            line="`np.empty(p2.output_shape, np.float32)`"),
    ],
)
