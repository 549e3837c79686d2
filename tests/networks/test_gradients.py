"""Gradients of networks, against differences of the loss: half the sum of the squared outputs."""

import numpy as np
import pytest

from convladder import ConvProblem
from convladder.core.reference import conv2d_float64
from convladder.networks.memory.training import Chain
from convladder.networks.scale import gradients, photo_network

PHOTO, CHAIN = photo_network(20), Chain(3, 8)
CASES = {
    "photo": (PHOTO.weights, [p.with_batch(5) for p in PHOTO.problems], 1e-7, 1e-3),
    "chain": (CHAIN.weights, [ConvProblem.parse("9x8x8,3x3x8,p1")] * 3, 1e-6, 1e-4),
}


@pytest.mark.parametrize("name", CASES)
def test_gradients_are_those_of_the_loss(name):
    """Along one direction in all weights, in float64."""
    weights, problems, step, close = CASES[name]
    rng = np.random.default_rng(2)
    x = rng.standard_normal(problems[0].input_shape, dtype=np.float32)
    along = [rng.standard_normal(w.shape) for w in weights]

    def loss(step):
        y = x.astype(np.float64)
        for p, w, each in zip(problems, weights, along, strict=True):
            y = np.maximum(conv2d_float64(y, w + step * each, p), 0)
        return (y**2).sum() / 2

    expected = (loss(step) - loss(-step)) / (2 * step)
    found = gradients(PHOTO, x) if name == "photo" else CHAIN.gradients(x).ravel()
    slope = found @ np.concatenate([each.ravel() for each in along])
    assert slope == pytest.approx(expected, rel=close)
