"""Pictures of grids, ranges and accuracies: what they say of themselves."""

import numpy as np
import pytest

from convladder.teach.plots.quantisation import (
    ROUNDINGS,
    ranges_picture,
    rounding_picture,
    sqnr_picture,
    top1_error_picture,
)

VALUES = np.random.default_rng(0).standard_normal(2000).astype(np.float32)


def decibels(**how):
    words = rounding_picture(VALUES, **how).alt.partition("SQNR ")[2]
    return float(words.partition(" dB")[0])


def test_a_grid_tells_its_noise():
    assert decibels(bits=8) - decibels(bits=6) == pytest.approx(12, abs=1)
    nearest, down, zero = (decibels(bits=6, rounding=how) for how in ROUNDINGS)
    assert nearest - down == pytest.approx(6, abs=1) and nearest - zero > 4
    assert decibels(bits=2, kept=95) > decibels(bits=2), "cutting off pays with few bits"
    with pytest.raises(KeyError):
        rounding_picture(VALUES, 4, rounding="up")


def test_values_of_one_sign_are_cut_off_at_the_top_only():
    relu = np.maximum(VALUES, 0)
    assert "over 99 % of the values" in rounding_picture(relu, 8, kept=99, symmetric=False).alt
    assert decibels(bits=8, symmetric=False) > decibels(bits=8) - 1


def test_lines_say_what_they_show():
    assert "alone conv1 39, fc1 31" in sqnr_picture({"alone": {"conv1": 39.2, "fc1": 30.9}}).alt
    found = top1_error_picture({"PTQ": {8: 0.9927, 2: 0.1}}, "bits", 0.9929).alt
    assert "PTQ: 73 at 8, 9,000 at 2" in found


def test_ranges_end_where_they_end():
    found = ranges_picture({"input": np.abs(VALUES)}, {"input": {"min-max": 3.5, "entropy": 2.0}})
    assert "min-max ends at 3.5, entropy ends at 2" in found.alt
