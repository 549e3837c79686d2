"""Weights packed for tensor cores: in the order in which the lanes of a warp hold them."""

from __future__ import annotations

import numpy as np

from ..network import Weights


def packed(matrix: np.ndarray, depth: int, columns: int) -> np.ndarray:
    """Return `matrix[rows,n]` as halves, zeros up to `[depth,columns]`, for m16n8k16.

    uint32 `[columns/8, depth/16, lane, 2]`: lane 4g+t holds of column g the rows 2t, 2t+1 and, in
    its second register, 2t+8, 2t+9. Source: PTX ISA, "Matrix fragments for mma.m16n8k16".
    """
    whole = np.zeros((depth, columns), np.float16)
    whole[: matrix.shape[0], : matrix.shape[1]] = matrix
    parts = whole.reshape(depth // 16, 2, 4, 2, columns // 8, 8)  # step, register, t, pair, tile, g
    return np.ascontiguousarray(parts.transpose(4, 0, 5, 2, 1, 3)).view(np.uint32)[..., 0]


def padded(bias: np.ndarray, columns: int) -> np.ndarray:
    """Return `bias` and zeros."""
    return np.concatenate([bias, np.zeros(columns - len(bias), np.float32)])


def windows(conv1: np.ndarray) -> np.ndarray:
    """Return the first convolution as `[48,48]`: 6×8 pixels to two pooled pixels of 6 channels.

    Of a tile of 8 columns lane t has two, 12 in all: those four that a pool compares (rows first)
    for each of three results. Result 3t + q is channel (3t + q) % 6 of pooled pixel (3t + q) // 6.
    """
    matrix = np.zeros((6, 8, 48), np.float32)
    for t in range(4):
        for q in range(3):
            pixel, channel = divmod(3 * t + q, 6)
            for member in range(4):
                h, v = member // 2, 2 * pixel + member % 2
                tile, parity = divmod(4 * q + member, 2)
                column = 8 * tile + 2 * t + parity
                matrix[h : h + 5, v : v + 5, column] = conv1[:, :, 0, channel]
    return matrix.reshape(48, 48)


def fragments(weights: Weights) -> list[np.ndarray]:
    """Return the arguments of tensor_core.cu's `lenet`: each layer's packed weights, its bias."""
    w = weights
    # Channels filled up to 8, so that a kernel position is half a step of 16.
    conv2 = np.zeros((25, 8, 16), np.float32)
    conv2[:, :6] = w.conv2.reshape(25, 6, 16)
    return [
        packed(windows(w.conv1), 48, 48),
        w.conv1_bias,
        packed(conv2.reshape(200, 16), 208, 16),
        w.conv2_bias,
        packed(w.fc1.T, 256, 128),
        padded(w.fc1_bias, 128),
        packed(w.fc2.T, 128, 96),
        padded(w.fc2_bias, 96),
        packed(w.fc3.T, 96, 16),
        padded(w.fc3_bias, 16),
    ]
