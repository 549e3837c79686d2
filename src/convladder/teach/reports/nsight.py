"""Nsight Compute's counts of the access patterns of chapters 06 and 07, as recorded."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache

from ...records.store import newest


@cache
def nsight_counts() -> dict[str, Mapping]:
    """Return the counts of each launch by its name, from the newest record."""
    return newest("counts")["cases"]
