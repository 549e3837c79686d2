"""The compiled networks after each pass, as GPUs recorded them."""

from __future__ import annotations

from collections.abc import Mapping

from ...records.store import records


def compiled_gpu_records() -> list[Mapping]:
    """Return the records of GPUs, the newest first; those of processors have no "networks"."""
    return [record for record in records("compile") if "networks" in record]
