"""A record of some machine, drawn: how near the peak, and how long the libraries take."""

from __future__ import annotations

from collections.abc import Mapping

from matplotlib.axes import Axes
from matplotlib.ticker import FixedLocator, FuncFormatter, NullLocator

from ...bench.conv_analysis import runs_of
from ...bench.conv_cpu import ConvComparison
from ..reports.cpu import SUBJECT, cpu_provenance, libraries_of, threads_text
from .ink import ink
from .style import BLUE, GREEN, GREY, ORANGE, Picture, figure

MARKS = (("o", ORANGE), ("D", GREEN))
TICKS = (0.5, 0.7, 1, 1.2, 1.5, 2, 3, 4, 6, 8)


def recorded_picture(record: Mapping) -> Picture:
    """Draw one of `records.store.records()`: a row of two for each run, a line for each layer.

    Left the microkernel's share of the peak; right the time of each library over its own.
    """
    runs = runs_of(record)
    fig, axes = figure(
        8.4,
        0.5 + sum(0.75 + 0.19 * len(run) for run in runs),
        nrows=len(runs),
        ncols=2,
        squeeze=False,
        sharey="row",
        width_ratios=(1, 1),
    )
    fig.suptitle(cpu_provenance(record), fontsize=10.5, fontweight="bold")
    ratios = [_run(*pair, run) for pair, run in zip(axes, runs, strict=True)]
    least, most = (pick([1.0, *sum(ratios, [])]) for pick in (min, max))
    for left, right in axes:
        right.set_xlim(0.92 * least, 1.1 * most)
        if left is not axes[-1, 0]:
            left.set_xlabel(None)
            right.set_xlabel(None)
    names = dict.fromkeys(name for run in runs for name in libraries_of(run))
    layers, counts = (
        ", ".join(dict.fromkeys(words))
        for words in ([layer for run in runs for layer in run], map(threads_text, runs))
    )
    beside = f", and the times of {' and '.join(names)} over its own" if names else ""
    return Picture(
        fig,
        f"{cpu_provenance(record)}, {counts}: the microkernel's share of the peak"
        f"{beside}, on {layers}.",
    )


def _run(left: Axes, right: Axes, run: Mapping[str, ConvComparison]) -> list[float]:
    """Draw one run; the ratios that it shows."""
    rows, shown = range(len(run)), []
    shares = [each.share(SUBJECT) for each in run.values()]
    left.barh(rows, shares, height=0.66, color=BLUE)
    for row, share in zip(rows, shares, strict=True):
        left.annotate(
            f"{share:.0%}",
            (share, row),
            (-4, 0),
            textcoords="offset points",
            ha="right",
            va="center",
            fontsize=8,
            color=ink(BLUE),
        )
    left.axvline(1, color=ORANGE, linewidth=1)
    left.set(xlim=(0, 1.05), title=threads_text(run), xlabel="share of the measured FMA peak")
    left.set_xticks([0, 0.25, 0.5, 0.75, 1], ["0", "25 %", "50 %", "75 %", "peak"])
    left.set_yticks(rows, list(run), color="black")
    left.tick_params(axis="y", length=0)
    left.invert_yaxis()
    for (mark, colour), library in zip(MARKS, libraries_of(run), strict=False):
        ratios = [each.ratio(library, SUBJECT) for each in run.values()]
        right.plot(ratios, rows, mark, color=colour, markersize=5, label=library)
        shown += ratios
    right.axvline(1, color=GREY, linewidth=1)
    right.set(xscale="log", xlabel="time over the microkernel's (log scale)")
    right.xaxis.set_major_locator(FixedLocator(TICKS))
    right.xaxis.set_major_formatter(FuncFormatter(lambda value, _: f"{value:g}"))
    right.xaxis.set_minor_locator(NullLocator())
    right.tick_params(axis="y", length=0)
    right.grid(True, axis="y")
    if shown:
        right.legend(
            loc="lower right",
            bbox_to_anchor=(1, 1),
            ncols=2,
            fontsize=8,
            borderaxespad=0.2,
            handletextpad=0.1,
        )
    return shown
