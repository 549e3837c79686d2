"""Measurements cut short, on request, where only that they run is of interest: in CI.

`CONVLADDER_QUICK=1` asks for it. Results are judged as ever; figures are then worth little.
"""

from __future__ import annotations

import os

VARIABLE = "CONVLADDER_QUICK"
SHARE = 0.03  # of the time that a measurement would take
PART = 4  # and so many times fewer things to work on, where their number may be any


def quick() -> bool:
    """Return whether measurements are to be short."""
    return os.environ.get(VARIABLE, "") not in ("", "0")


def shortened(seconds: float) -> float:
    """Return `seconds`, or a small share of them where measurements are to be short."""
    return SHARE * seconds if quick() else seconds


def fewer(rounds: int) -> int:
    """Return `rounds`, or a single one where measurements are to be short."""
    return 1 if quick() else rounds


def smaller(count: int) -> int:
    """Return `count`, or a quarter, and at least `PART`, where measurements are to be short."""
    return min(count, max(PART, count // PART)) if quick() else count
