"""The layers as plain loops: constant sizes and long inner loops, of which LLVM makes vectors."""

from __future__ import annotations

import numpy as np

from .....core.jit import numba
from .....core.problem import ConvProblem
from ...network import CONV1, CONV2, Weights

jit = numba.njit(cache=True, fastmath=True, nogil=True)


def prepare(weights: Weights) -> tuple[np.ndarray, ...]:
    """Return `weights`' arrays as the loops want them, kernel rows flat, outputs innermost."""
    conv1, conv1_bias, conv2, conv2_bias, *full = weights
    return (
        conv1.reshape(5, 5, 6) * np.float32(1 / 255),  # a pixel is then its byte
        conv1_bias,
        conv2.reshape(5, 30, 16),
        conv2_bias,
        *(np.ascontiguousarray(a.T) for a in full),
    )


def conv_of(problem: ConvProblem):
    """Return `conv(x, w, bias, y)`: `y[h,v,k]` from `x[h,v·i_c]` and `w[a,step,k]`, kernel 5×5.

    Five steps of a kernel row at a time: a sum is loaded and stored once for five multiply-adds.
    Channels are innermost, and their number is a constant, so that LLVM makes vectors of them.
    """
    side, i_c, k_c = problem.o_h, problem.i_c, problem.k_c

    def conv(x, w, bias, y):
        for h in range(side):
            for v in range(side):
                sums = y[h, v]
                for k in range(k_c):
                    sums[k] = bias[k]
                for a in range(5):
                    for j in range(0, 5 * i_c, 5):
                        at = v * i_c + j
                        x0, x1, x2 = x[h + a, at], x[h + a, at + 1], x[h + a, at + 2]
                        x3, x4 = x[h + a, at + 3], x[h + a, at + 4]
                        for k in range(k_c):
                            sums[k] += (
                                x0 * w[a, j, k]
                                + x1 * w[a, j + 1, k]
                                + x2 * w[a, j + 2, k]
                                + x3 * w[a, j + 3, k]
                                + x4 * w[a, j + 4, k]
                            )

    return jit(conv)


@jit
def relu_pool(x, y):
    """Compute `y[h,v,k]` = max(0, the largest of four values of `x`)."""
    for h in range(y.shape[0]):
        for v in range(y.shape[1]):
            for k in range(y.shape[2]):
                upper = max(x[2 * h, 2 * v, k], x[2 * h, 2 * v + 1, k])
                lower = max(x[2 * h + 1, 2 * v, k], x[2 * h + 1, 2 * v + 1, k])
                y[h, v, k] = max(max(upper, lower), np.float32(0))


@jit
def dense(x, w, bias, y):
    """Compute `y[o]`, the sum of ReLU(`x[i]`)·`w[i,o]`: outputs innermost, for LLVM's vectors."""
    for o in range(len(y)):  # y[:] = bias takes Numba a second to compile, for its error's words
        y[o] = bias[o]
    for i in range(w.shape[0]):
        for o in range(w.shape[1]):
            y[o] += max(x[i], np.float32(0)) * w[i, o]


first_conv, second_conv = conv_of(CONV1), conv_of(CONV2)


@jit
def label(images, weights, labels):
    """Fill `labels[count]` for bytes `images[count,28,28]`, with what `prepare` made."""
    conv1, conv1_bias, conv2, conv2_bias, fc1, fc1_bias, fc2, fc2_bias, fc3, fc3_bias = weights
    x, map1 = np.empty((28, 28), np.float32), np.empty((24, 24, 6), np.float32)
    pooled1, map2 = np.empty((12, 12, 6), np.float32), np.empty((8, 8, 16), np.float32)
    pooled2 = np.empty((4, 4, 16), np.float32)
    first, second = np.empty(120, np.float32), np.empty(84, np.float32)
    logits = np.empty(10, np.float32)
    for n in range(len(images)):
        for h in range(28):
            for v in range(28):
                x[h, v] = images[n, h, v]
        first_conv(x, conv1, conv1_bias, map1)
        relu_pool(map1, pooled1)
        second_conv(pooled1.reshape(12, 72), conv2, conv2_bias, map2)
        relu_pool(map2, pooled2)
        dense(pooled2.reshape(256), fc1, fc1_bias, first)
        dense(first, fc2, fc2_bias, second)
        dense(second, fc3, fc3_bias, logits)
        best = 0
        for k in range(10):
            if logits[k] > logits[best]:
                best = k
        labels[n] = best
