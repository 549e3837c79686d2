"""Accumulators that are too narrow: each against plain Python, and what they do to digits."""

import numpy as np
import pytest

from convladder.networks import lenet
from convladder.networks.compress import accumulate, quantised
from convladder.networks.compress import network as nets
from convladder.networks.compress.grids import Grid

RNG = np.random.default_rng(0)
X = RNG.integers(0, 256, (20, 15), np.uint8)
Q = RNG.integers(-128, 128, (15, 3), np.int8)
SOME = 300


def one_by_one(x, q, pairs):
    """In Python's own integers."""
    total, part = 0, 0
    for step, (a, b) in enumerate(zip(x.tolist(), q.tolist(), strict=True)):
        part = min(max(part + a * b, -32768), 32767)
        if pairs and step % 2:
            total, part = total + part, 0
    return total + part


@pytest.mark.parametrize("pairs", [False, True])
def test_an_accumulator_that_saturates(pairs):
    add_up = accumulate.saturating_pairs if pairs else accumulate.saturating
    expected = [[one_by_one(x, Q[:, k], pairs) for k in range(3)] for x in X]
    np.testing.assert_array_equal(add_up(X, Q), expected)
    assert (accumulate.exact(X, Q) != expected).any()


def test_float16_stops_counting_at_2048():
    x, w = np.ones((1, 3000), np.float32), np.ones((3000, 1), np.float32)
    assert accumulate.float16_sums(x, w) == 2048
    assert np.isinf(accumulate.float16_sums(300 * x[:, :1], 300 * w[:1]))


@pytest.fixture(scope="module")
def network():
    layers = nets.network()
    return quantised.quantise(layers, quantised.ranges(layers, lenet.images()[:SOME]))


def test_digits_under_each_accumulator(network):
    share = {
        how: accumulate.network_accuracy(network, getattr(accumulate, how), SOME)
        for how in ("exact", "saturating", "wrapping")
    }
    assert share["exact"] == quantised.accuracy(network, SOME)
    assert share["saturating"] < share["exact"] - 0.2 and share["wrapping"] < 0.3


def test_a_zero_point_is_refused(network):
    shifted = Grid(np.float32(1), np.int32(3), 0, 255)
    first = quantised.quantise_layer(nets.network()[0], shifted, network[0].y, network[0].w)
    with pytest.raises(ValueError, match="conv1 has a zero point other than 0"):
        accumulate.network_accuracy([first, *network[1:]], accumulate.exact, 10)
