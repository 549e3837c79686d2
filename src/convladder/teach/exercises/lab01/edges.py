"""The strengths of edges, and the differences that they come from."""

from __future__ import annotations

import numpy as np

from .gemm import COLUMNS, convolve


def edge_strength(photo):
    """Return how strong the edges of `photo[i_h,i_w,i_c]` are: float32 `[i_h,i_w]` in [0, 1]."""
    across, down = differences(photo)
    return scaled(np.sqrt(across**2 + down**2))


def differences(photo, padding=(1, 1)):
    grey = photo.mean(axis=2, dtype=np.float32)[None, :, :, None]
    w = np.stack([COLUMNS, COLUMNS.T], axis=-1)[:, :, None, :]
    y = convolve(grey, w, (1, 1), padding)[0]
    return y[..., 0], y[..., 1]


def scaled(strength):
    largest = strength.max()
    return strength / largest if largest > 0 else strength
