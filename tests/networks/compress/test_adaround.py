"""Adaptive rounding: up or down, by the error of the output; weights alone on a grid."""

from itertools import product

import numpy as np
import pytest

from convladder.networks.compress import network as nets
from convladder.networks.compress.adaround import adaptive, second_moment, weight_bytes, weight_only
from convladder.networks.compress.grids import weight_grid
from convladder.networks.compress.network import Layer


def error(flat, rounded, moment):
    d = (rounded - flat).astype(float)
    return np.einsum("ik,ij,jk->k", d, moment, d)


def problem(steps, channels, seed):
    rng = np.random.default_rng(seed)
    w = rng.standard_normal((1, 1, steps, channels), np.float32)
    x = rng.standard_normal((50, 1, 1, steps), np.float32) + 0.7  # inputs that go together
    return w, second_moment(x, Layer("fc1", w, np.zeros(channels, np.float32)))


@pytest.mark.parametrize("bits", [2, 3])
def test_is_no_worse_than_nearest_and_near_the_best_of_all(bits):
    w, moment = problem(6, 5, bits)
    grid = weight_grid(w, bits)
    flat, scale = w.reshape(-1, 5), grid.scale
    ours = adaptive(w, grid, moment).reshape(-1, 5)
    down = np.clip(np.floor(flat / scale), grid.low, grid.high)
    up = np.clip(down + 1, grid.low, grid.high)
    steps = ours / scale
    assert np.all(np.isclose(steps, down, atol=1e-4) | np.isclose(steps, up, atol=1e-4))
    nearest = error(flat, grid.round_trip(w).reshape(-1, 5), moment)
    every = [
        error(flat, np.where(np.reshape(choice, (6, 1)), up, down) * scale, moment)
        for choice in product((0, 1), repeat=6)
    ]
    best = np.min(every, axis=0)
    found = error(flat, ours, moment)
    assert (found <= nearest * (1 + 1e-6)).all() and found.sum() < nearest.sum()
    assert found.sum() <= 1.3 * best.sum(), "turning over one at a time ends near the best"


def test_the_second_moment_weighs_the_outputs_error():
    rng = np.random.default_rng(4)
    w, other = rng.standard_normal((2, 3, 2, 2, 4), np.float32)
    layer = Layer("conv1", w, np.zeros(4, np.float32))
    x = rng.standard_normal((5, 6, 4, 2), np.float32)
    apart = (nets.convolve(x, w) - nets.convolve(x, other)).reshape(-1, 4).astype(float)
    found = error(w.reshape(-1, 4), other.reshape(-1, 4), second_moment(x, layer))
    assert np.allclose(found, (apart**2).mean(0), rtol=1e-4)


def test_weights_alone_and_their_bytes():
    layers = nets.network()
    heard = []
    few = weight_only(layers, 3, watch=heard.append)
    assert heard == ["conv1", "conv2", "fc1", "fc2", "fc3"]
    for before, after in zip(layers, few, strict=True):
        assert len(np.unique(after.w[..., 0])) <= 7 and np.array_equal(before.bias, after.bias)
    channels = 6 + 16 + 120 + 84 + 10
    assert weight_bytes(layers, 4) == sum(-(-layer.w.size // 2) for layer in layers) + 8 * channels
    with pytest.raises(ValueError, match="bits=1"):
        weight_only(layers, 1)


@pytest.mark.parametrize(("weights", "moments"), [(-10, -10), (-13, -13), (-10, -20), (-20, 0)])
def test_units_of_weights_and_inputs_do_not_matter(weights, moments):
    """Powers of two are exact."""
    w, moment = problem(36, 8, 0)
    small = w * np.float32(2.0**weights)
    found = adaptive(small, weight_grid(small, 4), moment * 2.0**moments)
    assert np.array_equal(found, adaptive(w, weight_grid(w, 4), moment) * np.float32(2.0**weights))
