"""What chapter 07 times was compared before."""

import pytest

from convladder import ConvProblem
from convladder.cpu import mec
from convladder.gpu.first_kernels import report_kernels

SMALL = ConvProblem.parse("9x11x3,3x5x4,s1,p1")


def test_four_kernels_with_the_bytes_they_must_move():
    ready = report_kernels(SMALL)
    moved = [bytes_ for _, bytes_ in ready.values()]
    image = 4 * 9 * 11 * 3
    assert moved == [
        image + SMALL.im2col_bytes(),
        image + SMALL.mec_bytes(),
        SMALL.compulsory_bytes(),
        SMALL.compulsory_bytes(),
    ]
    for launch, _ in ready.values():
        launch()


def test_a_wrong_lowering_is_not_timed(monkeypatch):
    lower = mec.lower
    monkeypatch.setattr(mec, "lower", lambda x, p: 0 * lower(x, p))
    with pytest.raises(ValueError, match="MEC's lowering differs"):
        report_kernels(SMALL)
