"""A network as the workers compute it, beside float64."""

import numpy as np
import pytest

from convladder import ConvProblem
from convladder.core.reference import conv2d_float64
from convladder.networks.scale.network import Network, photo_network

NETWORK = photo_network(20)


def right(network, x):
    for p, w in zip(network.problems, network.weights):
        x = np.maximum(conv2d_float64(x, w, p.with_batch(len(x))), 0)
    return x


def images(count):
    rng = np.random.default_rng(1)
    return rng.standard_normal((count, *NETWORK.problems[0].input_shape[1:]), dtype=np.float32)


def test_forward():
    x = images(3)
    assert np.allclose(NETWORK.forward(x), right(NETWORK, x), rtol=1e-3, atol=1e-4)


def test_layers_that_do_not_fit():
    p = ConvProblem.parse("8x8x3,3x3x4")
    w = np.zeros(p.kernel_shape, np.float32)
    with pytest.raises(ValueError, match="layer 1 takes .8, 8, 3., and the layer before gives"):
        Network([p, p], [w, w])


def test_filters_of_groups_are_not_shared_out():
    p = ConvProblem.parse("6x6x4,3x3x8,g2")
    network = Network([p], [np.ones(p.kernel_shape, np.float32)])
    with pytest.raises(ValueError, match="layer 0 has groups=2"):
        network.channels(0, range(0, 4))
