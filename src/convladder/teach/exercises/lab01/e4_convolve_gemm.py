"""Lab 01, exercise 4: convolution is one matrix product."""

from __future__ import annotations

import numpy as np

from ...grading.exercise import Exercise, Misconception
from .e1_output_shape import output_shape
from .e3_lower_windows import channels_outermost
from .lowering import lower

COLUMNS = np.array([[1, 0, -1]] * 3, np.float32)  # the kernel of the im2col note's example


def convolve_gemm(x, w, stride, padding):
    """Convolve float32 `x[i_n,i_h,i_w,i_c]` and `w[k_h,k_w,i_c,k_c]` to `y[i_n,o_h,o_w,k_c]`."""
    product, shape = _product(x, w, stride, padding)
    return product.reshape(shape)


def _product(x, w, stride, padding):
    k_h, k_w, i_c, k_c = w.shape
    o_h, o_w = output_shape(x.shape[1:3], (k_h, k_w), stride, padding)
    product = lower(x, k_h, k_w, stride, padding) @ w.reshape(k_h * k_w * i_c, k_c)
    return product, (len(x), o_h, o_w, k_c)


def kernel_flipped(x, w, stride, padding):
    return convolve_gemm(x, np.ascontiguousarray(w[::-1, ::-1]), stride, padding)


def filters_first(x, w, stride, padding):
    product, (i_n, o_h, o_w, k_c) = _product(x, w, stride, padding)
    return np.ascontiguousarray(product.reshape(i_n, o_h, o_w, k_c).transpose(0, 3, 1, 2))


def reshaped_filters_first(x, w, stride, padding):
    product, (i_n, o_h, o_w, k_c) = _product(x, w, stride, padding)
    return product.reshape(i_n, k_c, o_h, o_w).transpose(0, 2, 3, 1).copy()


def weights_reshaped_wrongly(x, w, stride, padding):
    k_h, k_w, i_c, k_c = w.shape
    scrambled = w.reshape(k_c, -1).T.reshape(w.shape)
    return convolve_gemm(x, scrambled, stride, padding)


def output_axes_swapped(x, w, stride, padding):
    product, (i_n, o_h, o_w, k_c) = _product(x, w, stride, padding)
    return product.reshape(i_n, o_w, o_h, k_c)


def channels_do_not_match(x, w, stride, padding):
    k_h, k_w, i_c, k_c = w.shape
    matrix = channels_outermost(x, k_h, k_w, stride, padding)
    return (matrix @ w.reshape(-1, k_c)).reshape(_product(x, w, stride, padding)[1])


def never_reshaped(x, w, stride, padding):
    return _product(x, w, stride, padding)[0]


def result_in_float64(x, w, stride, padding):
    return convolve_gemm(x, w, stride, padding).astype(np.float64)


def stride_and_padding_forgotten(x, w, stride, padding):
    return convolve_gemm(x, w, (1, 1), (0, 0))


def gemm_cases(rng):
    image = np.arange(1, 17, dtype=np.float32).reshape(1, 4, 4, 1)
    return [(image, COLUMNS.reshape(3, 3, 1, 1), (1, 1), (0, 0))] + [
        (rng.standard_normal(image, dtype=np.float32) + np.float32(0.25),
         rng.standard_normal(kernel, dtype=np.float32) - np.float32(0.125), *rest)
        for image, kernel, *rest in [
            ((1, 7, 9, 2), (3, 2, 2, 4), (1, 1), (0, 0)),
            ((2, 8, 6, 3), (2, 3, 3, 5), (2, 1), (1, 0)),
            ((1, 9, 12, 2), (3, 3, 2, 3), (1, 2), (1, 2)),
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
            "flipped kernel", kernel_flipped,
            symptom="On the note's example you return +6 everywhere; it should be −6.",
            concept="Mathematics flips the kernel before it slides. Deep learning does not: its "
            "convolution is cross-correlation.",
            line="Use `w` as it is, without `[::-1, ::-1]`.",
        ),
        Misconception(
            "filters before rows and columns", filters_first,
            symptom="Your result has the right values with its axes in the order NCHW.",
            concept="NHWC keeps the channels of one pixel together, so `k_c` comes last.",
            line="Reshape the product to `(i_n, o_h, o_w, k_c)` and transpose nothing.",
        ),
        Misconception(
            "product reshaped with k_c first", reshaped_filters_first,
            symptom="The shape is right, but values of different pixels and filters are mixed up, "
            "except where there is one filter.",
            concept="In the product the filter moves fastest: each row is one pixel. `reshape` "
            "cannot change that order; naming the axes in another order mixes them.",
            line="Reshape the product straight to `(i_n, o_h, o_w, k_c)`.",
        ),
        Misconception(
            "weights reshaped with k_c first", weights_reshaped_wrongly,
            symptom="You are right for a single filter and wrong for several.",
            concept="In `w[k_h, k_w, i_c, k_c]` the filter moves fastest. `w.reshape(k_c, -1)` "
            "cuts that sequence at the wrong places, and a transpose does not mend it.",
            line="Use `w.reshape(k_h * k_w * i_c, k_c)`.",
        ),
        Misconception(
            "o_h and o_w exchanged", output_axes_swapped,
            symptom="You are right for square outputs; elsewhere height and width are exchanged.",
            concept="The matrix has its rows in the order of `h`, then `v`.",
            line="Reshape to `(i_n, o_h, o_w, k_c)`, height first.",
        ),
        Misconception(
            "channels in another order than the weights", channels_do_not_match,
            symptom="You are right for one channel and wrong for several.",
            concept="Row and weights must list the same things in the same order: row, column, "
            "channel.",
            line="Mend `lower_windows` first, until its own check passes.",
        ),
        Misconception(
            "product returned flat", never_reshaped,
            symptom="You return the product `[i_n·o_h·o_w, k_c]` itself.",
            concept="It holds the right values in the right order already; only the axes are "
            "missing.",
            line="End with `.reshape(i_n, o_h, o_w, k_c)`: it copies nothing.",
        ),
        Misconception(
            "float64", result_in_float64,
            symptom="Your values are right, but in float64.",
            concept="A float64 array anywhere in a product makes the product float64, and GEMM "
            "half as fast.",
            line="Look for `np.zeros` or `np.empty` without a dtype: give it `np.float32`.",
        ),
        Misconception(
            "stride and padding not handed on", stride_and_padding_forgotten,
            symptom="You are right for stride 1 without padding, and only there.",
            concept="Both decide which windows there are, so the lowering needs them, and the "
            "output's shape too.",
            line="Pass `stride` and `padding` on to `lower_windows` and to `output_shape`.",
        ),
    ],
)
