"""Other weights, the same network; and grids that see the difference."""

import numpy as np

from convladder.networks import lenet
from convladder.networks.compress import network as nets
from convladder.networks.compress import quantised
from convladder.networks.compress.equalise import (
    activation_aware,
    equalised,
    smoothed,
    stretched,
)
from convladder.networks.compress.rounding import weight_only

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


def test_smoothquant_and_awq_mend_what_outlying_channels_break():
    layers, x = nets.network(), nets.pixels(IMAGES)
    wild = stretched(layers)
    smooth, aware = smoothed(wild, x), activation_aware(wild, x, 4, group=32)
    for other in (smooth, aware):
        np.testing.assert_allclose(nets.run(other, x[:20]), nets.run(layers, x[:20]), atol=1e-3)
    assert int8_accuracy(wild) < 0.8 < 0.97 < int8_accuracy(smooth)
    right = [nets.float_accuracy(weight_only(each, 4, group=32), 500) for each in (wild, aware)]
    assert right[0] < 0.95 < 0.98 < right[1]


def test_channels_that_are_always_0_are_left_alone():
    layers, nothing = nets.network(), np.zeros((2, 28, 28, 1), np.float32)
    dead = [
        nets.Layer(each.name, each.w, -np.abs(each.bias), each.relu, each.pool) for each in layers
    ]
    w = layers[0].w * (np.arange(6) != 2)  # a filter of zeros
    silent = (nets.Layer("conv1", w, layers[0].bias, pool=True), *layers[1:])
    for found in (smoothed(dead, nothing), activation_aware(dead, nothing, 4), equalised(silent)):
        assert all(np.isfinite(layer.w).all() for layer in found)
