"""One product in every format of a GPU's tensor cores, as recorded."""

from __future__ import annotations

from collections.abc import Mapping
from functools import partial

from ...records.store import records

format_records = partial(records, "formats")


def format_rates(record: Mapping) -> dict[str, float]:
    """Return each format's dense operations a second: values that 2:4 leaves out count as done."""
    return {
        name: record["operations"] / entry["seconds"] for name, entry in record["formats"].items()
    }
