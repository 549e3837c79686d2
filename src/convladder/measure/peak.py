"""The most float32 arithmetic that this machine does: vector multiply-adds, registers only."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from time import perf_counter

import numpy as np

from ..cpu.isa import host_isa
from ..cpu.workers import workers
from .chains import Chains, chain_counts
from .parallel import best_seconds
from .pinning import thread_count
from .pinning import threads as pinned
from .quick import fewer, shortened
from .timing import Rate, reported

RUN_SECONDS = 0.01
REPEATS = 6
LOAD_SECONDS, AFTER_SECONDS, AFTER_READINGS = 0.01, 0.0005, 30
PIECE = 2**17  # iterations, a fifth of a millisecond: few enough calls, and none waits long
_peaks: dict[int, Rate] = {}  # by threads
MOST_ITERATIONS = 2**24 - 2**12  # float32 counts by ones up to 2^24, so each result stays exact


def fma_peak(threads: int = 1) -> float:
    """Return the multiply-add peak of `threads` cores, in FLOP/s (an add and a multiply count two).

    Each thread runs independent chains `a = m·x + a` in vector registers: enough chains to
    cover the latency of one by the others, few enough to stay in registers. The best of several
    counts is taken. With `m = x = 1` each sum counts its own multiply-adds, and is checked.
    Raises `ValueError` for an invalid number of threads.
    """
    threads = thread_count(threads)
    rates = [_rate(chains, threads) for chains in _tried()]
    return reported(_highest(threads, rates)).per_second


def peak_again(threads: int = 1) -> Rate:
    """Return the highest peak of all readings by now, of which one more is taken for it.

    What seemed to pass the peak was perhaps measured beside a disturbed reading of it.
    """
    threads = thread_count(threads)
    return _highest(threads, [_rate(_quickest(threads), threads)])


def peak_now(threads: int = 1) -> Rate:
    """Return one more reading of the peak, by the chains that once were quickest: a tenth of a
    second.

    A machine that others use, or that is hot, has another peak from minute to minute. Raises
    `ValueError` for an invalid number of threads.
    """
    return _rate(_quickest(thread_count(threads)), threads)


def peak_after(work: Callable[[], object]) -> float:
    """Return FLOP/s of one core's bare multiply-adds in the half millisecond after `work()`, the
    median.

    `work`, held to one thread, runs for some milliseconds before each reading, again and again
    where it is short: so long that a processor which lowers its clock or holds back its vector
    units under a load has done so. It takes them milliseconds to recover.
    """
    chains = _quickest(1)
    out = np.empty_like(chains.start)
    iterations = max(1, round(AFTER_SECONDS * _rate(chains, 1).per_second / chains.flops))
    rates = []
    with pinned(1):
        for _ in range(fewer(AFTER_READINGS)):
            begin = perf_counter()
            work()
            while perf_counter() - begin < LOAD_SECONDS:
                work()
            chains.run(1, out)  # what Python needs for the call is in the caches again
            begin = perf_counter()
            chains.run(iterations, out)
            rates.append(iterations * chains.flops / (perf_counter() - begin))
    return float(np.median(rates))


def multiply_adds(number: int, threads: int = 1) -> Callable[[], None]:
    """Return a function of `number` float32 multiply-adds at the peak, in pieces, by `threads`
    threads.

    It may take turns with a program that does as many. Raises `ValueError` for a number of threads
    that cannot be.
    """
    chains = _quickest(thread_count(threads))
    outs = [np.empty_like(chains.start) for _ in range(threads)]
    iterations = -(-number // chains.start.size)
    piece = min(PIECE, -(-iterations // threads))
    team = workers(threads)

    def run() -> None:
        left = iter(range(0, iterations, piece))  # next() is one step, which no thread can divide

        def work(thread: int) -> None:
            for done in left:
                chains.run(min(piece, iterations - done), outs[thread])

        team.together(work)

    return run


def highest_peak(threads: int) -> Rate | None:
    """Return the highest peak of all readings by now, None without any."""
    return _peaks.get(threads)


def _highest(threads: int, rates: list[Rate]) -> Rate:
    """Return the highest of these and of those before: a peak is the most that ever was."""
    before = [_peaks[threads]] if threads in _peaks else []
    _peaks[threads] = max([*rates, *before], key=lambda rate: rate.per_second)
    return _peaks[threads]


@cache
def _tried() -> list[Chains]:
    isa = host_isa()
    return [Chains(isa, count) for count in chain_counts(isa)]


@cache
def _quickest(threads: int) -> Chains:
    return max(_tried(), key=lambda chains: _rate(chains, threads).per_second)


def chain_rate(chains: int) -> float:
    """Return FLOP/s of one core with this many independent chains of vector multiply-adds.

    Raises `ValueError` for a number that the registers cannot hold beside two operands.
    """
    isa = host_isa()
    most = isa.registers - 2
    if not 1 <= chains <= most:
        raise ValueError(f"chains={chains!r}: {isa.name} has registers for 1 to {most}")
    return reported(_rate(Chains(isa, chains), 1)).per_second


def _rate(chains: Chains, threads: int) -> Rate:
    """Return the FLOP/s of all threads together. Raises `RuntimeError` if a chain lost a step."""
    outs = [np.empty_like(chains.start) for _ in range(threads)]
    trial, seconds = 2**16, shortened(RUN_SECONDS)
    trial_run = best_seconds(lambda thread: chains.run(trial, outs[thread]), threads, 3)
    iterations = min(MOST_ITERATIONS, max(1, round(trial * seconds / trial_run.seconds)))
    best = best_seconds(lambda thread: chains.run(iterations, outs[thread]), threads, REPEATS)
    for out in outs:
        if not np.array_equal(out, chains.start + np.float32(iterations)):
            raise RuntimeError("the multiply-add loop gave a wrong sum: its rate means nothing")
    return Rate(threads * iterations * chains.flops / best.seconds, best.disturbed)
