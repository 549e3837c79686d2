"""Winograd's matrices: exact for every set of points, and as accurate as their growth says."""

from fractions import Fraction

import numpy as np
import pytest

from convladder import ConvProblem
from convladder.core.winograd_transforms import (
    BETTER,
    POINTS,
    USUAL,
    FloatArithmetic,
    Tiles,
    apply_matrix,
    growth,
    matrices,
    numbers,
    sizes,
    unsupported,
)

ALL = [(*size, points) for table in (USUAL, POINTS) for size, points in table.items()]
MORE = [
    (1, 3, (0, 1)),
    (3, 2, (0, 1, -1)),
    (4, 3, (0, 1, 2, 3, 4)),
    (3, 3, (5, -2, 7, Fraction(1, 3))),
    (2, 3, (0, -1, 1)),  # f_0 is negative in some orders, and the matrices are right in all
]


def product(a, b):
    return [
        [sum(x * y for x, y in zip(row, col, strict=True)) for col in zip(*b, strict=True)]
        for row in a
    ]


@pytest.mark.parametrize(("m", "r", "points"), ALL + MORE, ids=str)
def test_every_tap_is_a_shift(m, r, points):
    """`Aᵀ diag(G e_k) Bᵀ` takes value `j + k` to output `j`, exactly: that is correlation."""
    AT, G, BT = matrices(m, r, points)
    for k in range(r):
        scaled = [[g[k] * value for value in row] for g, row in zip(G, BT, strict=True)]
        shift = [[Fraction(s == j + k) for s in range(m + r - 1)] for j in range(m)]
        assert product(AT, scaled) == shift


@pytest.mark.parametrize(
    ("m", "r", "points", "words"),
    [
        (2, 3, (0, 1, 1), ["0, 1, 1", "differ"]),
        (3, 3, None, ["F(3,3)", "F(2,3)", "points="]),
    ],
)
def test_points_that_cannot_be(m, r, points, words):
    with pytest.raises(ValueError) as raised:
        matrices(m, r, points)
    assert all(word in str(raised.value) for word in words), raised.value


def test_growth_is_that_of_the_literature():
    assert [round(growth(m, r, USUAL[m, r])) for m, r in USUAL] == [7, 256, 509, 133, 301]
    assert round(growth(4, 3, BETTER)) == 63
    assert all(growth(m, r) <= growth(m, r, USUAL[m, r]) for m, r in USUAL)


@pytest.mark.parametrize(("m", "r", "points"), ALL + MORE, ids=str)
def test_shared_sums_are_the_product(m, r, points):
    values = np.random.default_rng(2).standard_normal(m + r - 1)
    for matrix in (matrices(m, r, points).BT, matrices(m, r, points).AT):
        shared = apply_matrix(matrix, list(values), FloatArithmetic())
        np.testing.assert_allclose(shared, numbers(matrix) @ values, rtol=1e-12, atol=1e-12)


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("9x9x2,3x3x2,s2", ["stride is 2×2", "microkernel"]),
        ("9x9x2,5x7x2", ["kernel is 5×7", "7 beside 1"]),
        ("9x9x2,7x7x2", ["kernel is 7×7", "fft"]),
    ],
)
def test_what_no_size_serves_is_refused_with_the_reason(text, words):
    reason = unsupported(ConvProblem.parse(text))
    assert all(word in reason for word in words), reason


def test_sizes_and_tiles():
    known = {"3x3": [2, 4, 6], "5x5": [2, 4], "1x7": [2, 4], "3x1": [2, 4, 6], "3x5": [2, 4]}
    for kernel, served in known.items():
        assert sizes(ConvProblem.parse(f"9x9x2,{kernel}x2")) == served
    problem = ConvProblem.parse("3x13x9x4,3x3x8,p1")
    assert unsupported(problem) is None
    assert Tiles.of(problem, 4) == Tiles(4, 4, 6, 6, 4, 3, 36)
    assert Tiles.of(problem, 2) == Tiles(2, 2, 4, 4, 7, 5, 105)
    row = ConvProblem.parse("2x5x17x4,1x7x8,p0x3")
    assert Tiles.of(row, 4) == Tiles(1, 4, 1, 10, 5, 5, 50)
