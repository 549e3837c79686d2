"""Lab 01, exercise 4: convolution is one matrix product."""

from __future__ import annotations

import numpy as np

from ...grading.exercise import Exercise, Misconception
from . import gemm_wrong as wrong
from .gemm import COLUMNS, convolve, product_of
from .lowering import lower


def convolve_gemm(x, w, stride, padding):
    """Convolve float32 `x[i_n,i_h,i_w,i_c]` and `w[k_h,k_w,i_c,k_c]` to `y[i_n,o_h,o_w,k_c]`."""
    return convolve(x, w, stride, padding)


def gemm_cases(rng):
    image = np.arange(1, 17, dtype=np.float32).reshape(1, 4, 4, 1)
    return [(image, COLUMNS.reshape(3, 3, 1, 1), (1, 1), (0, 0))] + [
        (
            rng.standard_normal(image, dtype=np.float32) + np.float32(0.25),
            rng.standard_normal(kernel, dtype=np.float32) - np.float32(0.125),
            *rest,
        )
        for image, kernel, *rest in [
            ((1, 7, 9, 2), (3, 2, 2, 4), (1, 1), (0, 0)),
            ((2, 8, 6, 3), (2, 3, 3, 5), (2, 1), (1, 0)),
            ((1, 9, 12, 2), (3, 3, 2, 3), (3, 2), (1, 2)),
        ]
    ]


EXERCISE = Exercise(
    name="convolve_gemm",
    lab=1,
    task="Convolution as one matrix product, and the reshape that makes it NHWC.",
    reference=convolve_gemm,
    cases=gemm_cases,
    misconceptions=[
        Misconception(
            "flipped kernel",
            wrong.kernel_flipped,
            choices={"channels": (True,)},
            symptom="On the note's example you return +6 everywhere; it should be −6.",
            concept="Mathematics flips the kernel before it slides. Deep learning does not: its "
            "convolution is cross-correlation.",
            line="Use `w` as it is, and the windows too: turn round neither of them.",
        ),
        Misconception(
            "filters before rows and columns",
            wrong.filters_first,
            symptom="Your result has the right values with its axes in the order NCHW.",
            concept="NHWC keeps the channels of one pixel together, so `k_c` comes last.",
            line="`lowered @ w.reshape(-1, k_c)` has the filter last already: reshape it to "
            "`(i_n, o_h, o_w, k_c)`, and transpose nothing.",
        ),
        Misconception(
            "product reshaped with k_c first",
            wrong.reshaped_filters_first,
            symptom="The shape is right, but values of different pixels and filters are mixed up, "
            "except where there is one filter.",
            concept="In the product the filter moves fastest: each row is one pixel. `reshape` "
            "cannot change that order; naming the axes in another order mixes them.",
            line="Reshape the product straight to `(i_n, o_h, o_w, k_c)`.",
        ),
        Misconception(
            "product named NCHW",
            wrong.named_filters_first,
            symptom="Your result has the shape `[i_n, k_c, o_h, o_w]`. With several filters its "
            "values are not where these names say, either.",
            concept="The product's rows are pixels, and its columns filters: the filter moves "
            "fastest. That is NHWC already.",
            line="`.reshape(i_n, o_h, o_w, k_c)`.",
        ),
        Misconception(
            "weights reshaped with k_c first",
            wrong.weights_reshaped_wrongly,
            symptom="You are right for a single filter and wrong for several.",
            concept="In `w[k_h, k_w, i_c, k_c]` the filter moves fastest. `w.reshape(k_c, -1)` "
            "cuts that sequence at the wrong places, and a transpose does not mend it.",
            line="Use `w.reshape(k_h * k_w * i_c, k_c)`.",
        ),
        Misconception(
            "o_h and o_w exchanged",
            wrong.output_axes_swapped,
            symptom="You are right for square outputs; elsewhere height and width are exchanged.",
            concept="The matrix has its rows in the order of `h`, then `v`.",
            line="`o_h, o_w = output_shape(...)`, and reshape to `(i_n, o_h, o_w, k_c)`: height "
            "first in both.",
        ),
        Misconception(
            "channels in another order than the weights",
            wrong.channels_do_not_match,
            symptom="You are right for one channel, or a kernel of one pixel, and wrong elsewhere.",
            concept="Row and weights must list the same things in the same order: row, column, "
            "channel.",
            line="`w.reshape(k_h * k_w * i_c, k_c)` as it is; and if `lower_windows` does not "
            "pass its own check, mend that first.",
        ),
        Misconception(
            "weights with the channel first",
            wrong.weights_by_channel,
            symptom="You are right for one channel, or a kernel of one pixel. Elsewhere the "
            "channels of rows and weights do not meet.",
            concept="A row lists row, column, channel, in this order, and so does `w` as it lies. "
            "Weights that are brought into another order meet other values.",
            line="`lowered @ w.reshape(k_h * k_w * i_c, k_c)`, both as they are: no axes are "
            "exchanged, of the weights or of the rows.",
        ),
        Misconception(
            "product returned flat",
            wrong.never_reshaped,
            symptom="You return the product `[i_n·o_h·o_w, k_c]` itself.",
            concept="It holds the right values in the right order already; only the axes are "
            "missing.",
            line="End with `.reshape(i_n, o_h, o_w, k_c)`: it copies nothing.",
        ),
        Misconception(
            "float64",
            wrong.result_in_float64,
            symptom="Your values are right, but in float64.",
            concept="A float64 array anywhere in a product makes the product float64, and GEMM "
            "half as fast.",
            line="Look for arrays made without a dtype, by `np.zeros`, `np.empty` or of a list, "
            "and for `float64` or `float`: they want `np.float32`.",
        ),
        Misconception(
            "stride and padding not handed on",
            wrong.stride_and_padding_forgotten,
            symptom="You are right for stride 1 without padding; elsewhere neither of them "
            "changes anything in your result.",
            concept="Both decide which windows there are, so the lowering needs them, and the "
            "output's shape too.",
            line="Pass `stride` and `padding` on to `lower_windows` and to `output_shape`.",
        ),
        Misconception(
            "kernel on its side",
            wrong.kernel_on_its_side,
            symptom="You are right for kernels of a single row or column, and for square ones "
            "that are symmetric; elsewhere rows of the kernel meet columns of the image.",
            concept="`w[a, b]` is the weight of row `a`, column `b`, and a window is read row "
            "by row.",
            line="`w.reshape(k_h * k_w * i_c, k_c)` of `w` as it lies, and windows read row by "
            "row.",
        ),
        Misconception(
            "first channel only",
            wrong.channels_not_added,
            symptom="You are right for images of one channel. With more, only the first one "
            "counts.",
            concept="An output pixel is a sum over the whole window, all channels of it.",
            line="Leave the channel axes of `x` and `w` whole: a row of the lowered matrix and a "
            "column of the weights have `k_h * k_w * i_c` values.",
        ),
        Misconception(
            "batch behind rows and columns",
            wrong.batch_behind_the_rows,
            symptom="One image is right; in a batch, the pixels are dealt out to the wrong images.",
            concept="The product's rows are all windows of image 0, then all of image 1: `i_n` "
            "is the slowest.",
            line="`.reshape(i_n, o_h, o_w, k_c)`, with `i_n` first and no transpose.",
        ),
        Misconception(
            "filters times windows, reshaped",
            wrong.filters_times_windows,
            symptom="The shape is right; with several filters their values lie one behind the "
            "other, a whole filter at a time.",
            concept="Weights times columns give `[k_c, pixels]`, all of the first filter first. "
            "NHWC wants the filters of one pixel side by side, and `reshape` moves "
            "nothing.",
            line="Rows times weights, `lowered @ w.reshape(-1, k_c)`, and that reshaped as it is, "
            "with no `.T`.",
        ),
        Misconception(
            "one image of the batch",
            wrong.one_image,
            symptom="A batch of one is right. Of a larger one, your result holds a single image.",
            concept="`i_n` images go in, and `i_n` come out. A result that is assigned anew in "
            "each turn of a loop keeps the last one only.",
            line="Lower the whole batch at once; or make `y` before the loop, write `y[n] = ...` "
            "in it, and return `y` behind it.",
            choices={"which": (0,)},
        ),
        Misconception(
            "divided by the window",
            wrong.mean_of_the_window,
            symptom="All your values are the right ones divided by the number of values in a "
            "window.",
            concept="A convolution is a sum of products, not their mean.",
            line="The product itself, divided by nothing.",
        ),
        Misconception(
            "padded with other than zeros",
            wrong.edge_repeated,
            symptom="You are right without padding; with it, pixels whose windows hang over the "
            "edge are wrong.",
            concept="Padding is with zeros: a window that hangs over the edge sees nothing there.",
            line="Zeros around the image: what `np.pad` puts there with no `mode`.",
            choices={"mode": ("reflect", "symmetric", "wrap")},
        ),
        Misconception(
            "stride not handed on",
            lambda x, w, stride, padding: convolve(x, w, (1, 1), padding),
            symptom="You are right for stride 1; elsewhere your result is that of stride 1.",
            concept="The stride says which windows there are, and so how many.",
            line="Pass `stride` to `lower_windows` and to `output_shape`.",
        ),
        Misconception(
            "padding not handed on",
            lambda x, w, stride, padding: convolve(x, w, stride, (0, 0)),
            symptom="You are right without padding; elsewhere your result is that of the image "
            "without it.",
            concept="Windows may hang over the edge once there are zeros around the image.",
            line="Pass `padding` to `lower_windows` and to `output_shape`.",
        ),
        Misconception(
            "size without the padding",
            wrong.size_without_padding,
            symptom="Where there is padding, the product has more values than your last `reshape` "
            "gives room for.",
            concept="`o_h` and `o_w` count the windows of the padded image.",
            line="`output_shape((i_h, i_w), (k_h, k_w), stride, padding)`, with the padding.",
        ),
        Misconception(
            "windows of all images side by side",
            lambda x, w, stride, padding: np.ascontiguousarray(
                convolve(x, w, stride, padding).transpose(1, 2, 0, 3)
            ).reshape(product_of(x, w, stride, padding)[1]),
            symptom="One image is right; in a batch, the images are shuffled into one another.",
            concept="If the matrix has the batch innermost, so has the product, and no "
            "`reshape` brings it to the front.",
            line="Images outermost in `lower_windows`: row `(n * o_h + h) * o_w + v` belongs to "
            "image `n`. And no `transpose` behind the product.",
        ),
        Misconception(
            "the largest product",
            lambda x, w, stride, padding: (
                (
                    lower(x, *w.shape[:2], stride, padding)[..., np.newaxis]
                    * w.reshape(-1, w.shape[3])
                )
                .max(1)
                .reshape(product_of(x, w, stride, padding)[1])
            ),
            symptom="Your values are the largest products of each window.",
            concept="That would be a kind of pooling. A convolution adds up all products.",
            line="Multiply and add up: `@` does both steps.",
        ),
    ],
)
