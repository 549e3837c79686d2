"""Chapter 16: grids and blocks."""

import numpy as np
import pytest

from convladder.teach.plots.quantisation import ROUNDINGS, block_picture, rounding_picture

VALUES = np.random.default_rng(0).standard_normal(2000).astype(np.float32)


def decibels(**how):
    words = rounding_picture(VALUES, **how).alt.partition("SQNR ")[2]
    return float(words.partition(" dB")[0])


def test_a_grid_tells_its_noise():
    assert decibels(bits=8) - decibels(bits=6) == pytest.approx(12, abs=1)
    nearest, down, zero = (decibels(bits=6, rounding=how) for how in ROUNDINGS)
    assert nearest - down == pytest.approx(6, abs=1) and nearest - zero > 4
    assert decibels(bits=2, kept=95) > decibels(bits=2), "cutting off pays with few bits"


def test_values_of_one_sign_are_cut_off_at_the_top_only():
    relu = np.maximum(VALUES, 0)
    assert "over 99 % of the values" in rounding_picture(relu, 8, kept=99, symmetric=False).alt
    assert decibels(bits=8, symmetric=False) > decibels(bits=8) - 1


def test_a_block_whose_largest_is_7_is_clipped_by_a_power_of_two_only():
    assert block_picture(7).alt.endswith("int4 7, MXFP4 6, NVFP4 6.75.")
    assert block_picture(8).alt.endswith("int4 8, MXFP4 12, NVFP4 8.25.")
