"""Usual mistakes of base and step, with their hints: lab 09, exercise 1."""

from __future__ import annotations

import numpy as np

from ...grading.exercise import Misconception
from . import tables_wrong as wrong

PLACES = [
    Misconception(
        "no jump at a kernel row",
        wrong.edited(jump=False),
        symptom="The first kernel row of each window is right; your step counts straight on.",
        concept="In the image, the next kernel row does not follow the last one: the rest of "
        "the image's row lies between.",
        line="From one kernel row to the next it is `i_w * i_c` values, not `k_w * i_c`.",
    ),
    Misconception(
        "channels outermost",
        wrong.edited(order="chw"),
        symptom="Right where there is one channel; else your steps go through the window with"
        " the channel slowest.",
        concept="Columns go through the window as `w[k_h, k_w, i_c]` has it: the channel moves "
        "fastest, the kernel row slowest.",
        line="`a, b, c = np.unravel_index(k, (k_h, k_w, i_c))`.",
    ),
    Misconception(
        "channels forgotten in base",
        wrong.edited(channels=False),
        symptom="Your bases count pixels.",
        concept="A pixel is `i_c` values, and places in `x` count values.",
        line="`base = ((n * i_h + row) * i_w + column) * i_c`.",
    ),
    Misconception(
        "padding forgotten",
        wrong.edited(pad=False),
        symptom="Layers without padding are right.",
        concept="With padding, the first window begins `p_h` rows above the image and `p_w` "
        "columns to its left. Its base is negative, and that is as it should be.",
        line="`row = h * s_h - p_h`, `column = v * s_w - p_w`.",
    ),
    Misconception(
        "base clipped at zero",
        wrong.edited(base=lambda base, p: np.maximum(base, 0)),
        symptom="Where a base should be negative, yours is 0.",
        concept="A base need not lie in the image. The sum of base and step must, and only "
        "where the mask says so.",
        line="Leave negative bases as they are.",
    ),
    Misconception(
        "stride forgotten",
        wrong.edited(stride=(1, 1)),
        symptom="Layers with a stride of 1 are right.",
        concept="Neighbouring output pixels have windows that begin a stride apart.",
        line="`h * s_h` and `v * s_w`, less the padding.",
    ),
    Misconception(
        "strides exchanged",
        lambda problem: wrong.made(problem, stride=problem.stride[::-1]),
        symptom="Right where both strides are the same.",
        concept="`s_h` goes down the image, `s_w` along its rows.",
        line="Rows take `s_h`, columns `s_w`.",
    ),
    Misconception(
        "down the columns first",
        wrong.edited(turned=True),
        symptom="Your output pixels are counted down the columns, with `o_h` of them in each.",
        concept="Output pixels are counted as `y[i_n, o_h, o_w, k_c]` lies: along the row.",
        line="`n, h, v = np.unravel_index(m, (i_n, o_h, o_w))`.",
    ),
    Misconception(
        "one image only",
        wrong.edited(image=False),
        symptom="The first image of a batch is right.",
        concept="`m` goes on through the images, each of which has `i_h * i_w * i_c` values.",
        line="`n * i_h` more rows for image `n`.",
    ),
    Misconception(
        "place in the padded image",
        wrong.in_padded,
        symptom="Your places are those of an image with its zeros around it.",
        concept="Nobody has written such an image: `x` is `i_h` by `i_w`, and the window "
        "begins `p_h` rows above it.",
        line="`((n * i_h + h * s_h - p_h) * i_w + v * s_w - p_w) * i_c`, and a step of `(a * i_w + "
        "b) * i_c + c`.",
    ),
    Misconception(
        "images as high as the padded one",
        wrong.padded_images,
        symptom="The first image is right; with rows of padding the next ones begin too late.",
        concept="`x` holds no padding: from one image to the next it is `i_h` rows.",
        line="`(n * i_h + h * s_h - p_h)`, with `i_h` as it is.",
    ),
    Misconception(
        "steps in the padded image",
        wrong.padded_steps,
        symptom="Your kernel rows are a *padded* row apart; the bases are right.",
        concept="`x` has no padding in memory: one row down is `i_w * i_c` values further.",
        line="`(a * i_w + b) * i_c + c`.",
    ),
    Misconception(
        "window's sides exchanged",
        wrong.sides_exchanged,
        symptom="Right where the window is square; else your steps and your mask take `k_h` "
        "for `k_w`.",
        concept="`w` is `[k_h, k_w, i_c]`: a row of the window has `k_w` places.",
        line="`a, b, c = np.unravel_index(k, (k_h, k_w, i_c))`, and for the mask's places "
        "`a[::i_c]`, `b[::i_c]`.",
    ),
    Misconception(
        "paddings exchanged",
        lambda problem: wrong.made(problem, padding=problem.padding[::-1]),
        symptom="Right where both paddings are the same.",
        concept="`p_h` rows lie above the image, `p_w` columns to its left.",
        line="Rows less `p_h`, columns less `p_w`.",
    ),
    Misconception(
        "counted by padded rows",
        wrong.padded_rows,
        symptom="Where there is no padding beside the image all is right; else your rows are "
        "as long as padded ones.",
        concept="The padding is not in memory. A row of `x` is `i_w * i_c` values long.",
        line="`i_w`, in base and in step.",
    ),
    Misconception(
        "place in the output",
        wrong.places_of_outputs,
        symptom="Your bases are places of the output pixels, as if `x` were as small as `y`.",
        concept="Windows begin at row `h * s_h - p_h`, column `v * s_w - p_w` of the *image*.",
        line="`((n * i_h + h * s_h - p_h) * i_w + v * s_w - p_w) * i_c`.",
    ),
    Misconception(
        "a step for each place, not each value",
        wrong.edited(step=lambda step, p: step[:: p.i_c]),
        symptom="Your steps leave the channels out: there is one for each place of the window.",
        concept="A column is one channel of one place: there are `k_h * k_w * i_c`.",
        line="`(a * i_w + b) * i_c + c`, for every `c`.",
    ),
    Misconception(
        "height for width",
        wrong.sides_of_the_image_exchanged,
        symptom="Right for square images; else your rows are `i_h` long, in base and in step.",
        concept="A row of `x[i_n, i_h, i_w, i_c]` has `i_w` pixels. `i_h` says how many rows "
        "an image has.",
        line="`((n * i_h + row) * i_w + column) * i_c`, and `(a * i_w + b) * i_c + c`.",
    ),
    Misconception(
        "padding added",
        lambda problem: wrong.made(problem, padding=(-problem.p_h, -problem.p_w)),
        symptom="Layers without padding are right; else your windows begin twice the padding "
        "too far down and right.",
        concept="Padding lies before the image, so the first window begins at a negative row.",
        line="`h * s_h - p_h` and `v * s_w - p_w`, with a minus.",
    ),
    Misconception(
        "steps without their channels",
        wrong.edited(step=lambda step, p: (step - step % p.i_c) // p.i_c + step % p.i_c),
        symptom="Right where there is one channel; else your steps from place to place are "
        "one value, not one pixel.",
        concept="A pixel is `i_c` values: the next place is as many further on.",
        line="The place's number, `a * i_w + b`, times `i_c`, plus `c`.",
    ),
    Misconception(
        "output's height for its width",
        wrong.rows_of_outputs_as_long_as_high,
        symptom="Right where the output is square; else your output pixels are taken apart by"
        " `o_h`.",
        concept="`m` counts along a row of the output, and that has `o_w` pixels.",
        line="`h = m // o_w % o_h`, `v = m % o_w`.",
        choices={"mask": (False, True), "rows": ("o_h", "o_w")},
    ),
    Misconception(
        "images as high as the output",
        wrong.images_as_high_as_outputs,
        symptom="The first image is right; from one to the next you go `o_h` rows on.",
        concept="`x` holds images of `i_h` rows, however many windows fit into them.",
        line="`n * i_h` rows for image `n`.",
    ),
    Misconception(
        "down the image's columns",
        wrong.down_the_images_columns,
        symptom="The mask is right; base and step are those of an image stored column by column.",
        concept="In `x[i_n, i_h, i_w, i_c]` a row lies in one piece: the next column is `i_c` "
        "values on, the next row `i_w * i_c`.",
        line="`((n * i_h + row) * i_w + column) * i_c`; the step alike.",
    ),
    Misconception(
        "strides in the steps",
        wrong.strides_in_the_steps,
        symptom="Right where both strides are 1; else the places of your windows lie a stride "
        "apart.",
        concept="A stride is how far apart windows *begin*. Within a window there is no gap: "
        "that would be a dilation.",
        line="`(a * i_w + b) * i_c + c`, with no stride; nor has the mask one before `a` and `b`.",
        choices={"mask": (True,)},
    ),
    Misconception(
        "rows without their channels",
        wrong.edited(step=wrong.rows_without_channels),
        symptom="Right where there is one channel; else your kernel rows lie too close: `i_w` "
        "values apart.",
        concept="A row of `x` is `i_w` pixels of `i_c` values each.",
        line="`a * i_w * i_c + b * i_c + c`.",
    ),
    Misconception(
        "padding times the stride",
        wrong.padding_strided,
        symptom="Right where the stride is 1, and where there is no padding; where the two "
        "meet, your windows begin too early.",
        concept="Padding is counted in pixels of the *image*: the stride multiplies the output's "
        "row and column, and not the padding.",
        line="`h * s_h - p_h`: the stride first, then the bare padding; columns alike.",
        choices={"mask": (False,)},
    ),
    Misconception(
        "no minus in an unsigned type",
        lambda problem, dtype="uint32", both=False: wrong.edited(
            base=lambda base, p: base.astype(dtype),
            step=lambda step, p: step.astype(dtype if both else step.dtype),
        )(problem),
        symptom="Bases from 0 on are right. Where one should be negative, yours is huge.",
        concept="Numbers without a sign have no -2: in 32 bits it becomes 4,294,967,294.",
        line="Whole numbers with a sign: `np.int64`, or `np.int32`.",
        choices={"dtype": ("uint32", "uint64"), "both": (False, True)},
    ),
    Misconception(
        "images by pixels",
        wrong.images_by_pixels,
        symptom="The first image is right; the bases of the others are too small where there "
        "are several channels.",
        concept="An image is `i_h * i_w` pixels of `i_c` values each.",
        line="`n * i_h * i_w * i_c`.",
    ),
    Misconception(
        "one of two paddings",
        wrong.one_padding,
        symptom="One of your paddings is left out of base and mask: right where it is 0.",
        concept="`p_h` rows lie above the image, and `p_w` columns beside it.",
        line="`- p_h` for rows *and* `- p_w` for columns.",
        choices={"rows": (False,)},
    ),
    Misconception(
        "steps backwards",
        wrong.edited(step=lambda step, p: step[::-1].copy()),
        symptom="Your steps are right, in reverse order.",
        concept="Deep learning's convolution does not turn the kernel round: weight (0, 0) "
        "meets the window's first pixel.",
        line="`a`, `b` and `c` upwards from 0.",
    ),
    Misconception(
        "begun at the image's edge",
        wrong.clipped_at_the_image,
        symptom="Windows that begin in the padding have the base of the image's first row or "
        "column.",
        concept="Then all of such a window is moved: its later places are wrong too. A base "
        "need not lie in the image, only what the mask lets in.",
        line="`h * s_h - p_h` and `v * s_w - p_w` as they are, also below 0.",
    ),
]
