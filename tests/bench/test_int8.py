"""Bytes beside float32: nobody is timed who is wrong."""

import numpy as np
import pytest

from convladder import ConvProblem
from convladder.bench import int8 as bench

SMALL = ConvProblem.parse("2x6x7x3,3x2x10,s2x1,p1x0")


def test_a_task_is_what_quantisation_would_make_of_it():
    layer = bench.Int8Layer.random(SMALL)
    y = bench.requantised(layer)
    assert layer.x.min() == 0 and layer.byte_x.max() == 255 and abs(layer.q).max() == 127
    assert y.shape == SMALL.output_shape and y.dtype == np.uint8
    assert (y == 0).any() and 100 < y.max(), "a ReLU, on a grid that is made use of"


def test_bytes_beside_our_float32():
    found = bench.compare_int8(SMALL, 1, rounds=2)
    assert found.comparison.timings.keys() == {"int8", "microkernel"}
    assert found.ratio("microkernel", "int8") > 0 and found.prepare_seconds["int8"] > 0


def test_who_is_wrong_is_not_timed(monkeypatch):
    right = bench.convolve

    def wrong(x, packed, problem, threads=None):
        y = right(x, packed, problem, threads)
        return y if packed.raw else 255 - y

    monkeypatch.setattr(bench, "convolve", wrong)
    with pytest.raises(RuntimeError, match="int8 is off by up to"):
        bench.compare_int8(SMALL, 1, rounds=1)
