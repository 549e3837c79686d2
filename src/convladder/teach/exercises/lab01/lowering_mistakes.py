"""The usual mistakes of a lowering, with their hints: lab 01, exercises 3 and 6."""

from __future__ import annotations

from ...grading.exercise import Misconception
from . import lowering_wrong as wrong
from .lowering_places import PLACES

MISTAKES = [
    *PLACES,
    Misconception(
        "windows one pixel apart",
        wrong.steps_of_one,
        symptom="Your matrix has the right shape. With a stride above 1 its windows are "
        "neighbours: the stride counts them and does not move them.",
        concept="The window of output (h, v) begins at row `s_h * h` and column `s_w * v` of the "
        "padded image.",
        line="Multiply the output's position by the stride where you cut the window out; or take "
        "`[:, ::s_h, ::s_w]` of a view of all windows.",
    ),
    Misconception(
        "stride ignored",
        wrong.stride_ignored,
        symptom="You lower every window that there is, whatever the stride.",
        concept="A stride of 2 leaves out every second start, so the matrix has fewer rows.",
        line="Take only the windows `[:, ::s_h, ::s_w]`; or loop over `o_h` and `o_w` that count "
        "the stride, and begin each window at row `s_h * h`, column `s_w * v`.",
    ),
    Misconception(
        "one stride for both axes",
        wrong.one_stride,
        choices={"axis": (1,)},
        symptom="You are right where both strides are equal; where they differ, your windows step "
        "down and across alike.",
        concept="The stride is a pair: `stride[0]` moves down, `stride[1]` across.",
        line="`stride[0]` where you step down and count rows of windows, `stride[1]` where you "
        "step across and count their columns.",
    ),
    Misconception(
        "across by the stride for down",
        wrong.across_by_the_stride_down,
        symptom="You are right where both strides are equal. Elsewhere your windows stand in the "
        "wrong columns, or hang over the edge.",
        concept="The number of windows follows from each axis' own stride, and so must the place "
        "of each window.",
        line="The window of output (h, v) begins at column `s_w * v`.",
    ),
    Misconception(
        "strides exchanged",
        wrong.strides_exchanged,
        symptom="Where the strides differ, your windows step down by what they should step across.",
        concept="Pairs are (vertical, horizontal): the first belongs to the axis `i_h`.",
        line="Unpack the pair as `s_h, s_w = stride`.",
    ),
    Misconception(
        "padding on one side only",
        wrong.padded_before_only,
        symptom="You are right without padding. With it, windows that reach over the lower or "
        "right edge are missing.",
        concept="Zeros go on both sides: above and below, left and right.",
        line="`i_h + 2 * p_h` rows and `i_w + 2 * p_w` columns: in `np.pad`, `(p_h, p_h)` and "
        "`(p_w, p_w)`.",
    ),
    Misconception(
        "zeros behind the image only",
        wrong.padded_behind_once,
        symptom="You are right without padding. With it, no zeros lie above and left of the image.",
        concept="Both sides have zeros, and the image begins at row `p_h` and column `p_w`.",
        line="In `np.pad`, `(p_h, p_h)` and `(p_w, p_w)`: first what comes before the image.",
    ),
    Misconception(
        "padding counted on both sides, put on one",
        wrong.counted_but_not_padded,
        symptom="You are right without padding. With it, windows that reach over the lower or "
        "right edge are too short for their row.",
        concept="`output_shape` counts zeros on both sides of the image, so they must be there.",
        line="The padded image has `i_h + 2 * p_h` rows and `i_w + 2 * p_w` columns: in `np.pad`, "
        "`(p_h, p_h)` and `(p_w, p_w)`.",
    ),
    Misconception(
        "padding counted, never put",
        wrong.never_padded,
        choices={"batch": (True,)},
        symptom="You are right without padding. With it, windows run out of the array that you "
        "cut them from, as the message says in shapes.",
        concept="`output_shape` counts zeros on all four sides of the image, and what you cut from "
        "lacks some of them, or all.",
        line="`np.pad(x, ((0, 0), (p_h, p_h), (p_w, p_w), (0, 0)))`, and cut the windows out of "
        "that.",
    ),
    Misconception(
        "image in the padding's corner",
        wrong.padded_behind_only,
        symptom="The shape is right, but all zeros lie below and to the right of the image.",
        concept="The image stands in the middle of its padding, `p_h` rows from the top and `p_w` "
        "columns from the left.",
        line="Put the image at `padded[:, p_h : p_h + i_h, p_w : p_w + i_w]`: in `np.pad`, by "
        "`(p_h, p_h)` and `(p_w, p_w)`. Without a padded array, the window of output (h, v) "
        "begins at row `s_h * h - p_h`, column `s_w * v - p_w`.",
    ),
    Misconception(
        "image in the other corner",
        wrong.padded_twice_before,
        symptom="The shape is right, but all zeros lie above and to the left of the image.",
        concept="A pair of `np.pad` is (before, behind): half of the zeros come before the image, "
        "half behind it.",
        line="The image begins at row `p_h` and column `p_w`. In `np.pad` that is `(p_h, p_h)` for "
        "the rows, and `(p_w, p_w)` for the columns.",
    ),
    Misconception(
        "padding exchanged",
        wrong.padding_exchanged,
        symptom="Where the paddings differ, the height is padded by what belongs to the width.",
        concept="Pairs are (vertical, horizontal), and `x` has the axes batch, height, width, "
        "channel.",
        line="`p_h, p_w = padding`; and in `np.pad` the second entry is `(p_h, p_h)`, the third "
        "`(p_w, p_w)`.",
    ),
    Misconception(
        "padding ignored",
        wrong.padding_ignored,
        symptom="You are right without padding; with it, windows on the border are missing.",
        concept="Windows may stand on the border once there are zeros around the image.",
        line="Where one padding is above 0, cut the windows out of `np.pad(x, ((0, 0), (p_h, p_h), "
        "(p_w, p_w), (0, 0)))`; and `o_h` and `o_w` count with that padding.",
    ),
    Misconception(
        "channels outermost",
        wrong.channels_outermost,
        symptom="Each row holds the right values, sorted by channel first.",
        concept="The weights `w[k_h, k_w, i_c, k_c]` have the channel inside. A row must have the "
        "same order, or each value meets another value's weight.",
        line="Value (a, b, c) of a window is number `(a * k_w + b) * i_c + c` of its row, as a "
        "slice of `x` has them. Of a `sliding_window_view`, whose last axes are "
        "the window's, transpose (0, 1, 2, 4, 5, 3).",
    ),
    Misconception(
        "places counted down the columns",
        wrong.places_by_width,
        symptom="Every row is a window, but they stand in the wrong order.",
        concept="Row number `(n * o_h + h) * o_w + v` belongs to output (h, v) of image `n`: then "
        "the product is `y` as it lies in memory.",
        line="Write to that row; if you only count on, loop over `o_h` outside, `o_w` inside. Of a "
        "`sliding_window_view`, transpose (0, 1, 2, 4, 5, 3).",
    ),
    Misconception(
        "windows in columns",
        wrong.windows_in_columns,
        symptom="Your matrix is the transpose of what is asked for.",
        concept="With windows in rows, the product with the weights gives `[o_h·o_w, k_c]`, which "
        "is NHWC with nothing to rearrange.",
        line="The window's number is the first index of what you return: `matrix[number] = ...` in "
        "a matrix of `i_n * o_h * o_w` rows, with no transpose behind it.",
    ),
    Misconception(
        "one image only",
        wrong.first_image_only,
        choices={"which": (-1,)},
        symptom="You are right for a batch of one; of a larger batch, your matrix has the rows of "
        "one image.",
        concept="`i_n` images are lowered one below the other: `i_n * o_h * o_w` rows.",
        line="Keep the first axis of `x`; or loop over it, with one matrix for all images, made "
        "before that loop and returned behind it.",
    ),
    Misconception(
        "pairs of the padding's two numbers",
        wrong.pairs_of_axes,
        symptom="You are right where both paddings are equal or zero. Elsewhere the image "
        "sits off the middle of its zeros.",
        concept="`np.pad` wants for each axis how much goes *before* and *behind* it. "
        "`(p_h, p_w)` is one number of each axis.",
        line="`np.pad(x, ((0, 0), (p_h, p_h), (p_w, p_w), (0, 0)))`",
    ),
    Misconception(
        "batch padded",
        wrong.batch_padded,
        symptom="You are right without padding. With it the zeros lie around the wrong axes: `p_h` "
        "adds images, and `p_w` adds rows.",
        concept="`np.pad` takes a pair for each axis, from the first on. The first axis of `x` is "
        "the batch.",
        line="Begin with `(0, 0)` for the batch: `((0, 0), (p_h, p_h), (p_w, p_w), (0, 0))`.",
    ),
    Misconception(
        "windows held inside the image",
        wrong.clamped,
        symptom="You are right without padding. With it, windows that should begin above or left "
        "of the image begin in its first row or column.",
        concept="A window may hang over the edge: what lies outside is 0, and stands in its place "
        "in the row.",
        line="`np.pad` first. In the padded image the window of output (h, v) begins at row `s_h * "
        "h`, column `s_w * v`: no padding is taken off, and no `max` or `min` is needed.",
        choices={"inside": (True,)},
    ),
    Misconception(
        "pixels left out",
        wrong.pixels_left_out,
        symptom="You are right for a stride of 1. With a larger one you leave out pixels, and "
        "windows reach over the gaps.",
        concept="The stride says where windows *begin*. A window is made of neighbours, whatever "
        "the stride is.",
        line="Thin out the windows, not the image: a window is `[top : top + k_h, left : left + "
        "k_w]` of the whole padded image, where `top` moves by `s_h` and `left` by `s_w`.",
    ),
    Misconception(
        "only the width padded",
        wrong.width_only,
        symptom="You are right without vertical padding; with it, the zeros above and below the "
        "image are missing.",
        concept="Zeros go above and below the image too, `p_h` rows of them.",
        line="The second pair for `np.pad` is `(p_h, p_h)`: `i_h + 2 * p_h` rows.",
    ),
    Misconception(
        "only the height padded",
        wrong.height_only,
        symptom="You are right without horizontal padding; with it, the zeros left and right of "
        "the image are missing.",
        concept="Zeros go left and right of the image too, `p_w` columns of them.",
        line="The third pair for `np.pad` is `(p_w, p_w)`: `i_w + 2 * p_w` columns.",
    ),
    Misconception(
        "one padding for both axes",
        wrong.by_one_number,
        choices={"axis": (1,)},
        symptom="You are right where both paddings are equal, and only there.",
        concept="Padding is a pair: rows are padded by `padding[0]`, columns by `padding[1]`.",
        line="`(p_h, p_h)` for the second axis, `(p_w, p_w)` for the third.",
    ),
    Misconception(
        "every axis padded",
        wrong.all_axes,
        choices={"pair": (True,)},
        symptom="You are right without padding. With it there can be images and channels of zeros "
        "as well.",
        concept="`np.pad` with one number, or one pair, puts zeros around all four axes.",
        line="`np.pad(x, ((0, 0), (p_h, p_h), (p_w, p_w), (0, 0)))`: a pair for each axis.",
    ),
    Misconception(
        "padded with other than zeros",
        wrong.edge_repeated,
        symptom="Windows inside the image are right; those on its border hold something else "
        "where zeros should be.",
        concept="Padding is with zeros here, as in every network of this course.",
        line="Zeros around the image: what `np.pad` puts there with no `mode` and no "
        "`constant_values`.",
        choices={"mode": ("reflect", "symmetric", "wrap", "ones")},
    ),
    Misconception(
        "batch innermost",
        wrong.batch_innermost,
        symptom="One image is right. In a batch, windows of the same place follow one another.",
        concept="Row number `(n * o_h + h) * o_w + v`: all windows of image 0 come first, "
        "then all of image 1.",
        line="Write to that row; if you only count on, loop over images outside, `h` and `v` "
        "inside. Of a `sliding_window_view`, transpose (0, 1, 2, 4, 5, 3).",
    ),
    Misconception(
        "window read down its columns",
        wrong.window_by_columns,
        symptom="Each row holds the right values, the kernel's columns before its rows.",
        concept="A window is read row by row, as the weights `w[k_h, k_w, i_c, k_c]` lie.",
        line="`.ravel()` as it is; with a view, the axis of `k_h` before that of `k_w`; with "
        "loops, its rows outside.",
    ),
    Misconception(
        "kernel's sides exchanged",
        wrong.kernel_sides_exchanged,
        symptom="You are right for square kernels and wrong for all others.",
        concept="`k_h` counts rows and belongs to the axis `i_h`.",
        line="A window is `[top : top + k_h, left : left + k_w]`, and `o_h` counts with `k_h`: "
        "`(k_h, k_w)` in this order wherever both are handed on.",
    ),
    Misconception(
        "rows counted anew for each image",
        wrong.rows_counted_anew,
        symptom="One image is right. In a batch, each image is written over the one before, "
        "and the last rows stay empty.",
        concept="The number of a row goes on from image to image.",
        line="Row `(n * o_h + h) * o_w + v`. Where you only count on, begin at 0 once, before "
        "the loop over images.",
    ),
    Misconception(
        "row number counted by o_h",
        wrong.counted_by_the_height,
        symptom="You are right for square outputs; elsewhere rows are written twice, left "
        "empty, or lie beyond the matrix.",
        concept="Before output row `h` begins, `h` rows of `o_w` windows each are done.",
        line="The row's number is `(n * o_h + h) * o_w + v`, with `o_h, o_w` in the order in which "
        "`output_shape` gives them.",
    ),
    Misconception(
        "first channel only",
        wrong.first_channel_only,
        symptom="You are right for one channel; with more, your rows are too short.",
        concept="A window is `k_h * k_w` pixels of *all* channels.",
        line="`padded[n, top : top + k_h, left : left + k_w]`: rows and columns are cut, and the "
        "last axis stays whole.",
    ),
    Misconception(
        "float64",
        wrong.in_float64,
        symptom="Your values are right, but in float64: twice the bytes.",
        concept="An array made without a dtype is float64, and so is one of dtype `float`.",
        line="`np.float32` wherever you make or convert an array: `np.empty(shape, np.float32)`.",
    ),
    Misconception(
        "size by true division",
        wrong.size_by_true_division,
        symptom="A size or a count of yours is a float, where a whole number is wanted.",
        concept="`/` gives a float, also where nothing is left over; so does `np.floor`.",
        line="`//` wherever a size, a count or an index is divided, as in your `output_shape`.",
    ),
    Misconception(
        "windows turned round",
        wrong.turned_windows,
        symptom="Each row holds the right values, from the last pixel to the first.",
        concept="Deep learning's convolution does not flip: the first weight meets the "
        "window's first pixel.",
        line="The first value of a row is its window's first pixel: turn nothing round.",
    ),
]
