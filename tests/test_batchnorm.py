"""Folding is exact but for rounding, and refuses vectors that do not fit."""

import numpy as np
import pytest

from convladder import ConvProblem
from convladder.core.reference import conv2d_float64, random_arrays
from convladder.cpu.batchnorm import batchnorm, fold_batchnorm

P = ConvProblem(2, 7, 6, 3, 3, 3, 5, padding=1)
X, W = random_arrays(P)
RNG = np.random.default_rng(5)
BIAS, GAMMA, BETA, MEAN = RNG.standard_normal((4, P.k_c), dtype=np.float32)
VARIANCE = RNG.random(P.k_c, dtype=np.float32) + np.float32(0.1)


@pytest.mark.parametrize("bias", [None, BIAS])
def test_folded_convolution_is_convolution_then_batchnorm(bias):
    two = batchnorm(
        conv2d_float64(X, W, P) + (0 if bias is None else bias), GAMMA, BETA, MEAN, VARIANCE
    )
    w, b = fold_batchnorm(W, bias, GAMMA, BETA, MEAN, VARIANCE)
    assert w.dtype == b.dtype == np.float32
    one = conv2d_float64(X, w, P) + b
    assert np.abs(one - two).max() / np.abs(two).max() < 3e-7


def test_epsilon_is_used():
    zero = np.zeros_like(VARIANCE)
    w, _ = fold_batchnorm(W, None, GAMMA, BETA, MEAN, zero, epsilon=4.0)
    np.testing.assert_allclose(w, W * GAMMA / 2, rtol=1e-6)


def test_bad_vectors_are_named():
    with pytest.raises(ValueError, match=r"gamma has shape \(4,\).*\(5,\)"):
        fold_batchnorm(W, None, GAMMA[:4], BETA, MEAN, VARIANCE)
    with pytest.raises(ValueError, match="negative"):
        fold_batchnorm(W, None, GAMMA, BETA, MEAN, -VARIANCE)
    with pytest.raises(ValueError, match=r"mean has shape \(3,\)"):
        batchnorm(np.zeros((2, 5)), GAMMA, BETA, MEAN[:3], VARIANCE)
