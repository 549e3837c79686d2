"""Convolutions as lab 01's learners write them wrongly: exercise 4."""

from __future__ import annotations

import numpy as np

from .shape import output_shape
from .gemm import convolve, product_of
from .lowering_wrong import channels_outermost


def kernel_flipped(x, w, stride, padding, channels=False):
    return convolve(
        x, np.ascontiguousarray(w[::-1, ::-1, :: -1 if channels else 1]), stride, padding
    )


def filters_first(x, w, stride, padding):
    product, (i_n, o_h, o_w, k_c) = product_of(x, w, stride, padding)
    return np.ascontiguousarray(product.reshape(i_n, o_h, o_w, k_c).transpose(0, 3, 1, 2))


def reshaped_filters_first(x, w, stride, padding):
    product, (i_n, o_h, o_w, k_c) = product_of(x, w, stride, padding)
    return product.reshape(i_n, k_c, o_h, o_w).transpose(0, 2, 3, 1).copy()


def named_filters_first(x, w, stride, padding):
    product, (i_n, o_h, o_w, k_c) = product_of(x, w, stride, padding)
    return product.reshape(i_n, k_c, o_h, o_w)


def weights_reshaped_wrongly(x, w, stride, padding):
    k_h, k_w, i_c, k_c = w.shape
    scrambled = w.reshape(k_c, -1).T.reshape(w.shape)
    return convolve(x, scrambled, stride, padding)


def output_axes_swapped(x, w, stride, padding):
    product, (i_n, o_h, o_w, k_c) = product_of(x, w, stride, padding)
    return product.reshape(i_n, o_w, o_h, k_c)


def channels_do_not_match(x, w, stride, padding):
    k_h, k_w, i_c, k_c = w.shape
    matrix = channels_outermost(x, k_h, k_w, stride, padding)
    return (matrix @ w.reshape(-1, k_c)).reshape(product_of(x, w, stride, padding)[1])


def weights_by_channel(x, w, stride, padding):
    return convolve(x, w.transpose(2, 0, 1, 3).reshape(w.shape), stride, padding)


def never_reshaped(x, w, stride, padding):
    return product_of(x, w, stride, padding)[0]


def result_in_float64(x, w, stride, padding):
    return convolve(x, w, stride, padding).astype(np.float64)


def stride_and_padding_forgotten(x, w, stride, padding):
    return convolve(x, w, (1, 1), (0, 0))


def kernel_on_its_side(x, w, stride, padding):
    return convolve(x, np.ascontiguousarray(w.swapaxes(0, 1)).reshape(w.shape), stride, padding)


def channels_not_added(x, w, stride, padding):
    return convolve(x[..., :1], w[:, :, :1], stride, padding)


def batch_behind_the_rows(x, w, stride, padding):
    product, (i_n, o_h, o_w, k_c) = product_of(x, w, stride, padding)
    return product.reshape(o_h, o_w, i_n, k_c).transpose(2, 0, 1, 3).copy()


def filters_times_windows(x, w, stride, padding):
    """Multiply weights by windows, as columns, and name the axes of [k_c, pixels] wrongly."""
    product, shape = product_of(x, w, stride, padding)
    return np.ascontiguousarray(product.T).reshape(shape)


def one_image(x, w, stride, padding, which=-1):
    """Keep the result of one image, the last of a loop or the first."""
    return convolve(x, w, stride, padding)[which][np.newaxis].copy()


def mean_of_the_window(x, w, stride, padding):
    return convolve(x, w, stride, padding) / np.float32(w[..., 0].size)


def edge_repeated(x, w, stride, padding, mode="edge"):
    p_h, p_w = padding
    padded = np.pad(x, ((0, 0), (p_h, p_h), (p_w, p_w), (0, 0)), mode=mode)
    return convolve(padded, w, stride, (0, 0))


def size_without_padding(x, w, stride, padding):
    """Reshape to the size that the image alone would give."""
    product, (i_n, _, _, k_c) = product_of(x, w, stride, padding)
    o_h, o_w = output_shape(x.shape[1:3], w.shape[:2], stride, (0, 0))
    return product.reshape(i_n, o_h, o_w, k_c)
