"""The LeNet-5 ladder's times: live where this machine has a GPU, then those that were recorded."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache

from .. import cuda
from ..lenet.recorded import Times, recorded
from ..lenet.rungs import rungs
from .quantities import seconds_text
from .table import Table, table


def ladder_runs(device: str = "gpu") -> dict[str, Times]:
    """Label -> times, of this GPU first if there is one, then of records, the newest first."""
    found = [_here()] if device == "gpu" and cuda.gpu() else []
    return {times.label: times for times in [*found, *recorded(device)]}


@cache
def _here() -> Times:
    """Timed once, so that all of a notebook speaks of the same run."""
    from ..lenet.contest import contest
    from ..measure import machine

    return Times.of(contest(rungs("gpu"), with_peers=True), f"{machine().gpu}, here")


def times_table(times: Times, names: Sequence[str]) -> Table:
    """Of the contestants `names`: from host to host, on the device, the host's part, and gains."""
    rows, before = [], None
    for name in names:
        seconds = times.seconds[name]
        rows.append([
            name, seconds_text(seconds), _told(times.device_seconds, name),
            _told(times.issue_seconds, name),
            f"{before / seconds:.3g}" if before else ""])
        before = seconds
    return table(rows, ["10,000 images", "host to host", "on the device", "host issues for",
                        "times as fast"], caption=times.label)


def _told(seconds: dict[str, float], name: str) -> str:
    return seconds_text(seconds[name]) if name in seconds else ""
