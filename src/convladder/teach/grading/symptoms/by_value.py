"""Which values are wrong: the largest, the negative ones, those that came out as one number."""

from __future__ import annotations

from collections.abc import Iterator
from math import comb

import numpy as np

CHANCE = 100  # ways to choose the wrong values, from which on they are the largest by no chance
NOTHING = 1e-30  # what is printed as 0


def by_value(expected: np.ndarray, got: np.ndarray, wrong: np.ndarray) -> Iterator[str]:
    """Yield what the wrong values have in common, the most telling first."""
    bad, count = got[wrong], int(wrong.sum())
    if count > 2 and np.isfinite(bad).all() and np.ptp(expected[wrong]) > 0:
        if (bad != 0).any() and (np.abs(bad) < NOTHING).all():
            yield f"Your wrong values are practically zero, as {float(bad.flat[0]):.2g} is."
        elif np.ptp(bad) == 0 and bad.flat[0] and wrong.size > count:
            yield f"All your wrong values are the same number, {float(bad.flat[0]):.6g}."
            yield "All your wrong values are the same number."
    if 4 * (wrong.size - count) < count:
        return  # the few that are right are what there is to tell of
    if comb(wrong.size, min(count, 8)) < CHANCE or not np.isfinite(expected).all():
        return
    fine = expected[~wrong]
    if (expected[wrong] < 0).all() and (fine >= 0).all():
        yield "Wrong values are only where a negative one is expected."
        return
    for what, key in (("", expected), (" in size", np.abs(expected))):
        for sign, word in ((1, "large"), (-1, "small")):
            if (sign * key[wrong]).min() > (sign * key[~wrong]).max():
                limit = float(key[~wrong].max() if sign > 0 else key[~wrong].min())
                way = "above" if sign > 0 else "below"
                yield (
                    f"Wrong are only {word} values: those that should be {way} {limit:.4g}{what}."
                )
                yield f"Wrong are only {word} values{what}; the others are right."
                return
