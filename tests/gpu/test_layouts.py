"""A convolution in three layouts on the emulator: right, and counted as its addresses say."""

from itertools import product

import pytest

from convladder import ConvProblem
from convladder.core.reference import compare, random_arrays
from convladder.cuda.memory_model import layout_sectors, sectors
from convladder.gpu.layouts import layout_report

from ..sampling import sampled

PROBLEM = ConvProblem.parse("3x34x32,2x3x64")


@pytest.mark.parametrize("block, by_pixel", sampled([*product((1, 8, 32), (True, False))], 2, str))
def test_values_and_sectors(block, by_pixel):
    x, w = random_arrays(PROBLEM, seed=2)
    y, report = layout_report(x[0], w, PROBLEM, block, by_pixel)
    assert compare(y[None], x, w, PROBLEM).ok
    first_load = next(r for r in report.requests if r.array == "x")
    store = next(r for r in report.requests if r.array == "y")
    assert (len(sectors(first_load)), len(sectors(store))) == layout_sectors(
        PROBLEM, block, by_pixel
    )
