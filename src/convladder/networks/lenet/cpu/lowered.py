"""LeNet-5 as NumPy has it: lowered windows and BLAS, a batch of images at a time."""

from __future__ import annotations

import numpy as np
from numpy.lib.stride_tricks import sliding_window_view

from ..network import Weights
from ..rungs import rung

BATCH = 500  # images: the lowered matrix of the first layer takes 29 MB


def conv_relu(x: np.ndarray, w: np.ndarray, bias: np.ndarray) -> np.ndarray:
    """Compute `y[i_n,o_h,o_w,k_c]` of `x[i_n,i_h,i_w,i_c]` by im2col, one product for the batch."""
    k_h, k_w, i_c, k_c = w.shape
    windows = sliding_window_view(x, (k_h, k_w), axis=(1, 2)).transpose(0, 1, 2, 4, 5, 3)
    y = windows.reshape(-1, k_h * k_w * i_c) @ w.reshape(-1, k_c)
    y += bias
    return np.maximum(y, 0, out=y).reshape(*windows.shape[:3], k_c)


def max_pool(x: np.ndarray) -> np.ndarray:
    """Return the largest of each 2×2 pixels, `[i_n,i_h/2,i_w/2,i_c]`."""
    return np.maximum(
        np.maximum(x[:, ::2, ::2], x[:, ::2, 1::2]), np.maximum(x[:, 1::2, ::2], x[:, 1::2, 1::2])
    )


@rung(name="lowered", device="cpu", number=1)
class Lowered:
    """Layer after layer, in batches whose matrices stay small.

    The starting point: every layer is a matrix product, and between them whole arrays go through
    memory to be lowered, cut off at zero and pooled.
    """

    def __init__(self, images: np.ndarray, weights: Weights):
        self.images, self.weights = images, weights

    def run(self) -> np.ndarray:
        batches = range(0, len(self.images), BATCH)
        return np.concatenate([self._label(self.images[at : at + BATCH]) for at in batches])

    def _label(self, images: np.ndarray) -> np.ndarray:
        w = self.weights
        x = images[..., np.newaxis] * np.float32(1 / 255)
        x = max_pool(conv_relu(x, w.conv1, w.conv1_bias))
        x = max_pool(conv_relu(x, w.conv2, w.conv2_bias))
        x = np.maximum(x.reshape(len(x), -1) @ w.fc1.T + w.fc1_bias, 0)
        x = np.maximum(x @ w.fc2.T + w.fc2_bias, 0)
        return (x @ w.fc3.T + w.fc3_bias).argmax(axis=1)
