"""Signal over noise: known cases, and what it says of LeNet-5's layers."""

import numpy as np
import pytest

from convladder.networks import lenet
from convladder.networks.compress import network as nets
from convladder.networks.compress import quantised
from convladder.networks.compress.noise import layer_sqnr, sqnr

IMAGES = lenet.images()[:200]


@pytest.fixture(scope="module")
def layers():
    return nets.network()


def integers(layers, bits=8, **how):
    return quantised.quantise(
        layers, quantised.ranges(layers, IMAGES, "min-max", bits), bits=bits, **how
    )


def test_a_tenth_off_is_20_decibels():
    signal = np.array([1, -2, 3], np.float32)
    assert sqnr(signal, 1.1 * signal) == pytest.approx(20, abs=1e-5)
    assert sqnr(signal, signal) == np.inf


def test_a_layer_alone_and_with_those_before_it(layers):
    found = layer_sqnr(layers, integers(layers), IMAGES)
    assert list(found) == [layer.name for layer in layers]
    assert found["conv1"][0] == found["conv1"][1], "nothing comes before it"
    for alone, so_far in found.values():
        assert 25 < so_far < alone + 0.5 < 60
    assert found["fc3"][1] < found["fc3"][0] - 3, "its own grids are finer than what it is given"
    coarse = layer_sqnr(layers, integers(layers, 4), IMAGES)
    assert all(coarse[name][1] < found[name][1] - 10 for name in found)


def test_what_cannot_be_is_named():
    with pytest.raises(ValueError, match="zero everywhere"):
        sqnr(np.zeros(3), np.ones(3))
    with pytest.raises(ValueError, match=r"shape \(3,\), what it was rounded to has \(1,\)"):
        sqnr(np.ones(3), np.ones(1))
