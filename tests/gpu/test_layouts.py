"""A convolution in three layouts on the emulator: right, and counted as its addresses say."""

import pytest

from convladder import ConvProblem
from convladder.core.reference import compare, random_arrays
from convladder.cuda.memory_model import sectors
from convladder.gpu.layouts import layout_launch, layout_report
from convladder.teach.models import layout_sectors

PROBLEM = ConvProblem.parse("3x34x32,2x3x64")


@pytest.mark.parametrize("by_pixel", [True, False])
@pytest.mark.parametrize("block", [1, 8, 32])
def test_values_and_sectors(block, by_pixel):
    x, w = random_arrays(PROBLEM, seed=2)
    y, report = layout_report(x[0], w, PROBLEM, block, by_pixel)
    assert compare(y[None], x, w, PROBLEM).ok
    first_load = next(r for r in report.requests if r.array == "x")
    store = next(r for r in report.requests if r.array == "y")
    assert (len(sectors(first_load)), len(sectors(store))) == layout_sectors(
        PROBLEM, block, by_pixel
    )


def test_refuses_what_it_cannot_place():
    with pytest.raises(ValueError, match="block=5"):
        layout_launch(PROBLEM, 5, True)
    with pytest.raises(ValueError, match="one image"):
        layout_launch(ConvProblem.parse("3x34x32,2x3x64,p1"), 8, True)
    with pytest.raises(ValueError, match="32 or more"):
        layout_sectors(ConvProblem.parse("3x20x32,2x3x64"), 8, True)
