"""What lab 01's exercises on lowering share: a lowering that can be led astray, and cases."""

from __future__ import annotations

import numpy as np
from numpy.lib.stride_tricks import sliding_window_view

from .shape import output_shape


def pad(x, padding):
    return np.pad(x, ((0, 0), (padding[0],) * 2, (padding[1],) * 2, (0, 0)))


def lower(x, k_h, k_w, stride, padding, step=None, axes=(0, 1, 2, 4, 5, 3)):
    """Lower. step: how far windows move, where that is not `stride`, which counts them."""
    return rows_of(pad(x, padding), k_h, k_w, stride, step or stride, axes)


def rows_of(padded, k_h, k_w, stride, step, axes=(0, 1, 2, 4, 5, 3)):
    o_h, o_w = output_shape(padded.shape[1:3], (k_h, k_w), stride, (0, 0))
    windows = sliding_window_view(padded, (k_h, k_w), axis=(1, 2))
    windows = windows[:, :: step[0], :: step[1]][:, :o_h, :o_w].transpose(axes)
    return windows.reshape(-1, k_h * k_w * padded.shape[3]).copy()


def lowering_cases(rng):
    small = np.arange(1, 19, dtype=np.float32).reshape(1, 3, 3, 2)
    return [(small, 2, 2, (1, 1), (0, 0))] + [
        (rng.standard_normal(shape, dtype=np.float32) + np.float32(0.25), *rest)
        for shape, *rest in [
            ((1, 9, 8, 3), 3, 2, (2, 1), (0, 0)),
            ((1, 8, 9, 2), 2, 3, (1, 2), (1, 0)),
            ((2, 10, 7, 3), 3, 2, (2, 1), (1, 2)),
            ((1, 7, 11, 1), 1, 3, (1, 3), (0, 1)),
            ((1, 6, 5, 2), 2, 3, (1, 1), (0, 0)),
            ((1, 7, 6, 2), 2, 2, (2, 2), (1, 1)),
        ]
    ]
