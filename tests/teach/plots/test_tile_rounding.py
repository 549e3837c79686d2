"""Winograd in NumPy with other points and roundings: right, and wrong by as much as it should."""

import numpy as np
import pytest

from convladder import ConvProblem
from convladder.core.reference import ErrorModel, compare, conv2d_float64, random_arrays
from convladder.core.winograd_transforms import growth
from convladder.teach.plots import winograd as rounding

SMALL = ConvProblem.parse("2x9x11x5,3x3x4,p1")


@pytest.mark.parametrize(
    "m, points", [(2, None), (6, None), (4, (0, 1, -1, 2, -2)), (2, (0, 1, 2))]
)
def test_any_points_are_right(m, points):
    x, w = random_arrays(SMALL)
    y = rounding.winograd_with(x, w, SMALL, m, points)
    model = ErrorModel((m, m), growth(m, 3, points))
    assert compare(y, x, w, SMALL, model).ok
    assert not compare(np.roll(y, 1, 1), x, w, SMALL, model).ok


def test_roundings():
    values = np.linspace(-1, 1, 2 * 2 * 5, dtype=np.float32).reshape(2, 2, 5) ** 3
    assert (rounding.as_it_is(values) == values).all()
    assert 0 < np.abs(rounding.in_half(values) - values).max() <= 2.0**-12
    assert 0 < np.abs(rounding.in_bytes(values) - values).max() <= 0.5 / 127 + 1e-7
    each = np.abs(values).max(axis=2, keepdims=True) / 127
    assert (np.abs(rounding.in_bytes_each(values) - values) <= 0.501 * each).all()
    zeros = np.zeros((2, 2, 3), np.float32)
    assert (rounding.in_bytes(zeros) == 0).all() and (rounding.in_bytes_each(zeros) == 0).all()


def test_fewer_bits_and_larger_tiles_lose_more():
    found = rounding.rounding_errors(ConvProblem.parse("18x18x32,3x3x16,p1"))
    for each in found.values():
        assert each["direct"] < each["F(2)"] < each["F(4)"] < each["F(6)"]
        assert each["F(4)"] < each["F(4), 0 ±1 ±2"]
    float32, half, one, several = found.values()
    assert all(float32[way] < half[way] < one[way] for way in one)
    assert several["F(4)"] < one["F(4)"] and one["F(4), 0 ±1 ±2"] > 0.5


def test_errors_are_relative():
    x, w = random_arrays(SMALL)
    right = conv2d_float64(x, w, SMALL)
    assert rounding.largest_error(1.5 * right, right) == pytest.approx(0.5)
    assert rounding.typical_error(1.5 * right, right) == pytest.approx(0.5)
