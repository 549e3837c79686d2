"""Lab 02, exercise 5: float16 data, added up without losing it."""

from __future__ import annotations

import numpy as np

from ....photo import photo
from ...grading.exercise import Exercise, Misconception
from . import means_wrong as wrong
from .means import channel_means


def _feature_maps(rng):
    small = np.arange(8, dtype=np.float16).reshape(2, 2, 2)
    signed = (rng.standard_normal((96, 80, 5)) + [-0.5, 0.4, 1, -2, 0.3]).astype(np.float16)
    strip = (rng.standard_normal((1, 90, 4)) + [2, -1, 0.5, 3]).astype(np.float16)  # a single row
    odd = (rng.standard_normal((97, 101, 2)) + [3, -1]).astype(np.float16)  # 9,797 pixels
    column = (rng.standard_normal((90, 1, 4)) + [1, -3, 2, 0.5]).astype(np.float16)
    dark = (rng.random((64, 48, 3)) * [1, 2, 0.5]).astype(np.float16) * np.float16(1e-3)
    # Not larger: beyond that, float32 added up in a row is out of the tolerance itself.
    return [
        (small,),
        (strip,),
        (column,),
        (dark,),
        (signed,),
        (odd,),
        (photo(96).astype(np.float16),),
    ]


EXERCISE = Exercise(
    name="channel_means",
    lab=2,
    task="Average each channel of a float16 image, without losing it on the way.",
    reference=channel_means,
    cases=_feature_maps,
    misconceptions=[
        Misconception(
            "float16 accumulator",
            wrong.float16_sum,
            symptom="Your sums lose digits on the way: the more pixels, the more.",
            concept="A float16 has 11 significant bits, and each addition is rounded to them. "
            "Once the sum is some thousands of times as large as what is added, adding "
            "changes nothing. Converting *after* the sum comes too late.",
            line="`image.sum(axis=(0, 1), dtype=np.float32)`: or convert the image first.",
        ),
        Misconception(
            "float16 to the end",
            wrong.float16_sum_and_mean,
            symptom="Sums and means lose digits on the way: the more pixels, the more.",
            concept="A float16 has 11 significant bits: a large sum swallows what is added. Use a "
            "wider accumulator from the first addition on.",
            line="`image.mean(axis=(0, 1), dtype=np.float32)`",
        ),
        Misconception(
            "divided before the sum",
            wrong.shares_added_up,
            symptom="Your means lose digits, most where pixels are dark.",
            concept="A pixel over the number of pixels can be tiny, and near 6e-8, the smallest "
            "float16 above 0, few digits are left.",
            line="Add up in float32 first, and divide the sums.",
        ),
        Misconception(
            "pixels counted in float16",
            wrong.counted_in_float16,
            symptom="Your means are nearly right, and exact where the number of pixels is a "
            "float16.",
            concept="Above 2,048 a float16 cannot hold every whole number: 9,797 pixels become "
            "9,800, and more than 65,519 become infinity.",
            line="Divide by a Python number, `image.shape[0] * image.shape[1]`.",
        ),
        Misconception(
            "mean kept in float16",
            wrong.running_mean,
            symptom="Your means drift off: the more pixels, the more.",
            concept="A mean that grows pixel by pixel is never large, but each step adds less than "
            "its last digit once there are some thousands of pixels.",
            line="Keep the running mean in float32, or add up in float32 and divide once.",
        ),
        Misconception(
            "fractions dropped",
            lambda image, whole=np.trunc: channel_means(whole(image)),
            symptom="Right where the pixels are whole numbers: the others are made whole on the "
            "way.",
            concept="Whole numbers add up without a loss, but what stands behind the point is lost "
            "when pixels are converted to integers, or rounded.",
            line="Convert to float32, not to an integer, and round nothing.",
            choices={"whole": (np.rint, np.floor)},
        ),
        Misconception(
            "rounded at the end",
            wrong.rounded_at_the_end,
            symptom="Your means are nearly right: they agree to three digits.",
            concept="The last step, at least, went through float16, which "
            "keeps 11 bits. NumPy's `mean` of float16 does so by itself, unless it is told another "
            "dtype.",
            line="No float16 behind the sum; in `mean`, say `dtype=np.float32`.",
        ),
        Misconception(
            "not divided",
            wrong.not_divided,
            symptom="You returned sums.",
            concept="A mean is the sum over all pixels, divided by how many there are.",
            line="Divide by `i_h * i_w`.",
        ),
        Misconception(
            "over all channels",
            wrong.all_channels,
            symptom="All your means are the same number.",
            concept="Each channel has a mean of its own, so the last axis must stay.",
            line="`axis=(0, 1)`",
        ),
        Misconception(
            "divided by all values",
            wrong.divided_by_all,
            symptom="Your means are the right ones divided by the number of channels.",
            concept="A channel has one value at each pixel: divide by the pixels, not by all "
            "values of the image.",
            line="Divide by `image.shape[0] * image.shape[1]`, and once.",
        ),
        Misconception(
            "float64 to the end",
            lambda image: image.mean(axis=(0, 1), dtype=np.float64),
            symptom="Your means are right, and float64.",
            concept="A wide accumulator is good. What is returned should still be float32, as "
            "the next layer wants it.",
            line="`.astype(np.float32)` at the end, or `dtype=np.float32` from the start.",
        ),
        Misconception(
            "float16 given back",
            lambda image: image.mean(axis=(0, 1)),
            symptom="Your means are float16.",
            concept="NumPy's `mean` and `sum` give back the dtype that they were given, and round "
            "to it.",
            line="`dtype=np.float32` where you add up or take the mean, and no float16 behind "
            "it: neither a conversion nor an array that you fill.",
        ),
        Misconception(
            "over one axis",
            wrong.over_the_rows,
            symptom="You return more than one mean for each channel: one for each row, or for each "
            "column.",
            concept="All pixels count, rows and columns: two axes go.",
            line="`axis=(0, 1)`, both of them.",
            choices={"axis": (0,)},
        ),
        Misconception(
            "over all but the first axis",
            lambda image: image.mean(axis=(1, 2), dtype=np.float32),
            symptom="You return a mean for each row of the image, over all of its channels.",
            concept="The channel is the last axis here, and not the first: that is the one that "
            "must stay.",
            line="`axis=(0, 1)`, not `axis=(1, 2)`.",
        ),
        Misconception(
            "over the channels",
            wrong.over_channels,
            symptom="You return a mean for each pixel.",
            concept="The channel is the last axis, and the one that must stay.",
            line="`axis=(0, 1)`, so that axis 2 is left.",
            choices={"flat": (True,)},
        ),
        Misconception(
            "channels first",
            wrong.channels_first,
            symptom="Each of your means is over one stretch of the image as it lies, with values "
            "of all channels.",
            concept="`image[i_h, i_w, i_c]` has the channels of a pixel side by side. "
            "`reshape(i_c, -1)` moves nothing: it cuts the image into `i_c` stretches.",
            line="`axis=(0, 1)` of the image as it is.",
        ),
        Misconception(
            "rows rounded on the way",
            wrong.mean_of_row_means,
            symptom="Your means are nearly right: those of rows, or of columns, were rounded to "
            "float16 first.",
            concept="What is rounded on the way stays rounded. Keep the wide dtype until the end.",
            line="`dtype=np.float32` for every step, or one mean over both axes.",
            choices={"axis": (0,), "twice": (False, True)},
        ),
        Misconception(
            "rows added up in float16",
            wrong.one_axis_in_float16,
            symptom="Your means are nearly right: sums along the rows, or down the columns, lose "
            "digits first.",
            concept="A sum of a hundred numbers in float16 is rounded a hundred times. A wide "
            "dtype in the last step comes too late for that.",
            line="`dtype=np.float32` in the first sum too, or one sum over both axes.",
            choices={"axis": (0, 1), "divided": (False, True)},
        ),
        Misconception(
            "the median",
            wrong.middle,
            symptom="You return the middle value of each channel.",
            concept="Half of the values lie below a median. A mean is their sum over their number.",
            line="Add up each channel and divide by the number of pixels; no sorting, no middle.",
        ),
        Misconception(
            "divided by one side, multiplied by the other",
            wrong.multiplied_by_the_width,
            symptom="Your means are the right ones times the square of the width.",
            concept="Python works from left to right: `total / i_h * i_w` divides by `i_h`, and "
            "then multiplies by `i_w`.",
            line="Brackets: `total / (i_h * i_w)`.",
        ),
        Misconception(
            "divided by one less",
            lambda image: (
                wrong.not_divided(image) / np.float32(image.shape[0] * image.shape[1] - 1)
            ),
            symptom="Your means are too far from 0, the more so the fewer pixels there are.",
            concept="`n - 1` belongs to the variance of a sample. A mean divides by `n`.",
            line="Divide by `i_h * i_w`, and take nothing away from it.",
        ),
        Misconception(
            "axes kept",
            wrong.axes_kept,
            symptom="Your means are right, in an array with two axes more.",
            concept="`keepdims=True` leaves an axis of length 1 for each that was averaged. A "
            "vector of channels is asked for.",
            line="A result of shape `[i_c]`: no `keepdims`, no new axes; or `[0, 0]` of what you "
            "have.",
        ),
        Misconception(
            "divided by the columns",
            lambda image: wrong.not_divided(image) / np.float32(image.shape[1]),
            symptom="Your means are the right ones times the number of rows.",
            concept="A channel has a value in every row and every column.",
            line="Divide by `i_h * i_w`, both sides of the image.",
        ),
        Misconception(
            "divided by the rows",
            lambda image: wrong.not_divided(image) / np.float32(image.shape[0]),
            symptom="Your means are the right ones times the number of columns.",
            concept="A channel has `i_h * i_w` values.",
            line="Divide by `image.shape[0] * image.shape[1]`.",
        ),
    ],
)
