"""Which colour letters have, so that they read well: on a filled area, and on white.

Small text needs a contrast of 4.5 to 1 (WCAG 2.2, success criterion 1.4.3). White on the style's
orange has 3.9 and on its green 3.4; its pink on white has 3.1.
"""

from __future__ import annotations

from functools import lru_cache
from typing import Any

from matplotlib.colors import to_hex, to_rgb

LEAST = 4.5  # contrast of small text
STEP = 0.98  # how much darker a colour becomes at a time


def contrast(one: Any, other: Any) -> float:
    """Return the contrast of two colours by WCAG's formula, from 1 to 21."""
    light, dark = sorted((_luminance(one), _luminance(other)), reverse=True)
    return (light + 0.05) / (dark + 0.05)


def ink(fill: Any) -> str:
    """Return "black" or "white", whichever reads better on an area of colour `fill`."""
    return max(("black", "white"), key=lambda letters: contrast(letters, fill))


@lru_cache
def lettering(colour: str) -> str:
    """Return `colour` for text on white: as dark as it must be to read well, and no darker."""
    rgb = to_rgb(colour)
    while contrast(rgb, "white") < LEAST:
        rgb = tuple(STEP * part for part in rgb)
    return to_hex(rgb)


def _luminance(colour: Any) -> float:
    parts = (
        part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4
        for part in to_rgb(colour)
    )
    return sum(weight * part for weight, part in zip((0.2126, 0.7152, 0.0722), parts))
