"""Lab 05, exercise 6: a convolution of one's own, without any workspace."""

from __future__ import annotations

import numpy as np

from ....cpu.im2col import pad
from ....problem import ConvProblem
from ....registry import get_method
from ...grading.exercise import Exercise, Misconception
from . import direct_wrong as wrong
from .race import race


def direct_conv(x, w, problem):
    return get_method("loops_numba").run(x, w, problem)


LAYERS = (
    ConvProblem(1, 4, 3, 1, 2, 2, 1),
    ConvProblem(2, 7, 9, 3, 3, 2, 5, stride=(2, 3)),
    ConvProblem(2, 6, 5, 2, 3, 4, 7, stride=(3, 2), padding=(2, 3)),
    ConvProblem(2, 34, 30, 16, 3, 3, 16, padding=1),
)


def _layers(rng: np.random.Generator) -> list[tuple]:
    return [
        (
            rng.standard_normal(p.input_shape, dtype=np.float32),
            rng.standard_normal(p.kernel_shape, dtype=np.float32),
            p,
        )
        for p in LAYERS
    ]


EXERCISE = Exercise(
    name="direct_conv",
    lab=5,
    reference=direct_conv,
    calls_allowed=("convladder.problem",),
    task="Convolve without any workspace.",
    cases=_layers,
    workspace=lambda x, w, problem: 0,
    use=race,
    misconceptions=[
        Misconception(
            "lowered",
            wrong.lowered,
            symptom="The values are right, and the bytes are im2col's.",
            concept="A kernel row of a pixel lies in the image as one run. Nothing need be copied "
            "to multiply it.",
            line="Read `x[n, row, column, c]` in the innermost loops instead of a matrix.",
        ),
        Misconception(
            "padded copy",
            wrong.padded_copy,
            symptom="The values are right, in as many bytes as a padded copy of the image takes.",
            concept="A zero need not be stored to be added: a position outside of the image adds "
            "nothing.",
            line="Leave out kernel rows and columns that lie outside: `if 0 <= row < i_h and "
            "0 <= column < i_w`.",
        ),
        Misconception(
            "products of whole images",
            wrong.shifted_and_added,
            symptom="The values are right. Your bytes are about those of a padded image and one "
            "more result. (The image in float64, padded or not, takes about as much.)",
            concept="A loop over the weights with NumPy multiplies a whole image at a time, and "
            "each product is an array before it is added; `astype` makes a copy as well. A "
            "loop over pixels needs a few sums.",
            line="Loop over `n`, `h` and `v` outside, over the window inside, in a compiled "
            "function that reads `x` and `w` as they are: no padded copy, no `astype`.",
        ),
        Misconception(
            "result in float64 first",
            wrong.in_float64,
            symptom="The values are right. Besides your result there is twice its size: as much "
            "as it takes in float64.",
            concept="`np.zeros` and `np.empty` give float64 unless they are told otherwise, and "
            "`astype`, `copy` and sums of whole arrays make one more. (The image in float64 "
            "would take as much here.)",
            line="One `y = np.zeros(problem.output_shape, np.float32)`, written in place and "
            "returned as it is.",
        ),
        Misconception(
            "one more result",
            wrong.copied,
            symptom="The values are right. Besides your result there is as much again as it takes.",
            concept="`copy`, `astype` and sums or products of whole arrays make one more array.",
            line="Write into one `y`, and return this `y` itself.",
        ),
        Misconception(
            "loop left at the edge",
            wrong.until_the_edge,
            symptom="Layers without padding are right. With it, windows that begin outside of the "
            "image are cut off there.",
            concept="`break` ends the loop. Where a window begins left of the image, or above it, "
            "the columns or rows inside are still to come.",
            line="Leave out this one place and go on: `continue`, or an `if` around the sum, and "
            "nothing that ends the loop.",
            choices={"rows": (True, "both")},
        ),
        Misconception(
            "around the edge",
            wrong.around,
            symptom="Layers without padding are right. With padding, the top and left are wrong.",
            concept="An index of -1 is the *last* row in Python, and in Numba as well.",
            line="Test `row >= 0` and `column >= 0`, not only the far side.",
        ),
        Misconception(
            "centred whatever the padding",
            wrong.centred,
            choices={"down": (1,)},
            symptom="Your windows begin as if they were centred on a pixel, whatever the padding "
            "is.",
            concept="Half a kernel is the padding that keeps a layer's size. Layers here have the "
            "padding that `problem` says, often none.",
            line="Subtract `p_h` and `p_w`, not a half of `k_h` and `k_w`.",
        ),
        Misconception(
            "stride within the window",
            wrong.spread,
            symptom="Layers of stride 1 are right; in others the pixels of your windows lie a "
            "stride apart.",
            concept="The stride moves the window. Inside it pixels are neighbours.",
            line="`s_h * h + a - p_h`, not `s_h * (h + a) - p_h`, and so for the columns.",
        ),
        Misconception(
            "padding times the stride",
            wrong.padding_first,
            symptom="Layers without padding are right, and those of stride 1; in others windows "
            "begin too far up or to the left.",
            concept="The stride is a step of the *window*. The padding is in pixels: it is taken "
            "off behind, and not multiplied.",
            line="`s_h * h + a - p_h`, not `s_h * (h - p_h) + a`, and so for the columns.",
        ),
        Misconception(
            "no windows over the edge",
            wrong.whole_windows,
            choices={"left": (float("nan"),)},
            symptom="Layers without padding are right. With it, you leave out the windows that "
            "stick out of the image.",
            concept="A window that sticks out has fewer pixels, not none: those that are inside "
            "are summed.",
            line="Ask for each pixel by itself whether it is inside, not once for the window.",
        ),
        Misconception(
            "stride ignored",
            wrong.with_stride(lambda p: 1, lambda p: 1),
            symptom="Layers of stride 1 are right; others show the image's top left corner.",
            concept="Output row `h` begins at image row `s_h * h - p_h`.",
            line="Multiply `h` by `s_h` and `v` by `s_w`.",
        ),
        Misconception(
            "strides exchanged",
            wrong.with_stride(lambda p: p.s_w, lambda p: p.s_h),
            symptom="Wrong only where the strides down and across differ.",
            concept="`s_h` is the step from one output *row* to the next.",
            line="`s_h * h` for rows, `s_w * v` for columns.",
        ),
        Misconception(
            "one image only",
            wrong.first_image,
            symptom="The first image of a batch is right, the others are not.",
            concept="`x` and `y` have a batch axis in front.",
            line="Loop over `n` in `range(len(x))`, with no `return` or `break` in that loop.",
        ),
        Misconception(
            "added to what was there",
            wrong.never_cleared,
            symptom="All of your result is NaN, what `np.empty` holds here: your sums were added "
            "to it, or nothing was written.",
            concept="`np.empty` holds anything, and `+=` keeps it.",
            line="Begin with `np.zeros`, or set the sums of a pixel to 0 before its window.",
        ),
        Misconception(
            "held at the edge",
            wrong.with_image(wrong.held_at_the_edge),
            symptom="Layers without padding are right. With padding, the border sees its own "
            "edge again.",
            concept="A position outside of the image is 0, whatever its neighbour inside is.",
            line='Skip it: no `min(max(row, 0), i_h - 1)`, and no `mode="edge"`.',
        ),
        Misconception(
            "padding not taken off",
            wrong.with_image(wrong.from_the_corner),
            symptom="Layers without padding are right; in others all is shifted by the padding.",
            concept="Output row `h` begins at image row `s_h * h - p_h`, which may be negative.",
            line="Subtract `p_h` from rows and `p_w` from columns, and leave out what is then "
            "below 0.",
        ),
        Misconception(
            "paddings exchanged",
            wrong.with_image(wrong.paddings_exchanged),
            symptom="Right where both paddings are equal.",
            concept="`p_h` is rows of zeros, above and below.",
            line="`s_h * h + a - p_h` for rows, `s_w * v + b - p_w` for columns.",
        ),
        Misconception(
            "numbers handed over in another order",
            lambda x, w, problem, order=(0, 2, 1, 3): wrong.handed_over(order)(x, w, problem),
            symptom="Strides stand where paddings belong, or paddings where strides belong.",
            concept="A compiled function knows its arguments by their order alone.",
            line="Compare the order of `s_h, s_w, p_h, p_w` wherever it is written twice: in the "
            "call and in the `def`, or on both sides of a `=`.",
            choices={"order": ((2, 3, 0, 1), (2, 0, 3, 1))},
        ),
        Misconception(
            "both pairs exchanged",
            wrong.handed_over((1, 0, 3, 2)),
            symptom="Right where both strides are equal, and both paddings.",
            concept="Pairs are (vertical, horizontal): the first number belongs to the rows.",
            line="`s_h, s_w = problem.stride` and `p_h, p_w = problem.padding`, in this order "
            "wherever they go.",
        ),
        Misconception(
            "flipped kernel",
            wrong.with_image(pad, lambda w: w[::-1, ::-1]),
            symptom="Your values are those of a kernel that is turned round.",
            concept="The first weight meets the window's first pixel.",
            line="`w[a, b]` with the same `a`, `b` that you add to the position.",
        ),
        Misconception(
            "kernel on its side",
            wrong.with_image(
                pad, lambda w: w.reshape(w.shape[1], w.shape[0], *w.shape[2:]).swapaxes(0, 1)
            ),
            symptom="Right where the kernel is one pixel wide or high.",
            concept="`w[k_h, k_w, i_c, k_c]`: the row comes first.",
            line="`w[a, b, c, k]`, `a` for rows.",
        ),
        Misconception(
            "weights' row and column exchanged",
            wrong.weights_exchanged,
            symptom="With you each weight meets the pixel of another one. Of a kernel that is not "
            "square, you ask for weights that there are not.",
            concept="In `w[k_h, k_w, i_c, k_c]` the first index goes down, as the image's rows do.",
            line="`w[a, b]`, where `a` is what you add to the row, and `b` to the column.",
        ),
        Misconception(
            "sum never added up",
            wrong.the_last,
            choices={"of": ("channels",)},
            symptom="You keep what the end of a window gives, and not the sum of all of it.",
            concept="Each product is added to those before it. `=` puts it in their place, and a "
            "sum that begins anew forgets them.",
            line="`+=`, for every place of the window and every channel, to a sum that is set to 0 "
            "once for each pixel.",
        ),
        Misconception(
            "window that stands still",
            wrong.standing,
            choices={"down": (False, None)},
            symptom="Within a window of yours, rows or columns (or both) do not move on: several "
            "weights meet one and the same pixel.",
            concept="Weight (a, b) meets the pixel that lies `a` rows below the window's corner, "
            "and `b` columns to its right.",
            line="`s_h * h + a - p_h` is the row, `s_w * v + b - p_w` the column.",
        ),
        Misconception(
            "first channel only",
            wrong.with_image(wrong.one_channel),
            symptom="Right for one channel.",
            concept="An output value is a sum over all channels of the window.",
            line="A loop over every `c` up to `i_c`, inside of those over `a` and `b`.",
        ),
        Misconception(
            "sums carried on",
            wrong.summed_on,
            choices={"over": ("pixels", "columns", "image")},
            symptom="Your first sums are right; later ones have those before them in theirs.",
            concept="A sum begins anew for each output pixel.",
            line="Set the sums to 0 inside the loops over n, h and v, before those over the "
            "window.",
        ),
    ],
)
