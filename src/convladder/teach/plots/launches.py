"""Chapter 07: what a launch costs, on this machine's GPU and as recorded."""

from __future__ import annotations

from collections.abc import Mapping
from math import nan

from ... import cuda
from ...bench.launches import measure
from ...bench.records import load_records
from ...core.text import seconds_text
from ..running_cell import progress
from ..table import Table, table
from .axes import behind, name_rows
from .provenance import absent, gpu_provenance
from .style import BLUE, GREY, ORANGE, Picture, figure


def launches_picture(runs: Mapping[str, Mapping]) -> Picture:
    """Draw host and GPU of the first of `runs`: two bars for each of its kernels, on one axis of
    time.

    Without any run there is a sentence in the picture's place.
    """
    if not runs:
        fig, ax = figure(8.4, 1.0)
        ax.text(0, 0, "No GPU has recorded its launches yet.", va="center")
        ax.set_axis_off()
        return Picture(fig, "No GPU has recorded its launches yet.")
    label, run = next(iter(runs.items()))
    kernels = run["kernels"]
    longest = max(kernel["done"][1] for kernel in kernels.values()) * 1e6
    fig, ax = figure(8.4, 0.9 + 0.75 * len(kernels))
    for place, kernel in enumerate(kernels.values()):
        returns, done = 1e6 * kernel["returns"][1], 1e6 * kernel["done"][1]
        for offset, end, colour, what in (
            (-0.19, returns, ORANGE, "the call returns"),
            (0.19, done, BLUE, "the GPU is done"),
        ):
            ax.barh(place + offset, end, height=0.34, color=colour)
            behind(ax, f"{what}: {seconds_text(end / 1e6)}", end, place + offset)
    name_rows(ax, kernels)
    ax.spines.bottom.set_color(GREY)
    ax.set(xlim=(0, 1.35 * longest), xlabel="µs from the start of the call, host's clock")
    ax.set_title(f"{label}: our layer")
    return Picture(
        fig,
        f"Two bars for each of {', '.join(kernels)}: when the call returns, and "
        "when the GPU is done.",
    )


EMPTY = {
    "the call returns after": lambda run: run["empty"]["returns"][1],
    "the GPU is done after": lambda run: run["empty"]["done"][1],
    "per launch, 500 in a row": lambda run: run["empty"]["in_a_row"],
    "per launch, waiting after each": lambda run: run["empty"]["waiting"],
    "the first launch of a new source": lambda run: run["first"],
}


def launch_runs() -> dict[str, dict]:
    """Return label -> costs: this machine's first if it has a GPU, then recorded ones."""
    runs = {}
    if cuda.gpu():
        with progress("timing launches on this GPU"):
            here = measure()
        runs[f"{here['card']['gpu']}, here"] = here
    for record in load_records("launches"):
        runs.setdefault(gpu_provenance(record), record)
    return runs


def costs_table(runs: Mapping[str, Mapping]) -> Table:
    """Return an empty launch from Python, a column for each of `runs`."""
    rows = [
        [what, *(seconds_text(cost(run)) for run in runs.values())] for what, cost in EMPTY.items()
    ]
    return table(rows, ["an empty kernel", *runs], caption=None if runs else absent("launches"))


def stopwatch_table(runs: Mapping[str, Mapping]) -> Table:
    """Return chapter 07's kernels by three stopwatches, for each of `runs`."""
    rows = [
        [label, name, *(seconds_text(kernel[clock][1]) for clock in ("returns", "done", "events"))]
        for label, run in runs.items()
        for name, kernel in run["kernels"].items()
    ]
    columns = ["GPU", "kernel, our layer", "no wait", "wait", "GPU's own clock"]
    return table(rows, columns, caption=None if runs else absent("launches"))


def lowering_table(runs: Mapping[str, Mapping]) -> Table:
    """Return the two lowerings: bytes, time and rate beside the GPU's copy bandwidth."""
    rows = []
    for label, run in runs.items():
        for name in ("im2col's lowering", "MEC's lowering"):
            kernel = run["kernels"][name]
            rate = kernel["bytes"] / kernel["events"][1]
            rates = f"{rate / 1e9:,.0f} GB/s", f"{rate / run['copy_bytes_per_s']:.0%}"
            moved = f"{kernel['bytes'] / 2**20:.2f} MiB"
            rows.append([label, name, moved, seconds_text(kernel["events"][1]), *rates])
    columns = ["GPU", "kernel", "image and matrix", "time", "rate", "of copy bandwidth"]
    return table(rows, columns, caption=None if runs else absent("launches"))


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
    return absent("launches")
