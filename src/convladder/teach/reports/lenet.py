"""The LeNet-5 ladder's times: live where this machine has a GPU, then those that were recorded."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache

from ... import cuda
from ...bench.lenet_times import FLOORS, Times, recorded
from ...lenet.rungs import rungs
from ...text import seconds_text
from ..display.table import Table, table


def ladder_runs(device: str = "gpu") -> dict[str, Times]:
    """Label -> times, of this GPU first if there is one, then of records, the newest first.

    A GPU that cannot run every rung is left out: the last ones want compute capability 8.0, and
    100 KB of shared memory for a block.
    """
    here = _here() if device == "gpu" and cuda.gpu() else None
    return {times.label: times for times in [here, *recorded(device)] if times is not None}


@cache
def _here() -> Times | None:
    """Timed once, so that all of a notebook speaks of the same run."""
    from ...bench.lenet import contest
    from ...measure import machine

    try:
        return Times.of(contest(rungs("gpu"), with_peers=True), f"{machine().gpu}, here")
    except cuda.CudaError:
        return None


def times_table(times: Times, names: Sequence[str]) -> Table:
    """Of the contestants `names`: from host to host, on a GPU also there and the host's part; and
    gains from each to the next, none for a floor."""
    heads = ["10,000 images", "host to host", "on the device", "host issues for", "times as fast"]
    rows, before = [], None
    for name in names:
        seconds = times.seconds[name]
        rows.append([
            name, seconds_text(seconds), _told(times.device_seconds, name),
            _told(times.issue_seconds, name),
            f"{before / seconds:.3g}" if before and name not in FLOORS else ""])
        before = seconds
    if times.device == "cpu":
        for row in (heads, *rows):
            del row[2:4]
    return table(rows, heads, caption=times.label)


def _told(seconds: dict[str, float], name: str) -> str:
    return seconds_text(seconds[name]) if name in seconds else ""
