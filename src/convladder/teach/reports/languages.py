"""Chapter 10's kernel in four languages: this GPU's times if there is one, else recorded ones."""

from __future__ import annotations

from collections.abc import Mapping

from ... import cuda
from ...bench import languages
from ...gpu.languages import CUDA
from ...text import seconds_text
from ..running_cell import progress
from ..table import Table, table

ABSENT = "No GPU has recorded this yet: `convladder record --languages` does."
OWN = {languages.BEST: "chapter 09's implicit GEMM"}


def languages_run() -> dict | None:
    """Return this GPU's times, taken once, else the newest record; None where there is none."""
    if cuda.gpu():
        with progress("compiling one kernel in four languages, and timing it on this GPU"):
            return languages.here()
    return next(iter(languages.recorded()), None)


def languages_table(run: Mapping | None) -> Table:
    """Return a row for each language: its time, its rate, and times as long as CUDA C++."""
    columns = ["language", "time", "TFLOP/s", "time over CUDA C++'s"]
    if run is None:
        return table([], columns, caption=ABSENT)
    seconds = {name: found["seconds"] for name, found in run["seconds"].items()}
    rows = [
        [
            OWN.get(name, name) + ", at most" * languages.launched_slowly(run, name),
            seconds_text(taken),
            f"{run['flops'] / taken / 1e12:.2f}",
            f"{taken / seconds[CUDA]:.2f}",
        ]
        for name, taken in seconds.items()
    ]
    rows += [[name, "not installed here", "", ""] for name in run["absent"]]
    return table(rows, columns, caption=f"{run['layer']}: {run['card']['gpu']}, {run['date']}")
