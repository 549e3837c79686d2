"""The roofline: no program here is faster than its arithmetic or its traffic allows."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import cache
from typing import NamedTuple

import numpy as np

from ..core.problem import ConvProblem
from ..core.text import mark_disturbed
from .hardware import machine
from .parallel import best_seconds
from .peak import fma_peak, highest_peak, peak_again
from .pinning import thread_count
from .quick import smaller
from .timing import SLACK, Rate, reported, timed

LEAST_BYTES, MOST_BYTES = 2**27, 2**29  # of all arrays together
BEYOND_CACHE = 8  # how many times the last-level cache they should be
REPEATS = 8


@dataclass(frozen=True)
class Roofline:
    """The two measured limits of `threads` cores: FLOP/s, and bytes/s read plus written.

    Model: Williams, Waterman & Patterson, "Roofline" (CACM 52, 2009).
    """

    flops_per_s: float
    bytes_per_s: float
    threads: int
    disturbed: bool = False

    @property
    def ridge(self) -> float:
        """Return the intensity, in FLOP per byte, above which arithmetic is the limit."""
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
        return mark_disturbed(
            f"{self.flops_per_s / 1e9:.0f} GFLOP/s, {self.bytes_per_s / 1e9:.1f} GB/s, ridge "
            f"{self.ridge:.1f} FLOP/byte, {self.threads} thread{'' if self.threads == 1 else 's'}",
            self.disturbed,
        )


def roofline(threads: int | None = 1) -> Roofline:
    """Measure both limits of `threads` cores (None: all), about a second; then remembered.

    Of the peak the highest reading counts, also of `peak_again`. Raises `ValueError` for an
    invalid number of threads.
    """
    number = thread_count(threads)
    bandwidth, peak = _bandwidth_and_peak(number)
    peak = max(peak, highest_peak(number) or peak, key=lambda rate: rate.per_second)
    disturbed = peak.disturbed or bandwidth.disturbed
    return reported(Roofline(peak.per_second, bandwidth.per_second, number, disturbed))


@cache
def _bandwidth_and_peak(threads: int) -> tuple[Rate, Rate]:
    peak = Rate(fma_peak(threads))
    return _copy_rate(threads), highest_peak(threads) or peak


class Share(NamedTuple):
    """A fraction of a limit. Above 1 it is disturbed: nothing is faster than the limit."""

    value: float
    disturbed: bool


def share_of(rate: float, limit: float, disturbed: bool = False) -> Share:
    """Return a rate as a share of a limit; `disturbed`: one of the two was.

    A matrix unit does pass the vectors' limit, see `blas_peak`.
    """
    return Share(rate / limit, disturbed or (rate > SLACK * limit and not machine().matrix_unit))


def share_of_peak(
    call: Callable[[], object], flops: int, *, threads: int = 1, budget: float = 0.1
) -> float:
    """Return the share of the multiply-add peak that `call()`, of `flops` FLOP, reaches; 0 to 1.

    Of the peak the highest reading counts. A share above 1 says that one of the two was disturbed:
    both are taken again, and a share that is still above 1 is reported as disturbed. Raises
    `ValueError` for an invalid budget or number of threads.
    """
    peak = highest_peak(threads) or Rate(fma_peak(threads))
    timing = timed(call, budget=budget, threads=threads)
    if share_of(timing.rate(flops), peak.per_second).disturbed:
        peak = peak_again(threads)
        timing = timed(call, budget=budget, threads=threads)
    disturbed = timing.disturbed or peak.disturbed
    return reported(share_of(timing.rate(flops), peak.per_second, disturbed)).value


def blas_peak() -> float:
    """Return the FLOP/s of BLAS by the threads that it takes, in a product of 2048 by 2048.

    With a matrix unit, as Apple's, it has a limit of its own, above that of `fma_peak`.
    """
    a = np.ones((2048, 2048), np.float32)
    return 2 * 2048**3 / reported(timed(lambda: a @ a, budget=0.2)).low


def copy_bandwidth(threads: int = 1) -> float:
    """Return bytes per second that `threads` cores move by `np.copyto`: those read plus those
    written.

    A store that first fetches the line it overwrites moves half as much again; that traffic is
    not counted, as in STREAM (McCalpin, 1995). Raises `ValueError` for a number of threads that
    cannot be.
    """
    return reported(_copy_rate(thread_count(threads))).per_second


def _copy_rate(threads: int) -> Rate:
    last_cache = max(machine().caches.values(), default=0)
    total = smaller(min(MOST_BYTES, max(LEAST_BYTES, BEYOND_CACHE * last_cache)))
    count = total // (2 * threads * 4)
    pairs = [(np.empty(count, np.float32), np.empty(count, np.float32)) for _ in range(threads)]

    def touch(thread: int) -> None:
        for array in pairs[thread]:
            array.fill(1)  # pages never written share one page of zeros, always in cache

    best_seconds(touch, threads, repeats=1)
    best = best_seconds(lambda thread: np.copyto(*pairs[thread]), threads, REPEATS)
    return Rate(threads * 2 * 4 * count / best.seconds, best.disturbed)
