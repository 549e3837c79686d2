"""Arrays made twice: the same values, the bytes that the lifetimes say, the layers counted."""

import math

import numpy as np
import pytest

from convladder.measure import workspace
from convladder.networks import memory
from convladder.networks.memory.recompute import blocks_of, extra_layers, training_steps
from convladder.networks.memory.training import Chain

LAYERS = 16
EVERY = [None, 3, 40]


def x():
    return np.random.default_rng(1).standard_normal((1, 64, 60, 8), np.float32)


def peak(every, layers=LAYERS):
    """In maps."""
    steps = training_steps(layers, every)
    return memory.lower_bound(blocks_of(steps, {name: 1 for name, _ in steps}))


@pytest.mark.parametrize("every", EVERY)
def test_the_same_gradients_in_the_bytes_predicted(every):
    chain, image = Chain(LAYERS, 8), x()
    np.testing.assert_allclose(chain.gradients(image, every), chain.gradients(image), rtol=1e-5)
    predicted = chain.peak_bytes(image.shape, every)
    assert predicted == peak(every) * image.nbytes
    taken = workspace(chain.gradients, image, every).workspace
    assert predicted <= taken < predicted + image.nbytes / 4  # Python's lists of steps


def test_the_square_root():
    assert peak(None) == LAYERS + 2 == peak(1) == peak(LAYERS)
    assert min(map(peak, range(1, 17))) == peak(4) == 9
    for layers in (16, 36, 64, 100):
        root = math.isqrt(layers)
        assert peak(root, layers) == 2 * root + 1
        assert extra_layers(layers, root) == (root - 1) ** 2
    assert extra_layers(LAYERS, 1) == extra_layers(LAYERS, LAYERS) == 0
