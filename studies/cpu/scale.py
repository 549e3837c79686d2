"""Every cut of one network over local workers, a worker for each core; predicted, then timed."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from statistics import median

import numpy as np

from convladder.bench.metadata import cpu_metadata
from convladder.bench.scale import compare_cuts, rows
from convladder.core.progress import Progress, report_progress
from convladder.measure import available_cores
from convladder.networks.scale.cluster import team
from convladder.networks.scale.network import photo_network

FOLDER = "scale"
IMAGES = 64  # about a second of work for one core of 2026


def measure(progress: Progress = report_progress) -> dict[str, object]:
    """Return the record of 1 local worker, and of one for each core.

    Raises `RuntimeError` for a wrong result, `ImportError` without Dask.
    """
    network = photo_network()
    x = np.random.default_rng(0).standard_normal(
        (IMAGES, *network.problems[0].input_shape[1:]), dtype=np.float32
    )
    teams = []
    for count in dict.fromkeys((1, available_cores())):
        with team(count) as mates:
            teams.append(
                compare_cuts(
                    mates,
                    network,
                    x,
                    progress=lambda what: progress(f"{mates.count} workers: {what}"),
                )
            )
    return {
        **cpu_metadata(("distributed", "numpy", "numba")),
        "network": [str(p) for p in network.problems],
        "images": IMAGES,
        "teams": teams,
    }


def lines(record: Mapping) -> Iterator[str]:
    """Yield a line for each way and number of workers: predicted, measured, gained."""
    for label, workers, predicted, seconds, gain in rows(record):
        yield (
            f"{label:<36}{workers:>3}{1e3 * predicted:>12.3f} ms predicted"
            f"{1e3 * median(seconds):>12.3f} ms{gain:>8.2f} times as fast as one alone"
        )
