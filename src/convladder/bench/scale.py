"""Inference cut over workers on this machine."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import partial
from statistics import median

from ..records.store import records
from . import scale_cpu
from .rounds import Progress, silent

NAME = "scale"
HELP = "inference cut over a worker for each core; predicted, then timed"
recorded = partial(records, NAME)


def measure(progress: Progress = silent) -> dict[str, object]:
    """Return the record of local workers.

    Raises `RuntimeError` for a wrong result, `ImportError` without Dask.
    """
    return scale_cpu.measure(progress=progress)


def lines(record: Mapping) -> Iterator[str]:
    """Yield a line for each way and number of workers: predicted, measured, gained."""
    for label, workers, predicted, seconds, gain in scale_cpu.rows(record):
        yield (
            f"{label:<36}{workers:>3}{1e3 * predicted:>12.3f} ms predicted"
            f"{1e3 * median(seconds):>12.3f} ms{gain:>8.2f} times as fast as one alone"
        )
