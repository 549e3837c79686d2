"""One plain convolution in three layouts: channels last, channels first, channels in blocks.

Blocks hold both others at their ends. Of an image `[i_h,i_w,i_c]`, blocks of 1 channel are NCHW's
planes, and one block of all channels is NHWC.
"""

from __future__ import annotations

import numpy as np

from .epilogue import compiled


def to_blocked(x: np.ndarray, block: int) -> np.ndarray:
    """Return `x[h,w,c]` as `[blocks,h,w,block]`: block `b` has channels `b·block` and on.

    The last block has zeros for channels that are not. Raises `ValueError` for a block below 1.
    """
    if block < 1:
        raise ValueError(f"block={block}: a block has at least one channel")
    h, w, c = x.shape
    blocks = -(-c // block)
    filled = np.zeros((h, w, blocks * block), x.dtype)
    filled[..., :c] = x
    return np.ascontiguousarray(filled.reshape(h, w, blocks, block).transpose(2, 0, 1, 3))


def from_blocked(blocked: np.ndarray, channels: int) -> np.ndarray:
    """Return `[blocks,h,w,block]` as `[h,w,channels]`, without the last block's zeros."""
    _, h, w, _ = blocked.shape
    return np.ascontiguousarray(blocked.transpose(1, 2, 0, 3).reshape(h, w, -1)[..., :channels])


def blocked_kernel(w: np.ndarray, block: int) -> np.ndarray:
    """Return `w[k_h,k_w,i_c,k_c]` as `[k blocks,c blocks,k_h,k_w,c,k]`, with zeros."""
    k_h, k_w, i_c, k_c = w.shape
    outer, inner = -(-k_c // block), -(-i_c // block)
    filled = np.zeros((k_h, k_w, inner * block, outer * block), w.dtype)
    filled[:, :, :i_c, :k_c] = w
    parts = filled.reshape(k_h, k_w, inner, block, outer, block)
    return np.ascontiguousarray(parts.transpose(4, 2, 0, 1, 3, 5))


@compiled
def conv_nhwc(x, w, y):
    """Convolve `x[h,w,c]` with `w[k_h,k_w,c,k]` into `y[h,w,k]`: vectors of channels."""
    y[:] = 0
    for h in range(y.shape[0]):
        for v in range(y.shape[1]):
            sums = y[h, v]
            for a in range(w.shape[0]):
                for b in range(w.shape[1]):
                    for c in range(w.shape[2]):
                        value, weights = x[h + a, v + b, c], w[a, b, c]
                        for k in range(len(sums)):
                            sums[k] += value * weights[k]


@compiled
def conv_nchw(x, w, y):
    """Convolve `x[c,h,w]` with `w[k,c,k_h,k_w]` into `y[k,h,w]`: vectors of pixels of a row."""
    y[:] = 0
    for k in range(y.shape[0]):
        for h in range(y.shape[1]):
            sums = y[k, h]
            for c in range(w.shape[1]):
                for a in range(w.shape[2]):
                    for b in range(w.shape[3]):
                        weight, row = w[k, c, a, b], x[c, h + a]
                        for v in range(len(sums)):
                            sums[v] += weight * row[v + b]


@compiled
def conv_blocked(x, w, y):
    """Convolve `x[blocks,h,w,c]` with `blocked_kernel` into `y[blocks,h,w,k]`: a block a vector."""
    y[:] = 0
    for block in range(y.shape[0]):
        for h in range(y.shape[1]):
            for other in range(w.shape[1]):
                for a in range(w.shape[2]):
                    for b in range(w.shape[3]):
                        for c in range(w.shape[4]):
                            weights = w[block, other, a, b, c]
                            for v in range(y.shape[2]):
                                value, sums = x[other, h + a, v + b, c], y[block, h, v]
                                for k in range(len(sums)):
                                    sums[k] += value * weights[k]
