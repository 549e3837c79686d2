"""What launches cost, in tables: recorded on other machines, and live where there is a GPU."""

from __future__ import annotations

from collections.abc import Mapping
from math import nan

from ...bench.launches import measure, recorded
from ...text import seconds_text
from ..running_cell import progress
from ..table import Table, table

EMPTY = {
    "the call returns after": lambda run: run["empty"]["returns"][1],
    "the GPU is done after": lambda run: run["empty"]["done"][1],
    "a launch, 500 in a row": lambda run: run["empty"]["in_a_row"],
    "a launch, waiting after each": lambda run: run["empty"]["waiting"],
    "the first launch of a new source": lambda run: run["first"],
}
ABSENT = "No GPU has recorded this yet: `convladder record --launches` does."


def launch_runs() -> dict[str, dict]:
    """Return label -> costs: this machine's first if it has a GPU, then recorded ones."""
    from ... import cuda

    runs = {}
    if cuda.gpu():
        with progress("timing launches on this GPU"):
            here = measure()
        runs[f"{here['card']['gpu']}, here"] = here
    for record in recorded():
        runs.setdefault(f"{record['card']['gpu']}, recorded {record['date']}", record)
    return runs


def costs_table(runs: Mapping[str, Mapping]) -> Table:
    """Return an empty launch from Python, a column for each of `runs`."""
    rows = [
        [what, *(seconds_text(cost(run)) for run in runs.values())] for what, cost in EMPTY.items()
    ]
    return table(rows, ["an empty kernel", *runs], caption=None if runs else ABSENT)


def stopwatch_table(runs: Mapping[str, Mapping]) -> Table:
    """Return chapter 06's kernels by three stopwatches, for each of `runs`."""
    rows = [
        [label, name, *(seconds_text(kernel[clock][1]) for clock in ("returns", "done", "events"))]
        for label, run in runs.items()
        for name, kernel in run["kernels"].items()
    ]
    columns = ["GPU", "kernel, the report's layer", "no wait", "wait", "GPU's own clock"]
    return table(rows, columns, caption=None if runs else ABSENT)


def lowering_table(runs: Mapping[str, Mapping]) -> Table:
    """Return the two lowerings: bytes, time and rate beside the GPU's copy bandwidth."""
    rows = []
    for label, run in runs.items():
        for name in ("im2col's lowering", "MEC's lowering"):
            kernel = run["kernels"][name]
            rate = kernel["bytes"] / kernel["events"][1]
            rows.append(
                [
                    label,
                    name,
                    f"{kernel['bytes'] / 2**20:.2f} MiB",
                    seconds_text(kernel["events"][1]),
                    f"{rate / 1e9:,.0f} GB/s",
                    f"{rate / run['copy_bytes_per_s']:.0%}",
                ]
            )
    columns = ["GPU", "kernel", "image and matrix", "time", "rate", "of copy bandwidth"]
    return table(rows, columns, caption=None if runs else ABSENT)


def microseconds(runs: Mapping[str, Mapping], cost: str) -> float:
    """Return a row of `costs_table` for the first of `runs`, in µs; nan if there is none."""
    return next((round(1e6 * EMPTY[cost](run), 2) for run in runs.values()), nan)


def overhead_sentence(runs: Mapping[str, Mapping], launches: int, seconds: float) -> str:
    """Return how much of `seconds` can be the cost of `launches` launches,
    at the first of `runs`.
    """
    for label, run in runs.items():
        each = run["empty"]["waiting"]
        return (
            f"{label}: {launches} launches, waiting after each, cost "
            f"{seconds_text(launches * each)}, {launches * each / seconds:.1%} of "
            f"{seconds_text(seconds)}"
        )
    return ABSENT
