"""Weights alone on a grid: GPTQ by the error of the output, groups, and their bytes."""

import numpy as np
import pytest

from convladder.networks.compress import network as nets
from convladder.networks.compress.grids import weight_grid
from convladder.networks.compress.network import Layer
from convladder.networks.compress.rounding import gptq, second_moment, weight_bytes, weight_only


def error(flat, rounded, moment):
    d = (rounded - flat).astype(float)
    return np.einsum("ik,ij,jk->k", d, moment, d)


def problem(steps, channels, seed):
    rng = np.random.default_rng(seed)
    w = rng.standard_normal((1, 1, steps, channels), np.float32)
    walk = rng.standard_normal((500, 1, 1, steps), np.float32).cumsum(axis=3)  # neighbours agree
    return w, second_moment(walk, Layer("fc1", w, np.zeros(channels, np.float32)))


@pytest.mark.parametrize("group", [None, 4])
@pytest.mark.parametrize("bits", [2, 3])
def test_gptq_stays_on_the_grid_and_lowers_the_error_of_the_output(bits, group):
    w, moment = problem(30, 5, bits)
    grid = weight_grid(w, bits, group=group)
    ours = gptq(w, grid, moment)
    assert np.allclose(grid.round_trip(ours), ours, atol=1e-6) and ours.dtype == np.float32
    nearest = error(w.reshape(30, 5), grid.round_trip(w).reshape(30, 5), moment)
    found = error(w.reshape(30, 5), ours.reshape(30, 5), moment)
    assert found.sum() < 0.6 * nearest.sum()


def test_without_neighbours_that_go_together_nearest_is_the_best():
    w, _ = problem(8, 5, 0)
    grid = weight_grid(w, 3)
    assert np.array_equal(gptq(w, grid, np.eye(8)), grid.round_trip(w))


def test_the_second_moment_weighs_the_outputs_error():
    rng = np.random.default_rng(4)
    w, other = rng.standard_normal((2, 3, 2, 2, 4), np.float32)
    layer = Layer("conv1", w, np.zeros(4, np.float32))
    x = rng.standard_normal((5, 6, 4, 2), np.float32)
    apart = (nets.convolve(x, w) - nets.convolve(x, other)).reshape(-1, 4).astype(float)
    found = error(w.reshape(-1, 4), other.reshape(-1, 4), second_moment(x, layer))
    assert np.allclose(found, (apart**2).mean(0), rtol=1e-4)


def test_weights_alone_and_their_bytes():
    layers, heard = nets.network(), []
    few = weight_only(layers, 3, watch=heard.append)
    assert heard == ["conv1", "conv2", "fc1", "fc2", "fc3"]
    for before, after in zip(layers, few, strict=True):
        assert len(np.unique(after.w[..., 0])) <= 7 and np.array_equal(before.bias, after.bias)
    channels, packed = 6 + 16 + 120 + 84 + 10, sum(-(-layer.w.size // 2) for layer in layers)
    assert weight_bytes(layers, 4) == packed + 8 * channels
    groups = 6 * 1 + 16 * 5 + 120 * 8 + 84 * 4 + 10 * 3
    assert weight_bytes(layers, 4, 32) == packed + 4 * channels + 2 * groups
    with pytest.raises(ValueError, match="bits=1"):
        weight_only(layers, 1)


@pytest.mark.parametrize(("weights", "moments"), [(-10, -10), (-13, -12), (-10, -20), (-20, 0)])
def test_units_of_weights_and_inputs_do_not_matter(weights, moments):
    """Powers of two are exact."""
    w, moment = problem(36, 8, 0)
    small = w * np.float32(2.0**weights)
    found = gptq(small, weight_grid(small, 4), moment * 2.0**moments)
    assert np.array_equal(found, gptq(w, weight_grid(w, 4), moment) * np.float32(2.0**weights))
