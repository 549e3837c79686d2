"""Inference cut over this machine: over its GPUs if there is one, else over workers."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import partial
from statistics import median

from ..records.store import records
from .rounds import Progress, silent

NAME = "scale"
HELP = (
    "inference cut over this machine's GPUs if it has two or more, else over a worker for each "
    "core; predicted, then timed"
)
recorded = partial(records, NAME)


def measure(progress: Progress = silent) -> dict[str, object]:
    """Return the record of several GPUs, or of local workers.

    Raises `RuntimeError` for a single GPU or a wrong result, `ImportError` without Dask or torch.
    """
    from .. import cuda
    from . import scale_cpu, scale_gpu

    return (scale_gpu if cuda.gpu() else scale_cpu).measure(progress=progress)


def lines(record: Mapping) -> Iterator[str]:
    """Yield a line for each way and number of workers: predicted, measured, gained."""
    from . import scale_cpu, scale_gpu

    for label, workers, predicted, seconds, gain in (
        scale_cpu if "teams" in record else scale_gpu
    ).rows(record):
        yield (
            f"{label:<36}{workers:>3}{1e3 * predicted:>12.3f} ms predicted"
            f"{1e3 * median(seconds):>12.3f} ms{gain:>8.2f} times as fast as one alone"
        )
