"""Grids: what they hold exactly, how far they are off, what they refuse."""

import numpy as np
import pytest

from convladder.networks.compress.grids import grid, weight_grid


@pytest.mark.parametrize("symmetric", [False, True])
@pytest.mark.parametrize("bits", [2, 8])
@pytest.mark.parametrize("span", [(-1.0, 3.0), (0.0, 2.0), (0.5, 2.0), (-4.0, -1.0)])
def test_values_are_half_a_step_off_at_most_and_zero_is_exact(span, bits, symmetric):
    made = grid(*span, bits, symmetric=symmetric)
    assert made.round_trip(np.float32([0.3])).dtype == np.float32
    x = np.linspace(min(span[0], 0), max(span[1], 0), 1001, dtype=np.float32)
    off = np.abs(made.round_trip(x) - x)
    # Where the zero point was rounded, the ends of the range may lie half a step outside.
    assert off.max() <= made.scale * (0.5 if symmetric else 1.0) * 1.0001
    assert made.round_trip(np.zeros(1, np.float32)) == 0
    q = made.quantise(x)
    assert q.min() >= made.low and q.max() <= made.high
    assert made.bits == bits and q.dtype == (np.int8 if symmetric else np.uint8)
    assert len(np.unique(q)) <= 2**bits


def test_halves_go_to_the_even_neighbour_and_the_rest_to_the_ends():
    made = grid(-127, 127, symmetric=True)
    x = np.array([0.5, 1.5, 2.5, -0.5, -1.5, 500, -500], np.float32)
    assert made.quantise(x).tolist() == [0, 2, 2, 0, -2, 127, -127]


def test_each_channel_has_its_own_scale():
    w = np.random.default_rng(0).standard_normal((3, 3, 2, 2)).astype(np.float32)
    w[..., 1] *= 1000
    for symmetric in (True, False):
        one = weight_grid(w, per_channel=False, symmetric=symmetric)
        each = weight_grid(w, symmetric=symmetric)
        assert one.scale.shape == () and each.scale.shape == each.zero.shape == (2,)
        off = [np.abs(g.round_trip(w) - w)[..., 0].max() for g in (one, each)]
        assert off[1] < off[0] / 50


def test_nothing_but_zeros_stays_so():
    made = weight_grid(np.zeros((1, 1, 2, 3), np.float32))
    assert (made.scale == 1).all() and (made.round_trip(np.zeros(3, np.float32)) == 0).all()


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ((0, 1, 9), "bits=9"),
        ((np.nan, 1), "not finite"),
        ((1, 0.5), "upside down"),
    ],
)
def test_what_cannot_be_is_named(arguments, message):
    with pytest.raises(ValueError, match=message):
        grid(*arguments)


@pytest.mark.parametrize("symmetric", [False, True])
def test_a_range_wider_than_float32_is_refused(symmetric):
    wide = np.float32([[-2e38], [2e38]])
    with pytest.raises(ValueError, match="wider than float32 holds"):
        weight_grid(wide, symmetric=symmetric)
    for bits in (2, 8):
        made = grid(*np.float32([-0.5e38, 2.8e38]), bits, symmetric=symmetric and bits == 8)
        assert np.isfinite(made.round_trip(np.float32([-0.5e38, 2.8e38]))).all()
