"""Calibration: what each way keeps of a sample, and how each bears one wild value."""

import numpy as np
import pytest

from convladder.networks.compress.calibrate import (
    CALIBRATIONS,
    calibration,
    entropy,
    min_max,
    percentile,
)
from convladder.networks.compress.grids import grid

RNG = np.random.default_rng(0)
RELU = np.maximum(RNG.standard_normal(20_000), 0).astype(np.float32)
SIGNED = RNG.standard_normal(20_000).astype(np.float32)


def error(sample, span, bits):
    """Root of the mean square, of all but the wild value that comes last."""
    off = grid(*span, bits).round_trip(sample[:-1]) - sample[:-1]
    return float(np.sqrt((off**2).mean()))


def test_percentile_keeps_its_share_of_either_side():
    least, most = percentile(SIGNED, share=0.9)
    assert (SIGNED < least).mean() == pytest.approx(0.05, abs=0.001)
    assert (SIGNED > most).mean() == pytest.approx(0.05, abs=0.001)
    least, most = percentile(RELU, share=0.9)
    assert least == 0 and (RELU > most).mean() == pytest.approx(0.1, abs=0.001)


@pytest.mark.parametrize("bits", [4, 8])
@pytest.mark.parametrize("sample", [RELU, SIGNED], ids=["relu", "signed"])
def test_one_wild_value_ruins_min_max_alone(sample, bits):
    wild = np.append(sample, np.float32(1000))
    plain = error(wild, min_max(sample), bits)
    assert error(wild, min_max(wild), bits) > 5 * plain
    assert error(wild, percentile(wild, bits), bits) < 4 * plain
    assert error(wild, entropy(wild, bits), bits) < 3 * plain


@pytest.mark.parametrize("name", CALIBRATIONS)
def test_a_sample_of_one_value(name):
    for value in (0.0, 2.5, -1.0):
        least, most = calibration(name)(np.full(10, value, np.float32))
        made = grid(least, most)
        np.testing.assert_allclose(made.round_trip(np.float32([value])), value, rtol=1e-6)


@pytest.mark.parametrize("name", CALIBRATIONS)
@pytest.mark.parametrize(
    "sample, words",
    [([], "empty"), ([1, np.nan], "NaN"), ([-3e38, 3e38], "too far apart for float32")],
)
def test_samples_without_a_range(name, sample, words):
    with pytest.raises(ValueError, match=words):
        calibration(name)(np.float32(sample))


def test_unknown_names_and_shares():
    with pytest.raises(ValueError, match="'minmax'; there are min-max, percentile, entropy"):
        calibration("minmax")
    with pytest.raises(ValueError, match="share=99.9"):
        percentile(RELU, share=99.9)
