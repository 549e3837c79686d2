"""Winograd with any points is right, and fewer bits lose more."""

import numpy as np
import pytest

from convladder import ConvProblem
from convladder.core.reference import ErrorModel, compare, random_arrays
from convladder.core.winograd_transforms import growth
from convladder.cpu.winograd_rounding import (
    as_it_is,
    in_bytes,
    in_bytes_each,
    in_half,
    rounding_errors,
    winograd_with,
)

SMALL = ConvProblem.parse("2x9x11x5,3x3x4,p1")


@pytest.mark.parametrize(
    "m, points", [(2, None), (6, None), (4, (0, 1, -1, 2, -2)), (2, (0, 1, 2))]
)
def test_any_points_are_right(m, points):
    x, w = random_arrays(SMALL)
    y = winograd_with(x, w, SMALL, m, points)
    model = ErrorModel((m, m), growth(m, 3, points))
    assert compare(y, x, w, SMALL, model).ok
    assert not compare(np.roll(y, 1, 1), x, w, SMALL, model).ok


def test_roundings():
    values = np.linspace(-1, 1, 2 * 2 * 5, dtype=np.float32).reshape(2, 2, 5) ** 3
    assert (as_it_is(values) == values).all()
    assert 0 < np.abs(in_half(values) - values).max() <= 2.0**-12
    assert 0 < np.abs(in_bytes(values) - values).max() <= 0.5 / 127 + 1e-7
    each = np.abs(values).max(axis=2, keepdims=True) / 127
    assert (np.abs(in_bytes_each(values) - values) <= 0.501 * each).all()
    zeros = np.zeros((2, 2, 3), np.float32)
    assert (in_bytes(zeros) == 0).all() and (in_bytes_each(zeros) == 0).all()


def test_fewer_bits_and_larger_tiles_lose_more():
    found = rounding_errors(ConvProblem.parse("18x18x32,3x3x16,p1"))
    for each in found.values():
        assert each["direct"] < each["F(2)"] < each["F(4)"] < each["F(6)"]
        assert each["F(4)"] < each["F(4), 0 ±1 ±2"]
    float32, half, one, several = found.values()
    assert all(float32[way] < half[way] < one[way] for way in one)
    assert several["F(4)"] < one["F(4)"] and one["F(4), 0 ±1 ±2"] > 0.5
