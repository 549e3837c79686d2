"""A benchmark: the seconds that a fill of fresh memory takes."""

from collections.abc import Iterator, Mapping

import numpy as np

from convladder.bench.benchmark import Options, register
from convladder.bench.metadata import cpu_metadata
from convladder.measure import timed


def measure(options: Options) -> dict[str, object]:
    """Return the record, with "seconds" for "bytes"."""
    size = 2**20
    seconds = timed(lambda: np.full(size, 7, np.uint8).size, budget=0.01).median
    return {**cpu_metadata(), "bytes": size, "seconds": seconds}


def lines(record: Mapping) -> Iterator[str]:
    """Yield the record as a sentence."""
    yield f"{record['bytes']:,} fresh bytes filled in {1e6 * record['seconds']:.0f} µs"


register("pages", "the time that a fill of fresh memory takes", measure, lines)
