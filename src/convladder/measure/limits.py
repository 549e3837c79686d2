"""The roofline: no program here is faster than its arithmetic or its traffic allows."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache

from ..problem import ConvProblem
from .bandwidth import copy_bandwidth
from .peak import fma_peak
from .pinning import thread_count


@dataclass(frozen=True)
class Roofline:
    """The two measured limits of `threads` cores: FLOP/s, and bytes/s read plus written.

    Model: Williams, Waterman & Patterson, "Roofline" (CACM 52, 2009).
    """

    flops_per_s: float
    bytes_per_s: float
    threads: int

    @property
    def ridge(self) -> float:
        """The intensity, in FLOP per byte, above which arithmetic is the limit."""
        return self.flops_per_s / self.bytes_per_s

    def attainable(self, intensity: float) -> float:
        """Return FLOP/s that a program of this intensity (FLOP per byte
        of memory traffic) may reach.
        """
        if not intensity > 0:
            raise ValueError(f"intensity={intensity!r} is no FLOP per byte; use a number above 0")
        return min(self.flops_per_s, intensity * self.bytes_per_s)

    def limit(self, problem: ConvProblem) -> float:
        """Return FLOP/s that no method can pass whose arrays come from memory, each once.

        Arrays that still lie in a cache from the call before can make a small layer beat it.
        """
        return self.attainable(problem.flops / problem.compulsory_bytes())

    def __str__(self) -> str:
        held = f"{self.threads} thread{'' if self.threads == 1 else 's'}"
        return (
            f"{self.flops_per_s / 1e9:.0f} GFLOP/s, {self.bytes_per_s / 1e9:.1f} GB/s, "
            f"ridge {self.ridge:.1f} FLOP/byte, {held}"
        )


def roofline(threads: int | None = 1) -> Roofline:
    """Measure both limits of `threads` cores (None: all), about a second; then remembered.

    Raises `ValueError` for an invalid number of threads.
    """
    return _measured(thread_count(threads))


@cache
def _measured(threads: int) -> Roofline:
    return Roofline(fma_peak(threads), copy_bandwidth(threads), threads)
