"""Fragments and number formats: against the kernels that use them, and against the GPU's record."""

import numpy as np
import pytest

from convladder.bench.records import load_records
from convladder.core import number_formats
from convladder.core.problem import PAPER
from convladder.core.reference import random_arrays
from convladder.gpu import fragments
from convladder.gpu.rounded_products import format_errors


def test_a_lanes_registers_are_in_the_order_of_ptx():
    """PTX ISA, m16n8k16: a0 a1 in row g, a2 a3 eight rows below, a4 to a7 eight columns on."""
    a, b = fragments.holder("a").reshape(16, 16, 2), fragments.holder("b").reshape(16, 8, 2)
    for lane in range(32):
        g, t = divmod(lane, 4)
        for value in range(8):
            row = g + 8 * (value in (2, 3, 6, 7))
            column = 2 * t + value % 2 + 8 * (value >= 4)
            assert tuple(a[column, row]) == (lane, value)
        for value in range(4):
            assert tuple(b[2 * t + value % 2 + 8 * (value >= 2), g]) == (lane, value)


def test_a_lane_of_the_result_has_two_rows_and_two_columns():
    """As tensor_core.cu stores: row lane / 4 and 8 below, columns lane % 4 * 2 and the next."""
    held = fragments.holder("c").reshape(8, 16, 2)  # column, row
    for lane in range(32):
        column, row = lane % 4 * 2, lane // 4
        places = [(column, row), (column + 1, row), (column, row + 8), (column + 1, row + 8)]
        assert [tuple(held[place]) for place in places] == [(lane, value) for value in range(4)]


def test_rounded_to_the_nearest_and_ties_to_even():
    step = 2.0**-10
    parts = np.array([0.5, 1.5, 0.51, -0.51, -0.25, 0, -0.0])
    x = (np.array([1, 1, 1, -1, 2, 0, -0.0]) + step * parts).astype(np.float32)
    right = [1, 1 + 2 * step, 1 + step, -1 - step, 2, 0, 0]
    assert number_formats.rounded(x, 10).tolist() == right
    assert np.signbit(number_formats.rounded(x, 10)[-1])
    assert (number_formats.rounded(x, 23) == x).all()
    x = np.random.default_rng(0).standard_normal(1000, dtype=np.float32)
    large, small = number_formats.halves(x)
    assert (number_formats.rounded(large, 10) == large).all()
    assert (abs(large + small - x) <= 2.0**-22 * abs(x)).all(), "twice as many bits"


def test_errors_are_those_that_a_gpu_recorded():
    """Rounding in NumPy tells an H200's error on cv10 to a few per cent."""
    p = PAPER["cv10"]
    ours = format_errors(*random_arrays(p), p)
    entries = load_records("conv-gpu")[0]["runs"][0]["layers"]["cv10"]["entries"]
    for name, entry in (
        ("TF32", "gpu_cutlass_tf32"),
        ("float16 stored", "gpu_wgmma"),
        ("TF32", "cudnn tf32 NHWC"),
        ("float16 stored", "cudnn float16 NHWC"),
    ):
        assert ours[name] == pytest.approx(entries[entry]["error"], rel=0.05), entry
    assert ours["3xTF32"] < 1e-6 > entries["gpu_cutlass_3xtf32"]["error"]
