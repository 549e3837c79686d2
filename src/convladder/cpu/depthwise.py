"""Depthwise convolution: each channel by a filter of its own, so no sum over channels."""

from __future__ import annotations

from functools import cache

import numpy as np

from ..problem import ConvProblem


def convolve_channels(x, w, y, s_h, s_w, p_h, p_w):
    """Fill `y[o_h,o_w,i_c]` from one image `x[i_h,i_w,i_c]` and `w[k_h,k_w,i_c]`.

    The channel is the innermost loop: neighbours in memory, so the compiler makes vectors of it.
    """
    i_h, i_w, i_c = x.shape
    k_h, k_w = w.shape[:2]
    o_h, o_w = y.shape[:2]
    for h in range(o_h):
        for v in range(o_w):
            totals = y[h, v]
            totals[:] = 0
            for a in range(k_h):
                for b in range(k_w):
                    row, column = s_h * h + a - p_h, s_w * v + b - p_w
                    if 0 <= row < i_h and 0 <= column < i_w:
                        for c in range(i_c):
                            totals[c] += x[row, column, c] * w[a, b, c]


@cache
def _compiled():
    import numba  # half a second: only for those who run this

    return numba.njit(cache=True)(convolve_channels)


def depthwise(
    x: np.ndarray, w: np.ndarray, channel: ConvProblem, out: np.ndarray | None = None
) -> np.ndarray:
    """`y[i_n,o_h,o_w,i_c]` from `x[i_n,i_h,i_w,i_c]` and `w[k_h,k_w,i_c]`, all float32.

    `channel` is the problem that each channel poses alone (`i_c = k_c = 1`): the whole layer does
    `i_c` of them. It is written to `out` if there is one. Compiled at the first call. Raises
    `ValueError` for arrays that do not fit it.
    """
    if (channel.i_c, channel.k_c) != (1, 1):
        raise ValueError(
            f"channel={channel} has i_c={channel.i_c} and k_c={channel.k_c}; describe one channel "
            "alone: both 1"
        )
    fits = x.shape[:3] == channel.input_shape[:3] and w.shape[:2] == channel.kernel_shape[:2]
    if not fits or x.ndim != 4 or w.shape[2:] != x.shape[3:]:
        raise ValueError(
            f"x of shape {x.shape} and w of shape {w.shape} do not fit {channel}; they need "
            f"{(*channel.input_shape[:3], 'i_c')} and {(*channel.kernel_shape[:2], 'i_c')}"
        )
    y = np.empty((*channel.output_shape[:3], x.shape[3]), np.float32) if out is None else out
    for image, result in zip(x, y, strict=True):
        _compiled()(image, w, result, *channel.stride, *channel.padding)
    return y
