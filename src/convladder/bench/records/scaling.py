"""How methods of one layer scale with cores, by the records that `studies` made."""

from __future__ import annotations

from collections.abc import Mapping


def scaling_gains(record: Mapping) -> dict[str, dict[int, float]]:
    """Return how many times one thread's rate each quantity of a record reaches."""
    rows = {int(n): row for n, row in record["threads"].items()}
    rising = ("bandwidth", "peak")
    return {
        what: {n: row[what] / one if what in rising else one / row[what] for n, row in rows.items()}
        for what, one in rows[1].items()
    }
