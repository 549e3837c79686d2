"""Gradients of a network, against differences of the loss."""

import numpy as np
import pytest

from convladder.core.reference import conv2d_float64
from convladder.networks.scale import gradients, photo_network

NETWORK = photo_network(20)
X = np.random.default_rng(2).standard_normal((5, 20, 20, 3), dtype=np.float32)


def test_gradients_are_those_of_the_loss():
    """Along one direction in all weights, in float64."""
    rng = np.random.default_rng(3)
    along = [rng.standard_normal(w.shape) for w in NETWORK.weights]

    def loss(step):
        y = X.astype(np.float64)
        for p, w, each in zip(NETWORK.problems, NETWORK.weights, along):
            y = np.maximum(conv2d_float64(y, w + step * each, p.with_batch(len(X))), 0)
        return (y**2).sum() / 2

    expected = (loss(1e-7) - loss(-1e-7)) / 2e-7
    found = gradients(NETWORK, X) @ np.concatenate([each.ravel() for each in along])
    assert found == pytest.approx(expected, rel=1e-3)
