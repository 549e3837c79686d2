"""Chapter 05: records of processors, the microkernel beside libraries."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from matplotlib.axes import Axes

from ...bench.conv_cpu import ConvComparison
from ...bench.libraries import LIBRARIES
from ...bench.records.conv_cpu import library_comparison, median_share, runs_of
from ...bench.rungs import LIBRARY_NAMES
from ...core.text import count_text
from ..table import Table, table
from .axes import beside, ratio_rows
from .provenance import cpu_provenance
from .style import BLUE, ORANGE, Picture, figure, ink

SUBJECT = "microkernel"


def threads_text(run: Mapping[str, ConvComparison]) -> str:
    """Return how many threads a run had: "2 threads"."""
    threads = next(iter(run.values())).threads
    return count_text(threads, "thread")


def libraries_of(run: Mapping[str, ConvComparison]) -> list[str]:
    """Return the libraries that were there on every layer."""
    return [name for name in LIBRARIES if all(each.best_of(name) for each in run.values())]


def cpu_table(records: Sequence[Mapping]) -> Table:
    """Return a row for each run of each record and each library that was there: means over the
    layers.

    Raises ValueError where no record has a library to stand beside.
    """
    rows = []
    for record in records:
        for run in runs_of(record):
            share = f"{median_share(run, SUBJECT):.1%}"
            for library in libraries_of(run):
                result = library_comparison(run, library, SUBJECT)
                least = f"{result.least:.2f} on {result.layer}"
                ratios = f"{result.mean:.2f}", least, f"{result.unprepared:.2f}"
                rows.append((cpu_provenance(record), threads_text(run), share, library, *ratios))
    if not rows:
        raise ValueError(
            "no record has torch or onnxruntime beside the microkernel; "
            "`convladder record` writes one where they are installed"
        )
    return table(
        rows, ("machine", "run", "of the peak", "library", "takes", "least", "packing included")
    )


def cpu_layer_table(records: Sequence[Mapping], layer: str) -> Table:
    """Return a row for each run of each record: how many times as long as the microkernel each
    library takes on one layer, such as "cv10" or "report".
    """
    rows = []
    for record in records:
        for run in runs_of(record):
            ratios = {name: run[layer].ratio(name, SUBJECT) for name in libraries_of(run)}
            share = f"{run[layer].share(SUBJECT):.0%}"
            words = [f"{ratios[name]:.2f}×" if name in ratios else "–" for name in LIBRARIES]
            rows.append((cpu_provenance(record), threads_text(run), share, *words))
    columns = [f"faster than {LIBRARY_NAMES[name]}" for name in LIBRARIES]
    return table(rows, ("machine", "run", "of the peak", *columns))


def run_lines(record: Mapping) -> list[str]:
    """Return, for each run of a record, who was ahead, and where one was slowest."""
    lines = []
    for run in runs_of(record):
        ratios = {
            f"{library} on {layer}": each.ratio(library, SUBJECT)
            for library in libraries_of(run)
            for layer, each in run.items()
        }
        ahead = [f"{name} ({ratio:.2f})" for name, ratio in ratios.items() if ratio < 1]
        slowest = max(ratios, key=ratios.get, default=None)
        lines += [
            f"{cpu_provenance(record)}, {threads_text(run)}:",
            f"    faster than the microkernel: {', '.join(ahead) or 'none'}",
            f"    slowest: {slowest} ({ratios[slowest]:.2f})" if ratios else "    no library there",
        ]
    return lines


def recorded_picture(record: Mapping) -> Picture:
    """Draw one of `load_records("conv-cpu")`: a row of two for each run, a line for each layer.

    Left the microkernel's share of the peak; right the time of each library over its own.
    """
    runs = runs_of(record)
    high, grid = 0.5 + sum(0.75 + 0.19 * len(run) for run in runs), {"squeeze": False}
    fig, axes = figure(8.4, high, nrows=len(runs), ncols=2, sharex="col", sharey="row", **grid)
    fig.suptitle(cpu_provenance(record), fontsize=10.5, fontweight="bold")
    for (left, right), run in zip(axes, runs, strict=True):
        _run(left, right, run)
    axes[-1, 0].set_xlabel("share of the measured FMA peak")
    axes[-1, 1].set_xlabel("time over the microkernel's (log scale)")
    names = dict.fromkeys(name for run in runs for name in libraries_of(run))
    layers = ", ".join(dict.fromkeys(layer for run in runs for layer in run))
    counts = ", ".join(dict.fromkeys(map(threads_text, runs)))
    beside = f", and the times of {' and '.join(names)} over its own" if names else ""
    return Picture(
        fig,
        f"{cpu_provenance(record)}, {counts}: the microkernel's share of the peak"
        f"{beside}, on {layers}.",
    )


def _run(left: Axes, right: Axes, run: Mapping[str, ConvComparison]) -> None:
    for row, each in enumerate(run.values()):
        share, style = each.share(SUBJECT), {"ha": "right", "va": "center", "fontsize": 8}
        left.barh(row, share, height=0.66, color=BLUE)
        beside(left, f"{share:.0%}", (share, row), (-4, 0), color=ink(BLUE), **style)
    left.axvline(1, color=ORANGE, linewidth=1)
    left.set(xlim=(0, 1.05), title=threads_text(run))
    left.set_xticks([0, 0.25, 0.5, 0.75, 1], ["0", "25 %", "50 %", "75 %", "peak"])
    series = {
        library: {name: each.ratio(library, SUBJECT) for name, each in run.items()}
        for library in libraries_of(run)
    }
    ratio_rows(right, run, series)
    if series:
        style = {"fontsize": 8, "borderaxespad": 0.2, "handletextpad": 0.1}
        right.legend(loc="lower right", bbox_to_anchor=(1, 1), ncols=2, **style)
