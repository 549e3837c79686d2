"""How methods of one layer scale with the cores of this machine, beside its bandwidth and peak."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import partial
from itertools import takewhile
from math import inf

from convladder.bench.metadata import cpu_metadata
from convladder.bench.records.scaling import scaling_gains
from convladder.bench.rounds import error_of
from convladder.core.problem import REPORT
from convladder.core.processor import available_cores
from convladder.core.progress import Progress, report_progress
from convladder.core.reference import random_arrays
from convladder.core.registry import get_method
from convladder.measure import copy_bandwidth, fma_peak
from convladder.measure.timing import timed

FOLDER = "scaling"

METHODS = ("im2col", "im2col_threads", "mec_threads", "microkernel")
ROUNDS = 3


def measure(progress: Progress = report_progress) -> dict[str, object]:
    """Return a record: seconds of each method, bytes and FLOP per second, by number of threads.

    The best of three rounds each.
    """
    cores = available_cores()
    doubling = takewhile(lambda n: n < cores, (2**n for n in range(16)))
    counts = (*doubling, cores)
    x, w = random_arrays(REPORT)
    calls = {}
    for name in METHODS:
        each = get_method(name)
        weights = each.prepare(w, REPORT) if each.prepare else w
        calls[name] = partial(each.run, x, weights, REPORT)
        error_of(f"method {name!r}", calls[name](), x, w, REPORT, each.error_model(REPORT))
    rows: dict[str, dict[str, float]] = {str(n): {} for n in counts}
    for turn in range(ROUNDS):  # of all counts in turns, so that a busy moment meets few of them
        for n, row in zip(counts, rows.values(), strict=True):
            progress(f"round {turn + 1} of {ROUNDS}, {n} threads")
            row["bandwidth"] = max(row.get("bandwidth", 0), copy_bandwidth(n))
            row["peak"] = max(row.get("peak", 0), fma_peak(n))
            for name, call in calls.items():
                seconds = timed(call, budget=0.5, threads=n).low
                row[name] = min(row.get(name, inf), seconds)
    return {**cpu_metadata(), "layer": str(REPORT), "threads": rows}


def lines(record: Mapping) -> Iterator[str]:
    """Yield a line per quantity."""
    for what, each in scaling_gains(record).items():
        yield f"{what:<16}" + "  ".join(f"{n}: {gain:.2f}" for n, gain in each.items())
