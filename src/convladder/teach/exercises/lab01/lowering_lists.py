"""Lowerings by way of a list of windows: lab 01, exercise 6."""

from __future__ import annotations

import numpy as np

from .lowering import pad
from .shape import output_shape


def windows_of(x, k_h, k_w, stride, padding):
    o_h, o_w = output_shape(x.shape[1:3], (k_h, k_w), stride, padding)
    return [
        image[top : top + k_h, left : left + k_w]
        for image in pad(x, padding)
        for top in range(0, stride[0] * o_h, stride[0])
        for left in range(0, stride[1] * o_w, stride[1])
    ]


def list_of_windows(x, k_h, k_w, stride, padding):
    return np.stack([window.ravel() for window in windows_of(x, k_h, k_w, stride, padding)])


def array_of_windows(x, k_h, k_w, stride, padding):
    return np.array([window.ravel() for window in windows_of(x, k_h, k_w, stride, padding)])


def stack_of_views(x, k_h, k_w, stride, padding):
    return np.stack(windows_of(x, k_h, k_w, stride, padding)).reshape(-1, k_h * k_w * x.shape[3])


def array_of_views(x, k_h, k_w, stride, padding):
    return np.array(windows_of(x, k_h, k_w, stride, padding)).reshape(-1, k_h * k_w * x.shape[3])


def listed(x, k_h, k_w, stride, padding):
    return np.array(
        [window.ravel().tolist() for window in windows_of(x, k_h, k_w, stride, padding)], np.float32
    )
