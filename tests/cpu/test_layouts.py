"""One image in three layouts: where each value lies, and that the loops agree with the oracle."""

import numpy as np
import pytest

from convladder import ConvProblem
from convladder.core.reference import compare, random_arrays
from convladder.cpu.layouts import (
    blocked_kernel,
    conv_blocked,
    conv_nchw,
    conv_nhwc,
    from_blocked,
    to_blocked,
)

SHAPES = ["7x9x5,3x2x6", "6x5x4,1x1x3", "4x11x16,2x3x17"]


@pytest.mark.parametrize("block", [1, 2, 4, 5, 7])
def test_every_value_has_its_place_and_comes_back(block):
    x = np.arange(1, 2 * 3 * 5 + 1, dtype=np.float32).reshape(2, 3, 5)
    blocked = to_blocked(x, block)
    assert blocked.shape == (-(-5 // block), 2, 3, block) and blocked.flags.c_contiguous
    for h, w, c in np.ndindex(x.shape):
        assert blocked.ravel()[((c // block * 2 + h) * 3 + w) * block + c % block] == x[h, w, c]
    assert blocked.sum() == x.sum(), "zeros where there is no channel"
    assert np.array_equal(from_blocked(blocked, 5), x)
    with pytest.raises(ValueError, match="block=0"):
        to_blocked(x, 0)


@pytest.mark.parametrize("shape", SHAPES)
def test_each_layouts_loops_agree_with_the_oracle(shape):
    p = ConvProblem.parse(shape)
    x, w = random_arrays(p, seed=5)
    y = np.full(p.output_shape, np.nan, np.float32)
    conv_nhwc(x[0], w, y[0])
    assert compare(y, x, w, p).ok
    planes = np.full((p.k_c, p.o_h, p.o_w), np.nan, np.float32)
    conv_nchw(to_blocked(x[0], 1)[..., 0], np.ascontiguousarray(w.transpose(3, 2, 0, 1)), planes)
    assert compare(planes.transpose(1, 2, 0)[np.newaxis].copy(), x, w, p).ok
    blocks = np.full((-(-p.k_c // 4), p.o_h, p.o_w, 4), np.nan, np.float32)
    conv_blocked(to_blocked(x[0], 4), blocked_kernel(w, 4), blocks)
    assert compare(from_blocked(blocks, p.k_c)[np.newaxis], x, w, p).ok
    assert (blocks.transpose(1, 2, 0, 3).reshape(p.o_h, p.o_w, -1)[..., p.k_c :] == 0).all()
