"""The small kernels of chapters 05, 06, 07 and 15, as a GPU recorded them."""

from __future__ import annotations

from collections.abc import Mapping

from ...records.store import records
from ...text import seconds_text
from ..table import Table, table

ABSENT = "No GPU has recorded this yet."
GROUPS = ("sums", "histograms", "divergence", "stages", "layouts", "depthwise")


def small_kernels_run() -> dict | None:
    """Return the newest record; None where there is none."""
    return next(iter(records("small-kernels")), None)


def small_kernels_table(group: str) -> Table:
    """Return a row for each kernel of a group: time, and its rate as a share of a copy's; or,
    where all are below one per cent of that, times the fastest kernel's time.

    Raises ValueError for a group that is none of `GROUPS`.
    """
    if group not in GROUPS:
        raise ValueError(f"{group!r} is no group; there are {', '.join(GROUPS)}")
    run = small_kernels_run()
    columns = [group, "time", "bytes it must move, a second", "of a copy's rate"]
    if run is None:
        return table([], columns, caption=ABSENT)
    source = f"{run['card']['gpu']}, recorded {run['date']}"
    limit, kernels = run["bytes_per_s"], run[group]
    if all(_rate(found) < limit / 100 for found in kernels.values()):
        least = min(found["seconds"] for found in kernels.values())
        rows = [
            [name, seconds_text(found["seconds"]), f"{found['seconds'] / least:.2f}"]
            for name, found in kernels.items()
        ]
        return table(rows, [group, "time", "over the fastest"], caption=source)
    rows = [
        [
            name,
            seconds_text(found["seconds"]),
            f"{_rate(found) / 1e9:,.0f} GB/s",
            f"{_rate(found) / limit:.0%}",
        ]
        for name, found in kernels.items()
    ]
    return table(rows, columns, caption=f"{source}; a copy moves {limit / 1e12:.2f} TB/s")


def _rate(found: Mapping) -> float:
    return found["bytes"] / found["seconds"]
