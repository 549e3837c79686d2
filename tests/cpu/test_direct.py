"""The tile of four pixels by four steps: reached, right, and left where it does not fit."""

import numpy as np
import pytest

from convladder import ConvProblem, get_method
from convladder.cpu import direct
from convladder.reference import compare, random_arrays


@pytest.mark.parametrize(
    "shape",
    [
        "6x23x4,3x3x5",  # 21 pixels a row: five tiles and one; 12 steps a kernel row: three
        "6x23x5,3x3x5,s2",  # 15 steps: three times four and three
        "2x9x19x2,3x4x17,s1x3,p1",  # tiles between two padded edges
        "5x8x1,2x3x3",  # fewer steps than four
    ],
)
def test_tiles_and_what_is_left_of_them(shape):
    problem = ConvProblem.parse(shape)
    x, w = random_arrays(problem)
    y = get_method("direct_tiled").run(x, w, problem)
    assert not (agreement := compare(y, x, w, problem)).reason, agreement.reason


def test_a_tile_is_four_by_four_and_no_more():
    rng = np.random.default_rng(0)
    x, w, y = rng.random(40), rng.random((6, 3)), rng.random((6, 3))
    before = y.copy()
    direct.add_tile(x, 2, 7, w, 1, y, 1)
    for pixel in range(6):
        added = x[2 + 7 * (pixel - 1) :][:4] @ w[1:5] if 1 <= pixel <= 4 else 0
        np.testing.assert_allclose(y[pixel], before[pixel] + added)
