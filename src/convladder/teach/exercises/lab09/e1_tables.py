"""Lab 09, exercise 1: the implicit matrix without a division: two small tables and a mask."""

from __future__ import annotations

import numpy as np

from ....problem import ConvProblem
from ...grading.exercise import Exercise, Misconception
from ..draws import layer
from . import tables_wrong as wrong

TOY = ConvProblem(1, 4, 5, 2, 2, 2, 1, padding=(0, 1))
WHOLE = ConvProblem(1, 6, 7, 3, 3, 2, 4)
PADDED = ConvProblem(2, 7, 6, 2, 5, 3, 4, stride=(1, 2), padding=(2, 1))


def tables(problem):
    return wrong.made(problem)


EXERCISE = Exercise(
    name="tables", lab=9, reference=tables,
    task="Two tables whose sums are the places of the implicit matrix, and a mask for padding.",
    calls_allowed=("convladder.problem",),
    cases=lambda rng: [(TOY,), (WHOLE,), (layer(rng, 14),), (PADDED,)],
    misconceptions=[
        Misconception(
            "no jump at a kernel row", wrong.edited(jump=False),
            symptom="The first kernel row of each window is right; your step counts straight on.",
            concept="In the image, the next kernel row does not follow the last one: the rest of "
                    "the image's row lies between.",
            line="`a` counts in steps of `i_w * i_c`, not of `k_w * i_c`."),
        Misconception(
            "channels outermost", wrong.edited(order="chw"),
            symptom="Right where there is one channel; else your steps go through the window with"
                    " the channel slowest.",
            concept="Columns go through the window as `w[k_h, k_w, i_c]` has it: the channel moves "
                    "fastest, the kernel row slowest.",
            line="`np.unravel_index(k, (k_h, k_w, i_c))`."),
        Misconception(
            "channels forgotten in base", wrong.edited(channels=False),
            symptom="Your bases count pixels.",
            concept="A pixel is `i_c` values, and places in `x` count values.",
            line="`base = ((n * i_h + row) * i_w + column) * i_c`."),
        Misconception(
            "padding forgotten", wrong.edited(pad=False),
            symptom="Layers without padding are right.",
            concept="With padding, the first window begins `p_h` rows above the image and `p_w` "
                    "columns to its left. Its base is negative, and that is as it should be.",
            line="`row = h * s_h - p_h`, `column = v * s_w - p_w`."),
        Misconception(
            "base clipped at zero", wrong.edited(base=lambda base, p: np.maximum(base, 0)),
            symptom="Where a base should be negative, yours is 0.",
            concept="A base need not lie in the image. The sum of base and step must, and only "
                    "where the mask says so.",
            line="Leave negative bases as they are."),
        Misconception(
            "stride forgotten", wrong.edited(stride=(1, 1)),
            symptom="Layers with a stride of 1 are right.",
            concept="Neighbouring output pixels have windows that begin a stride apart.",
            line="`h * s_h` and `v * s_w`, less the padding."),
        Misconception(
            "strides exchanged", lambda problem: wrong.made(problem, stride=problem.stride[::-1]),
            symptom="Right where both strides are the same.",
            concept="`s_h` goes down the image, `s_w` along its rows.",
            line="Rows take `s_h`, columns `s_w`."),
        Misconception(
            "down the columns first", wrong.edited(turned=True),
            symptom="Your output pixels are counted down the columns, with `o_h` of them in each.",
            concept="Output pixels are counted as `y[i_n, o_h, o_w, k_c]` lies: along the row.",
            line="`np.unravel_index(m, (i_n, o_h, o_w))`."),
        Misconception(
            "one image only", wrong.edited(image=False),
            symptom="The first image of a batch is right.",
            concept="`m` goes on through the images, each of which has `i_h * i_w * i_c` values.",
            line="`n * i_h` more rows for image `n`."),
        Misconception(
            "place in the padded image", wrong.in_padded,
            symptom="Your places are those of an image with its zeros around it.",
            concept="Nobody has written such an image: `x` is `i_h` by `i_w`, and the window "
                    "begins `p_h` rows above it.",
            line="Subtract the padding from row and column, and count with `i_w`."),
        Misconception(
            "index tested, not row and column", wrong.edited(there=wrong.index_tested),
            symptom="Your mask lets places in that lie in another row of the image, or in another"
                    " image.",
            concept="An index within the array may still be wrong: column -1 is the end of the row "
                    "before, and row -1 of the second image lies in the first one.",
            line="Test row and column, before they become an index."),
        Misconception(
            "one row too many", wrong.edited(beyond=1),
            symptom="Your mask counts row `i_h` and column `i_w` as inside.",
            concept="Counted from 0, the last row is `i_h - 1`.",
            line="`row < i_h` and `column < i_w`."),
        Misconception(
            "nothing masked", wrong.edited(there=lambda there, p: np.ones_like(there)),
            symptom="Your mask lets everything in, padding too.",
            concept="Padding is nowhere in `x`: base and step lead to some value there, and to the "
                    "wrong one.",
            line="True where `0 <= row < i_h` and `0 <= column < i_w`."),
        Misconception(
            "mask turned round", wrong.edited(there=lambda there, p: ~there),
            symptom="Your mask marks the padding.",
            concept="`there` says where a value *is*.",
            line="`~there` is what you return now."),
        Misconception(
            "rows tested alone", wrong.edited(there=wrong.rows_tested),
            symptom="Rows above and below the image are masked, columns beside it are not.",
            concept="A window can hang over the left or the right edge, too.",
            line="Test the column as you test the row."),
        Misconception(
            "images as high as the padded one", wrong.padded_images,
            symptom="The first image is right; with rows of padding the next ones begin too late.",
            concept="`x` holds no padding: from one image to the next it is `i_h` rows.",
            line="`(n * i_h + h * s_h - p_h)`, with `i_h` as it is."),
        Misconception(
            "first row and column masked", wrong.first_masked,
            symptom="Row 0 and column 0 of the image count as outside for you.",
            concept="Rows go from 0 to `i_h - 1`, columns from 0 to `i_w - 1`: 0 is inside.",
            line="`>= 0` where you have `> 0`."),
        Misconception(
            "steps in the padded image", wrong.padded_steps,
            symptom="Your kernel rows are a *padded* row apart; the bases are right.",
            concept="`x` has no padding in memory: one row down is `i_w * i_c` values further.",
            line="`(a * i_w + b) * i_c + c`."),
        Misconception(
            "a mask for each value", wrong.edited(
                there=lambda there, p: np.repeat(there, p.i_c, axis=1)),
            symptom="Your mask has a column for each channel of a place.",
            concept="All channels of a place are in the image, or none: one bit says it for all.",
            line="Rows and columns of the `k_h * k_w` places, without the channel."),
        Misconception(
            "mask down the window's columns", wrong.edited(there=wrong.down_the_columns),
            symptom="Base and step are right, and the columns of your mask stand in another order.",
            concept="Places are counted as the step counts them: along a row of the window first.",
            line="`a` in the outer loop, `b` in the inner one."),
        Misconception(
            "window's sides exchanged", wrong.sides_exchanged,
            symptom="Right where the window is square; else your steps and your mask take `k_h` "
                    "for `k_w`.",
            concept="`w` is `[k_h, k_w, i_c]`: a row of the window has `k_w` places.",
            line="`np.unravel_index(..., (k_h, k_w, i_c))`."),
        Misconception(
            "paddings exchanged", lambda problem: wrong.made(
                problem, padding=problem.padding[::-1]),
            symptom="Right where both paddings are the same.",
            concept="`p_h` rows lie above the image, `p_w` columns to its left.",
            line="Rows less `p_h`, columns less `p_w`."),
        Misconception(
            "counted by padded rows", wrong.padded_rows,
            symptom="Where there is no padding beside the image all is right; else your rows are "
                    "as long as padded ones.",
            concept="The padding is not in memory. A row of `x` is `i_w * i_c` values long.",
            line="`i_w`, in base and in step."),
        Misconception(
            "place in the output", wrong.places_of_outputs,
            symptom="Your bases are places of the output pixels, as if `x` were as small as `y`.",
            concept="Windows begin at row `h * s_h - p_h`, column `v * s_w - p_w` of the *image*.",
            line="`((n * i_h + h * s_h - p_h) * i_w + v * s_w - p_w) * i_c`."),
        Misconception(
            "a step for each place, not each value", wrong.edited(
                step=lambda step, p: step[::p.i_c]),
            symptom="Your steps leave the channels out: there is one for each place of the window.",
            concept="A column is one channel of one place: there are `k_h * k_w * i_c`.",
            line="`... * i_c + c`, for every `c`."),
        Misconception(
            "mask turned over", wrong.edited(there=lambda there, p: there.T.copy()),
            symptom="Your mask has the places down and the pixels across.",
            concept="`there[m, place]`: a row for each output pixel, as in the matrix.",
            line="`rows[:, None]` are the pixels, the window's places go across."),
        Misconception(
            "height for width", wrong.sides_of_the_image_exchanged,
            symptom="Right for square images; else your rows are `i_h` long, in base and in step.",
            concept="A row of `x[i_n, i_h, i_w, i_c]` has `i_w` pixels. `i_h` says how many rows "
                    "an image has.",
            line="`((n * i_h + row) * i_w + column) * i_c`, and `(a * i_w + b) * i_c + c`."),
        Misconception(
            "stride forgotten in the mask", wrong.masked_with(stride=(1, 1)),
            symptom="Base and step are right, and your mask with strides of 1; else it tests rows"
                    " and columns of windows that lie one apart.",
            concept="The place that is tested is the one that is read: row `h * s_h - p_h + a`.",
            line="The same row and column for the mask as for the base."),
        Misconception(
            "padding forgotten in the mask", wrong.masked_with(pad=False),
            symptom="Base and step are right, and your mask without padding; else it tests places"
                    " `p_h` rows and `p_w` columns too far on.",
            concept="The window begins `p_h` rows above the image. These are the rows that are "
                    "not there.",
            line="`row = h * s_h - p_h + a` is what must lie from 0 to `i_h - 1`."),
        Misconception(
            "padding added", lambda problem: wrong.made(
                problem, padding=(-problem.p_h, -problem.p_w)),
            symptom="Layers without padding are right; else your windows begin twice the padding "
                    "too far down and right.",
            concept="Padding lies before the image, so the first window begins at a negative row.",
            line="`h * s_h - p_h`, with a minus."),
        Misconception(
            "steps without their channels", wrong.edited(
                step=lambda step, p: (step - step % p.i_c) // p.i_c + step % p.i_c),
            symptom="Right where there is one channel; else your steps from place to place are "
                    "one value, not one pixel.",
            concept="A pixel is `i_c` values: the next place is as many further on.",
            line="The place's number, `a * i_w + b`, times `i_c`, plus `c`."),
        Misconception(
            "output's height for its width", wrong.rows_of_outputs_as_long_as_high,
            symptom="Right where the output is square; else your output pixels are taken apart by"
                    " `o_h`.",
            concept="`m` counts along a row of the output, and that has `o_w` pixels.",
            line="`h = m // o_w % o_h`, `v = m % o_w`."),
        Misconception(
            "images by pixels", wrong.images_by_pixels,
            symptom="The first image is right; the bases of the others are too small where there "
                    "are several channels.",
            concept="An image is `i_h * i_w` pixels of `i_c` values each.",
            line="`n * i_h * i_w * i_c`."),
        Misconception(
            "columns tested alone", wrong.edited(there=wrong.columns_tested),
            symptom="Columns beside the image are masked, rows above and below it are not.",
            concept="A window can hang over the upper or the lower edge, too.",
            line="Test the row as you test the column."),
        Misconception(
            "one of two paddings", wrong.one_padding,
            symptom="One of your paddings is left out of base and mask: right where it is 0.",
            concept="`p_h` rows lie above the image, and `p_w` columns beside it.",
            line="`- p_h` for rows *and* `- p_w` for columns.",
            choices={"rows": (False,)}),
        Misconception(
            "steps backwards", wrong.edited(step=lambda step, p: step[::-1].copy()),
            symptom="Your steps are right, in reverse order.",
            concept="Deep learning's convolution does not turn the kernel round: weight (0, 0) "
                    "meets the window's first pixel.",
            line="`a`, `b` and `c` upwards from 0."),
        Misconception(
            "begun at the image's edge", wrong.clipped_at_the_image,
            symptom="Windows that begin in the padding have the base of the image's first row or "
                    "column.",
            concept="Then all of such a window is moved: its later places are wrong too. A base "
                    "need not lie in the image, only what the mask lets in.",
            line="`h * s_h - p_h` and `v * s_w - p_w` as they are, also below 0."),
        Misconception(
            "index tested within its image", wrong.edited(there=wrong.index_tested_by_image),
            symptom="Your mask is right without padding beside the image; with it, places of "
                    "another row are let in.",
            concept="A place to the left of a row is the end of the row before: it lies in the "
                    "image, but is not the pixel that is meant.",
            line="Row and column are tested by themselves, not the index that they make."),
    ],
)
