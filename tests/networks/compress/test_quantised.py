"""LeNet-5 in integers: accuracy on the digits, the calibration that fails, the real kernel."""

import numpy as np
import pytest

from convladder.networks import lenet
from convladder.networks.compress import network as nets
from convladder.networks.compress import quantised, store
from convladder.networks.compress.executor import Int8Network
from convladder.networks.compress.grids import grid, weight_grid

SAMPLE = 1000  # images to calibrate on
SOME = 500  # images to judge by where a tenth shows it


@pytest.fixture(scope="module")
def layers():
    return nets.network()


@pytest.fixture(scope="module")
def plain(layers):
    found = quantised.ranges(layers, lenet.images()[:SAMPLE], "percentile")
    return quantised.quantise(layers, found)


def test_the_layers_are_the_network(layers):
    some = lenet.images()[:20]
    expected = lenet.logits(some, lenet.weights())
    np.testing.assert_allclose(nets.run(layers, nets.pixels(some)), expected, atol=1e-4)


def test_ranges_are_of_the_whole_sample(layers):
    """Which is run in parts: the widest values may be in any."""
    images = lenet.images()[: nets.BATCH + 100].copy()
    images[3] = 255 * (np.indices((28, 28)).sum(0) % 2)
    seen = {}
    nets.run(layers, nets.pixels(images), lambda name, x: seen.update({name: x}))
    for sample in (images, images[::-1].copy()):
        for name, span in quantised.ranges(layers, sample).items():
            np.testing.assert_allclose(span, (seen[name].min(), seen[name].max()), rtol=1e-5)


def test_one_image_that_was_not_scaled_ruins_min_max_alone(layers):
    """A pixel of 255 where 1.0 was meant, in 1 of 1,000 calibration images."""
    images = nets.pixels(lenet.images()[:SAMPLE])
    images[7] *= 255
    share = {
        name: quantised.accuracy(
            quantised.quantise(layers, quantised.ranges(layers, images, name)), SOME
        )
        for name in ("min-max", "percentile", "entropy")
    }
    whole = nets.float_accuracy(layers, SOME)
    assert share["min-max"] < whole - 0.1
    assert share["percentile"] > whole - 0.005
    assert share["entropy"] > whole - 0.01


def test_the_int8_kernel_gives_the_same_logits(plain):
    images = lenet.images()[:100]
    for network in (plain, store.quantised_network("qat8")):
        found = Int8Network(network, batch=25).logits(images)
        np.testing.assert_array_equal(found, quantised.logits(network, images))
    with pytest.raises(ValueError, match="not a multiple of the batch, 25"):
        Int8Network(plain, batch=25).logits(images[:30])


@pytest.mark.parametrize("per_channel", [False, True])
@pytest.mark.parametrize("symmetric", [False, True])
def test_a_layer_is_what_its_grids_say(per_channel, symmetric):
    """In float64 on the grids' own values: nothing but the last rounding may differ."""
    rng = np.random.default_rng(0)
    w = rng.standard_normal((3, 2, 5, 4)).astype(np.float32) * np.float32([1, 5, 0.1, 1])
    bias = rng.standard_normal(4).astype(np.float32)
    layer = nets.Layer("any", w, bias)
    x_grid, y_grid = grid(-1, 3), grid(-2, 20)
    w_grid = weight_grid(w, per_channel=per_channel, symmetric=symmetric)
    made = quantised.quantise_layer(layer, x_grid, y_grid, w_grid)
    x = x_grid.quantise(rng.uniform(-1, 3, (2, 6, 7, 5)).astype(np.float32))
    sums = nets.convolve(
        x_grid.dequantise(x).astype(np.float64), w_grid.round_trip(w).astype(np.float64)
    )
    steps = np.maximum(sums + bias, 0) / y_grid.scale + y_grid.zero
    got = made.requantise(made.sums(x))
    assert np.abs(got - np.clip(steps, 0, 255)).max() < 0.52
    assert got.min() == y_grid.zero > 0  # the ReLU


def test_what_cannot_be_is_named(layers):
    with pytest.raises(ValueError, match="calibration images are float32 of shape"):
        quantised.ranges(layers, np.zeros((3, 28, 28), np.float32))
    with pytest.raises(ValueError, match="all calibration pixels are 0: ranges"):
        quantised.ranges(layers, np.zeros((3, 28, 28), np.uint8))
    with pytest.raises(ValueError, match="no network 'qat7' ships; there are qat"):
        store.quantised_network("qat7")
    wide = nets.Layer("wide", np.ones((1, 1, 4096, 1), np.float32), np.zeros(1, np.float32))
    with pytest.raises(ValueError, match="wide may add up to"):
        quantised.quantise_layer(wide, grid(0, 1), None, weight_grid(wide.w))
