"""Work spread over several GPUs, as recorded: predicted beside measured."""

from __future__ import annotations

from collections.abc import Mapping
from statistics import median


def rows(record: Mapping) -> list[tuple[str, int, float, list[float], float]]:
    """Return rows: work, GPUs, seconds predicted, seconds of each run, gain over the fewest."""
    first = {}
    for each in record["runs"]:
        first.setdefault(each["what"], median(each["seconds"]))
    return [
        (
            each["what"],
            each["gpus"],
            sum(each["predicted"].values()),
            each["seconds"],
            first[each["what"]] / median(each["seconds"]),
        )
        for each in record["runs"]
    ]
