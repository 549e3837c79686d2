"""What lab 01's exercises on the product share: the convolution, and the product behind it."""

from __future__ import annotations

import numpy as np

from .shape import output_shape
from .lowering import lower

COLUMNS = np.array([[1, 0, -1]] * 3, np.float32)  # the kernel of the im2col note's example


def convolve(x, w, stride, padding):
    """Convolve float32 `x[i_n,i_h,i_w,i_c]` and `w[k_h,k_w,i_c,k_c]` to `y[i_n,o_h,o_w,k_c]`."""
    product, shape = product_of(x, w, stride, padding)
    return product.reshape(shape)


def product_of(x, w, stride, padding):
    k_h, k_w, i_c, k_c = w.shape
    o_h, o_w = output_shape(x.shape[1:3], (k_h, k_w), stride, padding)
    product = lower(x, k_h, k_w, stride, padding) @ w.reshape(k_h * k_w * i_c, k_c)
    return product, (len(x), o_h, o_w, k_c)
