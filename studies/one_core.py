"""README's ladder: every rung of one layer on one core, six Python loops in full.

The loops run once, for minutes. The other rungs and the installed libraries take turns.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from time import perf_counter

import numpy as np

from convladder import REPORT, get_method
from convladder.bench.libraries.conv import peers
from convladder.bench.metadata import cpu_metadata
from convladder.core import random_arrays
from convladder.core.progress import Progress, report_progress
from convladder.core.text import seconds_text
from convladder.cpu import convolve_image
from convladder.measure import compare, roofline

FOLDER = "one-core"
METHODS = ("loops_numba", "im2col_loops", "im2col", "mec_rows", "microkernel")
BUDGET = 5  # seconds for each


def measure(progress: Progress = report_progress) -> dict[str, object]:
    """Time all of them on one core; return a record with the seconds of each."""
    x, w = random_arrays(REPORT, seed=1)
    calls: dict[str, Callable] = {}
    for name in METHODS:
        method = get_method(name)
        weights = method.prepare(w, REPORT) if method.prepare else w
        calls[name] = lambda run=method.run, weights=weights: run(x, weights, REPORT)
    right = calls["microkernel"]()
    calls |= {each.name: each.run for each in peers(x, w, REPORT, 1)}
    progress("rungs and libraries in turns")
    timings = compare(calls, budget=BUDGET, threads=1).timings
    progress("six Python loops, once")
    y = np.zeros(REPORT.output_shape, np.float32)
    begun = perf_counter()
    convolve_image(x[0], w, y[0], *REPORT.stride, *REPORT.padding)
    loops = perf_counter() - begun
    if not np.allclose(y, right, atol=1e-3):
        raise RuntimeError("the loops and the microkernel disagree")
    return {
        **cpu_metadata(),
        "flops": REPORT.flops,
        "flops_per_s": float(roofline(1).flops_per_s),
        "seconds": {"loops": loops, **{name: float(t.median) for name, t in timings.items()}},
    }


def lines(record: Mapping) -> Iterator[str]:
    """Yield a line per rung, the slowest first."""
    for name, seconds in sorted(record["seconds"].items(), key=lambda each: -each[1]):
        share = record["flops"] / record["flops_per_s"] / seconds
        yield f"{name:<22}{seconds_text(seconds):>10}{share:>10.3%}"
