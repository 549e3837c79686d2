"""Calibration: which range of values should a grid cover, seeing a sample of them?

A wide range rounds everything coarsely, a narrow one cuts the largest values off. Each function
takes a sample, any shape, and returns `(least, most)`; all raise `ValueError` for a sample that is
empty, not finite or wider than float32. A sample of one value alone gives a range of that value
(the grid adds 0).
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

SHARE = 0.999  # of the values that `percentile` keeps
FINE, LEAST_BINS = 8, 2048  # bins for each step of the grid that `entropy` compares; in all
NARROWEST = 2**12  # times that `entropy` may cut the range down
RARE = 1e-4  # what a bin counts for at least, that is empty on the grid but not in truth
CANDIDATES = 8  # ranges tried for each halving


def min_max(sample: np.ndarray, bits: int = 8) -> tuple[float, float]:
    """Take all of it: nothing is cut off, so one wild value makes every step coarse."""
    sample = _checked(sample)
    return float(sample.min()), float(sample.max())


def percentile(sample: np.ndarray, bits: int = 8, share: float = SHARE) -> tuple[float, float]:
    """Take the middle `share` of the values: the wildest are cut off, however wild they are."""
    if not 0.5 <= share <= 1:
        raise ValueError(f"share={share}: the part of the values to keep lies between 0.5 and 1")
    sample = _checked(sample)
    outside = (1 - share) / 2 if sample.min() < 0 else 1 - share
    least = np.quantile(sample, outside) if sample.min() < 0 else sample.min()
    return float(least), float(np.quantile(sample, 1 - outside))


def entropy(sample: np.ndarray, bits: int = 8) -> tuple[float, float]:
    """Take the range whose grid keeps the distribution best, by Kullback-Leibler divergence.

    For each of a row of narrowing limits, the magnitudes are counted in fine bins, those beyond
    added to the last bin (P), and once more as the grid would have them: each step's count spread
    over its bins (Q). The limit with the least divergence of Q from P wins. After S. Migacz,
    "8-bit inference with TensorRT" (GTC 2017), who narrows a linear histogram bin by bin; limits
    in geometric steps find their way to the values even if an outlier is a thousand times larger.
    Zeros are left out: a ReLU makes very many, and every grid has them exactly.
    """
    sample = _checked(sample)
    least, most = float(sample.min()), float(sample.max())
    sizes = np.sort(np.abs(sample[sample != 0]))
    if len(sizes) == 0:
        return least, most
    steps = 2**bits if least >= 0 or most <= 0 else 2 ** (bits - 1)
    count = int(np.log2(NARROWEST) * CANDIDATES)
    limits = sizes[-1] * 2.0 ** (-np.arange(count + 1) / CANDIDATES)
    best = min(limits, key=lambda limit: _divergence(sizes, limit, steps))
    return max(least, -float(best)), min(most, float(best))


def _divergence(sizes: np.ndarray, limit: float, steps: int) -> float:
    """Of what a grid of `steps` up to `limit` makes of the sorted `sizes`, in nats."""
    fine = max(FINE, LEAST_BINS // steps)
    edges = np.linspace(0, limit, steps * fine + 1)
    bins = np.diff(np.searchsorted(sizes, edges[1:], side="right"), prepend=0).astype(float)
    kept = bins.sum()
    if kept == 0:
        return np.inf
    by_step = bins.reshape(steps, fine)
    filled = by_step > 0
    spread = by_step.sum(1, keepdims=True) / np.maximum(filled.sum(1, keepdims=True), 1)
    q = np.where(filled, spread, 0).ravel() / kept
    p = bins
    p[-1] += len(sizes) - kept  # what is cut off becomes the largest value there is
    p /= len(sizes)
    here = p > 0
    found = (p[here] * np.log(p[here] / np.maximum(q[here], RARE))).sum()
    # What so few values would differ by chance, were they spread evenly (G. Miller 1955).
    chance = (filled.sum() - filled.any(1).sum()) / (2 * len(sizes))
    return float(found - chance)


CALIBRATIONS: dict[str, Callable[..., tuple[float, float]]] = {
    "min-max": min_max,
    "percentile": percentile,
    "entropy": entropy,
}


def calibration(name: str) -> Callable[..., tuple[float, float]]:
    """Return the function of that name. Raises `ValueError` that lists the names for another."""
    if name not in CALIBRATIONS:
        raise ValueError(f"there is no calibration {name!r}; there are {', '.join(CALIBRATIONS)}")
    return CALIBRATIONS[name]


def _checked(sample: np.ndarray) -> np.ndarray:
    sample = np.asarray(sample, np.float32).ravel()
    if sample.size == 0:
        raise ValueError("the calibration sample is empty; pass at least one value")
    with np.errstate(over="ignore", invalid="ignore"):
        width = sample.max() - sample.min()
    if not np.isfinite(width):
        raise ValueError(
            "the calibration sample holds NaN or infinity, or values too far apart for float32; a "
            "range of such values means nothing: look at the layer that made them"
        )
    return sample
