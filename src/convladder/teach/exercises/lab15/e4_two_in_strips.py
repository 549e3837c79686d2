"""Lab 15, exercise 4: two convolutions in strips, the map between them never whole."""

from __future__ import annotations

import numpy as np

from ....photo import photo
from ....problem import ConvProblem
from ...grading.exercise import Exercise, Misconception
from . import two_in_strips_wrong as wrong


def two_in_strips(x, w1, w2, p1, p2, rows):
    return wrong.in_strips()(x, w1, w2, p1, p2, rows)


def workspace(x, w1, w2, p1, p2, rows):
    """Allow two strips, the last and the next, of all but the pixels; the output, for those who
    collect its strips before they put them together; the weights."""
    middle = p2.s_h * (rows - 1) + p2.k_h
    pixels = p1.s_h * (middle - 1) + p1.k_h
    values = (
        pixels * p1.padded_w * p1.i_c
        + middle * (p1.o_w + p2.padded_w) * p1.k_c
        + rows * p2.o_w * p2.k_c
    ) * 2
    return 4 * (values + p2.pixels * p2.k_c) + 2 * (w1.nbytes + w2.nbytes)


def amounts(x, w1, w2, p1, p2, rows):
    whole, padded = 4 * p1.pixels * p1.k_c, 4 * p2.i_n * p2.padded_h * p2.padded_w * p2.i_c
    return {
        "the whole map between": whole,
        "the whole map between and a copy of it": 2 * whole,
        "the whole map between and its padded copy": whole + padded,
    }


# Paddings of half a window, of more and of none.
LAYERS = [
    (
        ConvProblem(1, 6, 4, 1, 3, 1, 1, padding=(1, 0)),
        ConvProblem(1, 6, 4, 1, 3, 1, 1, padding=(1, 0)),
        2,
    ),
    (ConvProblem(1, 12, 9, 2, 3, 3, 3, padding=1), ConvProblem(1, 12, 9, 3, 5, 3, 2, 1, (3, 0)), 1),
    (ConvProblem(1, 19, 8, 2, 3, 2, 3, (2, 1), 0), ConvProblem(1, 9, 7, 3, 3, 3, 2, (2, 1), 1), 2),
    (
        ConvProblem(1, 160, 160, 3, 3, 3, 16, padding=1),
        ConvProblem(1, 160, 160, 16, 3, 3, 4, 2, padding=1),
        4,
    ),
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
    name="two_in_strips",
    lab=15,
    reference=two_in_strips,
    contiguous=True,
    task="Run two convolutions strip by strip, without the whole map between them.",
    calls_allowed=("convladder.problem", "convladder.convolve.conv2d"),
    workspace=workspace,
    amounts=amounts,
    cases=_cases,
    misconceptions=[
        Misconception(
            "each strip by itself",
            wrong.each_by_itself,
            choices={"collected": (True,)},
            symptom="Your result is that of strips which are images of their own.",
            concept="Then zeros are put around every strip, where the image goes on. The picture "
            "of chapter 15 shows the lines that this leaves.",
            line="Find the rows that a strip needs, as in exercise 3, for each of the two layers; "
            "convolve without padding, and put zeros only where a map ends.",
        ),
        Misconception(
            "zeros between strips",
            wrong.in_strips(middle=wrong.no_halo_between),
            symptom="Rows at the seams between strips are wrong: there, your middle map ends in "
            "zeros.",
            concept="Zeros belong where the *map* ends. Where only your strip ends, the map goes "
            "on, and its neighbours' rows must be computed too.",
            line="`top, bottom = s_h * begin - p_h, s_h * (end - 1) - p_h + k_h` of the second "
            "layer; zeros only for rows below 0 or from `p1.o_h` on.",
        ),
        Misconception(
            "halo of one layer",
            wrong.in_strips(middle=wrong.halo_of_one),
            symptom="The middle strip is high enough; its first and last rows are wrong.",
            concept="The middle strip has a halo, and to compute it you need a halo of pixels as "
            "well: one for each layer.",
            line="Apply the same two formulas again, with `p1`, to the rows of the middle strip.",
        ),
        Misconception(
            "zeros convolved",
            wrong.in_strips(middle=wrong.zeros_convolved),
            symptom="All is right but rows at the upper or lower edge of the result.",
            concept="Beyond its edge the middle map *is* zero. Convolving a larger rim of zero "
            "pixels makes other values there, which belong to no map.",
            line="Compute only rows from 0 to `p1.o_h` of the middle map, then pad with zeros.",
        ),
        Misconception(
            "height of the image",
            wrong.in_strips(middle=wrong.height_of_the_image),
            symptom="Right where the middle map is as high as the image; else the last rows are "
            "wrong.",
            concept="The middle map has `p1.o_h` rows, the image `p1.i_h`.",
            line="`min(bottom, p1.o_h)`.",
        ),
        Misconception(
            "stride ignored",
            wrong.in_strips(
                lambda p2, begin, end: (
                    begin - p2.p_h,
                    begin - p2.p_h + p2.s_h * (end - begin - 1) + p2.k_h,
                )
            ),
            symptom="The first strip is right; where the second layer has a stride the later ones"
            " begin too early.",
            concept="Output row `begin` looks at middle rows from `s_h * begin - p_h` on.",
            line="Multiply `begin` by `p2.s_h`.",
        ),
        Misconception(
            "padding not taken off",
            wrong.in_strips(lambda p2, begin, end: (p2.s_h * begin, p2.s_h * (end - 1) + p2.k_h)),
            symptom="Your rows are those of `p_h` rows further down.",
            concept="The first window begins in the padding, `p_h` rows above the map.",
            line="`top = p2.s_h * begin - p2.p_h`, and the same `p2.p_h` off `bottom`.",
        ),
        Misconception(
            "the padding times the stride",
            lambda *given, run=wrong.padding_in_steps(): run(*given),
            symptom="Right where the second layer has a vertical stride of 1, or no padding above; "
            "else its strips begin too far up.",
            concept="The stride says how far apart windows are, the padding in which row the first "
            "one begins: `p_h` rows above the map, whatever the stride.",
            line="`top = p2.s_h * begin - p2.p_h`, with no brackets around `begin - p2.p_h`, and "
            "`bottom = p2.s_h * (end - 1) - p2.p_h + p2.k_h`.",
            choices={"run": (wrong.padding_in_steps(both=False),)},
        ),
        Misconception(
            "half a window for the padding",
            lambda *given, run=wrong.in_strips(wrong.half_a_window): run(*given),
            symptom="Right where `p_h` is half of the window; else your rows begin elsewhere.",
            concept="How many rows of zeros there are says `p_h`: it may be more than half of the "
            "window, or 0.",
            line="`s_h * begin - p_h` to `s_h * (end - 1) - p_h + k_h`, for both layers.",
            choices={"run": (wrong.of_half_windows(False), wrong.of_half_windows(True))},
        ),
        Misconception(
            "last strip missing",
            wrong.in_strips(count=lambda o_h, rows: o_h // rows),
            symptom="The last output rows are zero where `rows` does not divide `o_h`.",
            concept="The last strip is shorter, but it is there.",
            line="`for begin in range(0, p2.o_h, rows)`, and `end = min(begin + rows, p2.o_h)`.",
        ),
        Misconception(
            "the whole map between",
            wrong.whole_between,
            symptom="The values are right. You make the whole map between the layers.",
            concept="That map is the largest array of the two layers. A strip of output needs "
            "only a strip of it.",
            line="Call the first layer inside the loop, on the pixels of one strip.",
            choices={"copied": (True,)},
        ),
        Misconception(
            "every strip the first one",
            wrong.first_strip_again,
            symptom="The first strip is right, the others repeat it.",
            concept="Each strip needs pixels of its own.",
            line="`top` and `bottom` follow from this strip's `begin` and `end`.",
        ),
        Misconception(
            "every strip into row 0",
            wrong.from_the_top,
            symptom="All strips were written to the top of the result, one over the other.",
            concept="A strip's rows are counted from 0, the result's from `begin`.",
            line="`y[:, begin:end] = ...`",
        ),
        Misconception(
            "edge repeated between",
            wrong.in_strips(middle=wrong.edge_repeated),
            symptom="Rows at an edge are wrong, above or below, where the middle map ends.",
            concept="Beyond its edge the middle map is zero, not what its last row is.",
            line="Rows of zeros above and below: `np.pad` without a `mode`.",
        ),
        Misconception(
            "one layer's columns of zeros for both",
            wrong.columns_of("first"),
            choices={"whose": ("second", "each other's"), "collected": (False, True)},
            symptom="Right where both layers have the same `p_w`.",
            concept="Each layer has a padding of its own: the image is widened by the first "
            "layer's, the middle map by the second layer's.",
            line="`p1.p_w` columns of zeros around the pixels, `p2.p_w` around the middle strip.",
        ),
        Misconception(
            "one layer's rows of zeros for both",
            wrong.rows_of("first"),
            choices={"whose": ("second",)},
            symptom="Right where both layers have the same `p_h`.",
            concept="Which rows a strip needs is told by the padding of the layer that reads them: "
            "pixels by the first layer's, middle rows by the second layer's.",
            line="`- p2.p_h` for the middle rows, `- p1.p_h` for the pixels.",
        ),
        Misconception(
            "all zeros or none",
            wrong.in_strips(middle=wrong.all_or_none),
            symptom="A strip that lies in the padding in part gets all `p_h` rows of zeros.",
            concept="With few rows a strip, the second one may still begin above the map, by "
            "less than the whole padding.",
            line="As many rows of zeros as are missing: `max(-top, 0)` above, "
            "`max(bottom - p1.o_h, 0)` below.",
        ),
        Misconception(
            "flipped kernel",
            lambda x, w1, w2, p1, p2, rows: two_in_strips(
                x, np.ascontiguousarray(w1[::-1, ::-1]), w2, p1, p2, rows
            ),
            symptom="Your first kernel was turned round.",
            concept="The first weight meets the window's first pixel, in both layers.",
            line="`w1` as it is.",
        ),
        Misconception(
            "float64",
            lambda *given: two_in_strips(*given).astype(np.float64),
            symptom="Your result is float64.",
            concept="`np.zeros` and `np.empty` without a dtype make float64.",
            line="`np.zeros(p2.output_shape, np.float32)`",
        ),
    ],
)
