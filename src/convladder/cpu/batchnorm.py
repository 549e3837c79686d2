"""Batch normalisation at inference, and folding it into the convolution before it."""

from __future__ import annotations

import numpy as np


def batchnorm(
    y: np.ndarray,
    gamma: np.ndarray,
    beta: np.ndarray,
    mean: np.ndarray,
    variance: np.ndarray,
    epsilon: float = 1e-5,
) -> np.ndarray:
    """Return `gamma·(y - mean)/sqrt(variance + epsilon) + beta`, a channel at a time.

    `y[..., k_c]` in any float dtype; the four others `[k_c]`, as training left them. Source:
    Ioffe & Szegedy, "Batch Normalization", ICML 2015, algorithm 2.
    """
    _check(y.shape[-1], gamma=gamma, beta=beta, mean=mean, variance=variance)
    return gamma * (y - mean) / np.sqrt(variance + epsilon) + beta


def fold_batchnorm(
    w: np.ndarray,
    bias: np.ndarray | None,
    gamma: np.ndarray,
    beta: np.ndarray,
    mean: np.ndarray,
    variance: np.ndarray,
    epsilon: float = 1e-5,
) -> tuple[np.ndarray, np.ndarray]:
    """Return weights and bias of one convolution that does what convolution and batch norm did.

    `w[k_h,k_w,i_c,k_c]`, `bias[k_c]` or None, the rest `[k_c]`; returns `(w, bias)` in `w`'s
    dtype. Both layers are linear in each channel, so `conv(x, w) + bias`, normalised, is
    `conv(x, w·g) + (bias - mean)·g + beta` with `g = gamma/sqrt(variance + epsilon)`. It is worked
    out in float64, to round once. Raises `ValueError` for a length that is not `k_c` or a negative
    variance.
    """
    bias = np.zeros(w.shape[-1]) if bias is None else bias
    _check(w.shape[-1], bias=bias, gamma=gamma, beta=beta, mean=mean, variance=variance)
    if (np.asarray(variance) < 0).any():
        raise ValueError(
            f"variance has the negative value {np.min(variance)}; a variance is 0 or more "
            "(did you pass the mean in its place?)"
        )
    g = gamma.astype(np.float64) / np.sqrt(variance.astype(np.float64) + epsilon)
    return (w * g).astype(w.dtype), ((bias - mean.astype(np.float64)) * g + beta).astype(w.dtype)


def _check(k_c: int, **vectors: np.ndarray) -> None:
    for name, vector in vectors.items():
        if np.shape(vector) != (k_c,):
            raise ValueError(
                f"{name} has shape {np.shape(vector)}; it needs one value for each of the "
                f"{k_c} output channels: ({k_c},)"
            )
