"""Block formats: every value that they hold, their scales, and their noise."""

import numpy as np
import pytest

from convladder.networks.compress.blocks import E2M1, e4m3, fp4, mxfp4, nvfp4
from convladder.networks.compress.noise import sqnr

# By the definition: code e, mantissa m is (1 + m/8)·2^(e-7), and m/8·2^-6 where e is 0.
NORMAL = [(1 + m / 8) * 2.0 ** (e - 7) for e in range(1, 16) for m in range(8)]
E4M3 = np.array([*(m / 8 * 2.0**-6 for m in range(8)), *NORMAL[:-1]])  # the last code is NaN


def nearest_even(x, values):
    codes = np.abs(np.asarray(x)[:, np.newaxis] - values)
    best = codes == codes.min(axis=1, keepdims=True)
    even = np.arange(len(values)) % 2 == 0
    return values[np.where((best & even).any(1), (best & even).argmax(1), best.argmax(1))]


def test_elements_are_the_nearest_of_fifteen_values():
    assert [float(fp4(np.float32(v))) for v in E2M1] == E2M1.tolist()
    x = np.concatenate([np.linspace(0, 7, 281), np.random.default_rng(0).uniform(0, 7, 200)])
    assert np.array_equal(fp4(x), nearest_even(x, E2M1)) and np.array_equal(fp4(-x), -fp4(x))


def test_scales_are_the_nearest_e4m3():
    middles = (E4M3[1:] + E4M3[:-1]) / 2
    x = np.concatenate([E4M3, middles, np.random.default_rng(0).uniform(0, 500, 200), [1e-9]])
    assert np.array_equal(e4m3(x), nearest_even(x, E4M3))


def test_a_block_s_scale_is_a_power_of_two_or_reaches_its_largest():
    w = np.zeros((1, 1, 64, 1), np.float32)
    w[0, 0, :3, 0] = 7, -6, 0.3
    w[0, 0, 40, 0] = 100
    held = mxfp4(w).ravel()
    assert held[:3].tolist() == [6, -6, 0.5], "scale 1: 7 is cut off at 6"
    assert held[40] == 96, "scale 16"
    held = nvfp4(w).ravel()
    assert held[0] == pytest.approx(7, rel=0.07) and held[40] == pytest.approx(100, rel=1e-6)


def test_a_tenth_off_is_20_decibels():
    signal = np.array([1, -2, 3], np.float32)
    assert sqnr(signal, 1.1 * signal) == pytest.approx(20, abs=1e-5)
    assert sqnr(signal, signal) == np.inf
    with pytest.raises(ValueError, match="zero everywhere"):
        sqnr(np.zeros(3), np.ones(3))


def test_units_do_not_matter_and_zeros_stay():
    w = np.random.default_rng(1).standard_normal((3, 3, 5, 4)).astype(np.float32)
    for held in (mxfp4, nvfp4):
        assert np.array_equal(held(w * 2.0**-20), held(w) * 2.0**-20)
        assert not held(np.zeros_like(w)).any() and held(w).dtype == np.float32
    assert 17.5 < sqnr(w, mxfp4(w)) < sqnr(w, nvfp4(w)) < 22
