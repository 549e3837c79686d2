"""Signal over noise: known cases."""

import numpy as np
import pytest

from convladder.networks.compress.noise import sqnr


def test_a_tenth_off_is_20_decibels():
    signal = np.array([1, -2, 3], np.float32)
    assert sqnr(signal, 1.1 * signal) == pytest.approx(20, abs=1e-5)
    assert sqnr(signal, signal) == np.inf


def test_what_cannot_be_is_named():
    with pytest.raises(ValueError, match="zero everywhere"):
        sqnr(np.zeros(3), np.ones(3))
    with pytest.raises(ValueError, match=r"shape \(3,\), what it was rounded to has \(1,\)"):
        sqnr(np.ones(3), np.ones(1))
