"""What comes out of timing: of one function, or of several that took turns."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from ..text import labelled
from .figure import Figure


@dataclass(frozen=True)
class Timing:
    """Seconds for one call: the median, and the quartiles `low` and `high`, over `runs` runs.

    They are figures (see figure.py): they know whether they were disturbed, and by which clock
    they were taken.
    """

    median: float
    low: float
    high: float
    runs: int
    threads: int

    def __str__(self) -> str:
        runs, held = _counted(self.runs, "run"), _counted(self.threads, "thread")
        low, high = seconds(float(self.low)), seconds(float(self.high))  # one label is enough
        spread = f" ({low} to {high})" if self.runs > 1 else ""
        clock = ", by the thread's own clock" if self.clock == "thread" else ""
        return f"{seconds(self.median)}{spread}, {runs}, {held}{clock}"

    @property
    def disturbed(self) -> bool:
        """Return whether others had the core for more than a tenth of it, taken again and again."""
        return getattr(self.median, "disturbed", False)

    @property
    def share(self) -> float | None:
        """Return the share of a core that the median run received, None where untold."""
        return getattr(self.median, "share", None)

    @property
    def clock(self) -> str:
        """Return what counted the seconds: "wall", or "thread" in a room (see turns.py)."""
        return getattr(self.median, "clock", "wall")


@dataclass(frozen=True)
class Comparison:
    """Timings of functions that took turns, so that a busy moment met all of them alike.

    `rounds[name]` holds the seconds of each round, in order: equal indices are one round.
    """

    timings: dict[str, Timing]
    rounds: dict[str, tuple[float, ...]]

    def ratio(self, a: str, b: str) -> float:
        """Return how many times slower `a` is than `b`:
        the median over rounds of their quotient.
        """
        return self._figure(np.median(self._quotients(a, b)), a, b)

    def spread(self, a: str, b: str) -> tuple[float, float]:
        """Return the quartiles of that quotient over the rounds."""
        low, high = np.percentile(self._quotients(a, b), (25, 75))
        return self._figure(low, a, b), self._figure(high, a, b)

    def _figure(self, value: float, a: str, b: str) -> Figure:
        both = [each.median for name in (a, b) if (each := self.timings.get(name)) is not None]
        return Figure.of(float(value), *both)

    def _quotients(self, a: str, b: str) -> np.ndarray:
        for name in (a, b):
            if name not in self.rounds:
                there = ", ".join(map(str, self.rounds))
                raise ValueError(f"{name!r} was not compared; there are {there}")
        return np.divide(self.rounds[a], self.rounds[b])

    def __str__(self) -> str:
        quickest = min(self.timings, key=lambda name: self.timings[name].median)
        width = max(len(str(name)) for name in self.timings)
        return "\n".join(
            f"{name:<{width}}  {timing}  {float(self.ratio(name, quickest)):.2f}x"
            for name, timing in self.timings.items()
        )


def timing_of(times: list[float], threads: int) -> Timing:
    """Return the `Timing` of runs that took `times` seconds, or figures of them."""
    figures = (Figure.middle(float(value), times) for value in np.percentile(times, (25, 50, 75)))
    low, median, high = figures
    return Timing(median, low, high, len(times), threads)


def seconds(value: float) -> str:
    """Return a duration with its unit, to three digits: `1.25 ms`."""
    for unit, size in (("s", 1.0), ("ms", 1e-3), ("µs", 1e-6), ("ns", 1e-9)):
        if value >= size or unit == "ns":
            number = float(value) / size
            text = f"{number:.3g} {unit}" if number < 99.5 else f"{number:.0f} {unit}"
            return labelled(text, value)


def _counted(number: int, noun: str) -> str:
    return f"{number} {noun}{'' if number == 1 else 's'}"
