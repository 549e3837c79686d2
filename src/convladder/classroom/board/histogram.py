"""A room's guesses in bars: few, of one width, or of one factor where they differ much."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

BARS = 9  # at most
FACTOR = 30.0  # largest over smallest, from which on bars are of one factor
RIGHT = 1.25  # a guess within this factor of the measured value counts as right


@dataclass(frozen=True)
class Bar:
    """Guesses from `low` up to `high` (the last bar's included), or at `low` where both are one."""

    low: float
    high: float
    count: int
    label: str


def right(guess: float, truth: float) -> bool:
    """Return whether a guess is within a quarter of the measured value; of 0, whether it is 0."""
    if guess == truth:
        return True
    return guess * truth > 0 and max(guess / truth, truth / guess) <= RIGHT


def bars(values: Sequence[float]) -> list[Bar]:
    """Return the bars of `values`, [] of none. A few different values have a bar each; what lies
    far out goes into the first or the last bar."""
    if not values:
        return []
    counts = Counter(values)
    if len(counts) <= 6:
        return [Bar(value, value, counts[value], text(value)) for value in sorted(counts)]
    low, high = _inner(sorted(values))
    edges = _edges(low, high)
    found = [0] * (len(edges) - 1)
    for value in values:
        found[place(edges, value)] += 1
    return [
        Bar(a, b, count, f"{text(a)} – {text(b)}")
        for a, b, count in zip(edges, edges[1:], found, strict=False)
    ]


def into(found: Sequence[Bar], values: Sequence[float]) -> list[int]:
    """Return how many of `values` fall into each of `found`, bars of these and other values."""
    counts = [0] * len(found)
    for value in values:
        counts[int(min(position(found, value), len(found) - 0.5))] += 1
    return counts


def position(found: Sequence[Bar], value: float) -> float:
    """Return where a value lies along the bars: 0 the left end of the first, 1 its right end. One
    that lies outside is put on the end."""
    for index, bar in enumerate(found):
        if bar.low == bar.high:
            if value <= bar.low:
                return index + (0.5 if value == bar.low else 0.0)
        elif value < bar.low:
            return float(index)
        elif value < bar.high or value == bar.high == found[-1].high:
            return index + min(0.999, (value - bar.low) / (bar.high - bar.low))
    return float(len(found))


def place(edges: Sequence[float], value: float) -> int:
    """Return which bar a value falls into; the first or the last where it lies outside."""
    at = next((index for index, edge in enumerate(edges[1:]) if value < edge), len(edges) - 2)
    return max(0, at)


def text(value: float) -> str:
    """Write a number in few characters: 12,500, 3.7, 0.002, 4e+12."""
    if value == 0:
        return "0"
    size = abs(value)
    if 1e-3 <= size < 1e7:
        digits = max(0, 1 - math.floor(math.log10(size)))
        plain = f"{value:,.{digits}f}"
        return plain.rstrip("0").rstrip(".") if "." in plain else plain
    return f"{value:.1e}".replace("e+0", "e+").replace("e-0", "e-").replace(".0e", "e")


def _inner(ordered: list[float]) -> tuple[float, float]:
    """Return the ends between which bars are drawn: without the outermost twentieth."""
    cut = len(ordered) // 20
    kept = ordered[cut : len(ordered) - cut]
    return kept[0], kept[-1]


def _edges(low: float, high: float) -> list[float]:
    if low > 0 and high / low > FACTOR:
        first, last = math.floor(math.log10(low) * 3), math.ceil(math.log10(high) * 3)
        step = max(1, math.ceil((last - first) / BARS))
        return [float(f"{10 ** (each / 3):.2g}") for each in range(first, last + step, step)]
    if high <= low:
        return [low, low + max(1.0, abs(low) / 10)]
    step = _round_up((high - low) / (BARS - 1))
    first = math.floor(low / step)
    count = max(1, math.floor(high / step) - first + 1)
    return [round((first + each) * step, 12) for each in range(count + 1)]


def _round_up(step: float) -> float:
    """Return 1, 2, 2.5 or 5 times a power of ten, not below `step`."""
    power = 10.0 ** math.floor(math.log10(step))
    return next(factor * power for factor in (1, 2, 2.5, 5, 10) if factor * power >= step * 0.9999)
