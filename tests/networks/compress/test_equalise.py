"""Other weights, the same network; and grids that see the difference."""

import numpy as np
import pytest

from convladder.networks import lenet
from convladder.networks.compress import network as nets
from convladder.networks.compress import quantised
from convladder.networks.compress.equalise import equalised, scaled, stretched

IMAGES = lenet.images()[:500]


def int8_accuracy(layers):
    found = quantised.ranges(layers, IMAGES, "percentile")
    return quantised.accuracy(quantised.quantise(layers, found), 500)


def test_the_network_stays_and_the_grids_do_not():
    layers = nets.network()
    wild = stretched(layers)
    mended = equalised(wild)
    for other in (wild, mended):
        np.testing.assert_allclose(
            nets.run(other, nets.pixels(IMAGES[:20])),
            nets.run(layers, nets.pixels(IMAGES[:20])),
            atol=1e-3,
        )
    assert int8_accuracy(wild) < 0.8 < 0.97 < int8_accuracy(mended)


def test_a_dead_channel_is_left_alone():
    layers = list(nets.network())
    dead = layers[0].w.copy()
    dead[..., 2] = 0
    layers[0] = nets.Layer("conv1", dead, layers[0].bias, pool=True)
    assert all(np.isfinite(layer.w).all() for layer in equalised(layers))


def test_factors_are_positive():
    layers = nets.network()
    ones = [np.ones(len(layer.bias)) for layer in layers[:-1]]
    with pytest.raises(ValueError, match="conv1 has 6 channels"):
        scaled(layers, [-ones[0], *ones[1:]])
