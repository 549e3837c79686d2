"""Signal over noise: how much rounding adds.

SQNR, the signal-to-quantisation-noise ratio, is the power of a signal over that of what rounding
adds to it, in decibels: 20 dB more are ten times finer. Each bit of a grid is worth 6.02 dB.
"""

from __future__ import annotations

import numpy as np


def sqnr(signal: np.ndarray, rounded: np.ndarray) -> float:
    """Return the SQNR of `rounded` beside the `signal` that it stands for, of one shape, in dB.

    Infinite where they are equal. Raises `ValueError` for two shapes, or for no signal at all.
    """
    if np.shape(signal) != np.shape(rounded):
        raise ValueError(
            f"the signal has shape {np.shape(signal)}, what it was rounded to has "
            f"{np.shape(rounded)}; compare the same values"
        )
    power = float(np.square(signal, dtype=np.float64).sum())
    if power == 0:
        raise ValueError(
            "the signal is zero everywhere (or empty): noise has nothing to be compared with"
        )
    noise = float(np.square(np.subtract(signal, rounded, dtype=np.float64)).sum())
    return np.inf if noise == 0 else float(10 * np.log10(power / noise))
