"""What NaN and infinity do in each method: as `Method` and `conv2d` state it."""

import numpy as np
import pytest

from convladder import ConvProblem, conv2d, methods
from convladder.core.reference import random_arrays

# Padding on all sides, several tiles of any size, tails of channels.
PROBLEM = ConvProblem.parse("2x11x9x5,3x3x6,p1")
TAKEN = [m for m in methods() if not m.unsupported(PROBLEM)]
pytestmark = pytest.mark.filterwarnings("ignore:invalid value")  # NumPy, where infinities cancel


def lost_by(method, x, w):
    return ~np.isfinite(conv2d(x, w, padding=PROBLEM.padding, method=method.name))


def seen_by(p, row, col):
    """Outputs `[o_h,o_w]` whose window holds this pixel."""
    down = abs(np.arange(p.o_h) * p.s_h - p.p_h + (p.k_h - 1) / 2 - row) <= (p.k_h - 1) / 2
    across = abs(np.arange(p.o_w) * p.s_w - p.p_w + (p.k_w - 1) / 2 - col) <= (p.k_w - 1) / 2
    return down[:, None] & across


def in_tiles_that_see(p, tile, row, col):
    """Outputs of each tile of which some output's window, were the image larger, holds it."""
    rows, cols = ((np.arange(o) // m * m, m) for o, m in zip((p.o_h, p.o_w), tile, strict=True))
    down, across = (
        (first - pad <= at) & (at <= first - pad + m - 1 + k - 1)
        for (first, m), pad, k, at in zip((rows, cols), p.padding, p.kernel_shape, (row, col))
    )
    return down[:, None] & across


@pytest.mark.parametrize("method", TAKEN, ids=lambda m: m.name)
def test_from_the_image_they_reach_each_output_that_sees_them(method):
    p = PROBLEM
    x, w = random_arrays(p)
    for value, row, col in ((np.nan, 4, 5), (np.inf, 0, 8)):
        spoiled = x.copy()
        spoiled[1, row, col, 2] = value
        lost = lost_by(method, spoiled, w)
        must = seen_by(p, row, col)[..., None]
        tile = method.error_model(p).tile
        may = must if tile is None else in_tiles_that_see(p, tile, row, col)[..., None]
        assert not lost[0].any()
        assert (lost[1] >= must).all() and (lost[1] <= may).all()


@pytest.mark.parametrize("method", TAKEN, ids=lambda m: m.name)
def test_from_the_weights_they_reach_all_of_a_filter(method):
    """Unless they meet padding alone, and the method skips it."""
    p = PROBLEM
    x, w = random_arrays(p)
    w[0, 2, 3, 4] = np.inf
    lost = lost_by(method, x, w)
    expected = np.ones((p.o_h, p.o_w), bool)
    if method.skips_padding:
        expected[0], expected[:, -1] = False, False
    assert (lost[..., 4] == expected).all()
    lost[..., 4] = False
    assert not lost.any()
