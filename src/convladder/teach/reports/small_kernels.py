"""The small kernels of chapters 05, 06, 07 and 15, as a GPU recorded them."""

from __future__ import annotations

from collections.abc import Mapping

from ...bench import small_kernels
from ...text import seconds_text
from ..display.table import Table, table

ABSENT = "No GPU has recorded this yet: `convladder record --small-kernels` does."


def small_kernels_run() -> dict | None:
    """Return the newest record; None where there is none."""
    return next(iter(small_kernels.recorded()), None)


def small_kernels_table(group: str) -> Table:
    """Return a row for each kernel of a group: time, and its rate as a share of a copy's.

    Raises ValueError for a group that `bench.small_kernels` does not have.
    """
    if group not in small_kernels.GROUPS:
        raise ValueError(f"{group!r} is no group; there are {', '.join(small_kernels.GROUPS)}")
    columns = [group, "time", "bytes it must move, a second", "of a copy's rate"]
    run = small_kernels_run()
    if run is None:
        return table([], columns, caption=ABSENT)
    return table([_row(name, found, run["bytes_per_s"]) for name, found in run[group].items()],
                 columns, caption=f"{run['card']['gpu']}, recorded {run['date']}; a copy moves "
                 f"{run['bytes_per_s'] / 1e12:.2f} TB/s")


def _row(name: str, found: Mapping, limit: float) -> list[str]:
    rate = found["bytes"] / found["seconds"]
    return [name, seconds_text(found["seconds"]), f"{rate / 1e9:,.0f} GB/s", f"{rate / limit:.0%}"]
