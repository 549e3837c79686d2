"""The method map: the fastest for each layer, batch and precision; and one family against cuDNN."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from textwrap import fill

from matplotlib.patches import Rectangle
from matplotlib.ticker import FixedLocator, FuncFormatter, NullLocator

from ...bench.conv_gpu import ratios
from ..reports.gpu import gpu_provenance
from ..reports.method_map import (
    CUDNN,
    LIBRARY,
    LOWERED,
    OWN,
    PRECISIONS,
    family,
    method_label,
    method_map,
)
from .style import BLUE, GREEN, GREY, ORANGE, PINK, Picture, figure

TINTS = {OWN: "#CFE4F3", LIBRARY: "#CDEBDD", LOWERED: "#F8E6B8", CUDNN: "#E2E2E2"}
CLEAR = 1.05  # a lead below this is none
SMALL = 2**19  # bytes of workspace that are not worth telling
LETTERS, LINE = 17, 0.27  # of a cell: letters in a line, the line's share of the height
TICKS = (0.3, 0.5, 0.7, 1, 1.5, 2, 3, 4, 5)


def method_map_picture(record: Mapping) -> Picture:
    """Draw a table in colours: who is fastest, the lead over the best of others, the workspace."""
    methods = method_map(record)
    layers = list(dict.fromkeys(layer for layer, _, _ in methods))
    batches = list(dict.fromkeys(batch for _, batch, _ in methods))
    columns = [(precision, batch) for precision in PRECISIONS for batch in batches]
    fig, ax = figure(7.3, 1.0 + 0.5 * len(layers))
    for x, (precision, batch) in enumerate(columns):
        for y, layer in enumerate(layers):
            each = methods[layer, batch, precision]
            near = each.lead < CLEAR
            ax.add_patch(
                Rectangle(
                    (x, y), 1, 1, facecolor=TINTS[each.family], edgecolor="white", linewidth=1.5
                )
            )
            size = each.workspace / 2**20
            more = f"\n+{size:.{0 if size > 9.5 else 1}f} MiB" if each.workspace > SMALL else ""
            name = fill(method_label(each.name), LETTERS)
            lead = fill(f"{each.lead:.2f} over {_brief(each.rival)}", LETTERS) + more
            lines = name.count("\n") + lead.count("\n") + 2
            top = y + 0.5 - LINE * lines / 2
            ax.text(
                x + 0.5,
                top,
                name,
                ha="center",
                va="top",
                fontsize=8,
                linespacing=1.1,
                weight="normal" if near else "bold",
            )
            ax.text(
                x + 0.5,
                top + LINE * (name.count("\n") + 1),
                lead,
                ha="center",
                va="top",
                color=GREY,
                fontsize=8,
                linespacing=1.1,
            )
        ax.text(x + 0.5, -0.12, f"batch {batch}", ha="center", va="bottom", fontsize=9.5)
    for n, precision in enumerate(PRECISIONS):
        ax.text((n + 0.5) * len(batches), -0.5, precision, ha="center", va="bottom", weight="bold")
        ax.vlines(n * len(batches), -0.95, len(layers), color=GREY, linewidth=1)
    ax.set_yticks([y + 0.5 for y in range(len(layers))], layers, color="black")
    ax.set_xticks([])
    ax.tick_params(length=0)
    ax.spines[:].set_visible(False)
    ax.set(xlim=(0, len(columns)), ylim=(len(layers) + 0.75, -0.95))
    for n, (name, tint) in enumerate(TINTS.items()):
        x = (0.1, 1.4, 2.6, 4.6)[n]  # the third is long
        ax.add_patch(Rectangle((x, len(layers) + 0.2), 0.16, 0.4, color=tint))
        ax.text(x + 0.24, len(layers) + 0.4, name, va="center", fontsize=9.5)
    ax.set_title(f"The fastest, {gpu_provenance(record)}", pad=14)
    return Picture(
        fig,
        f"The fastest method for each of {len(layers)} layers, batches of "
        f"{' and '.join(map(str, batches))}, in {', '.join(PRECISIONS)}: "
        f"{gpu_provenance(record)}.",
        colours=64,
    )


def _brief(name: str) -> str:
    """Return "cuDNN", "CUTLASS", "MEC": a method in one word or two."""
    of = family(name)
    return of if of in (CUDNN, LIBRARY) else method_label(name).partition(",")[0]


def against_cudnn(record: Mapping, names: Sequence[str], precision: str = "float32") -> Picture:
    """Draw cuDNN's time over each method's, by layer, a panel a batch: right of 1,
    cuDNN is slower.
    """
    runs = record["runs"]
    fig, axes = figure(9.0, 4.4, ncols=len(runs), sharey=True)
    marks = list(zip(names, (BLUE, ORANGE, GREEN, PINK), ("o", "D", "s", "^")))
    for ax, run in zip(axes, runs):
        layers = list(run["layers"])
        for name, colour, mark in marks:
            values = ratios(run, name, precision)
            ax.plot(
                list(values.values()),
                [layers.index(layer) for layer in values],
                mark,
                color=colour,
                label=method_label(name),
            )
        ax.axvline(1, color=GREY, linewidth=1)
        ax.set(
            xscale="log",
            title=f"batch {run['batch']}",
            xlabel=f"cuDNN's time ({precision}) over the method's",
        )
        ax.xaxis.set_major_locator(FixedLocator(TICKS))
        ax.xaxis.set_major_formatter(FuncFormatter(lambda value, _: f"{value:g}"))
        ax.xaxis.set_minor_locator(NullLocator())
        ax.set_yticks(range(len(layers)), layers, color="black")
        ax.tick_params(axis="y", length=0)
        ax.grid(True, axis="y")
    axes[0].invert_yaxis()
    fig.legend(
        *axes[0].get_legend_handles_labels(),
        loc="outside upper right",
        ncols=len(names),
        fontsize=8.5,
    )
    fig.suptitle(gpu_provenance(record), fontsize=10, x=0.02, ha="left")
    return Picture(
        fig,
        f"cuDNN's time in {precision} over that of "
        f"{', '.join(method_label(name) for name in names)}, for "
        f"{len(runs[0]['layers'])} layers and batches of "
        f"{' and '.join(str(run['batch']) for run in runs)}: "
        f"{gpu_provenance(record)}.",
        colours=64,
    )
