"""Training's all-reduce between GPUs, as recorded."""

from __future__ import annotations

from collections.abc import Mapping
from math import nan
from statistics import median

from ...records.store import records
from ...scale import all_reduce_bytes
from ...text import seconds_text
from ..table import Table, table
from .scale import gpus_of

ABSENT = "No two GPUs have recorded this yet."


def all_reduce_run() -> dict | None:
    """Return the newest record; None where there is none."""
    return next(iter(records("all-reduce")), None)


def all_reduce_table(run: Mapping | None) -> Table:
    """Return a row for each sum: bytes that a GPU receives, seconds predicted and measured."""
    columns = ["sum of", "GPUs", "MB", "each receives, MB", "predicted", "measured"]
    if run is None:
        return table([], columns, caption=ABSENT)
    rows = [
        [
            each["what"],
            each["gpus"],
            f"{each['bytes'] / 1e6:,.3f}",
            f"{all_reduce_bytes(each['bytes'], each['gpus']) / 1e6:,.3f}",
            seconds_text(each["predicted"]),
            seconds_text(median(each["seconds"])),
        ]
        for each in run["runs"]
    ]
    return table(rows, columns, caption=gpus_of(run))


def all_reduce_ms(run: Mapping | None, what: str) -> float:
    """Return the milliseconds of a row of `all_reduce_table`, on the fewest GPUs; nan without it."""
    return next(
        (
            round(1e3 * median(each["seconds"]), 3)
            for each in (run or {"runs": []})["runs"]
            if each["what"] == what
        ),
        nan,
    )


def received_sentence(run: Mapping | None) -> str:
    """Return how many bytes a GPU's links counted, beside how many were predicted."""
    if run is None:
        return ABSENT
    sentences = []
    for count, received in run["received"].items():
        expected = all_reduce_bytes(run["counted"], int(count))
        counted = (
            "NVLink's counters cannot be read there"
            if received is None
            else f"NVLink's counters say {received:,.0f}"
        )
        sentences.append(
            f"a sum of {run['counted']:,} bytes on {count} GPUs: each receives "
            f"{expected:,.0f} as predicted; {counted}"
        )
    return "\n".join(sentences)
