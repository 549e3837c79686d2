"""MEC on cuBLAS in recorded times: how thin its GEMMs are, A against B, workspace, all layers."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from matplotlib.ticker import FuncFormatter, NullLocator

from ...problem import ConvProblem
from ...text import seconds_text
from .ink import lettering
from .labels import label_points
from .style import BLUE, GREEN, GREY, ORANGE, PINK, SKY, Picture, figure


def gemm_shapes_picture(gemms: Sequence[Mapping], machine: str) -> Picture:
    """Draw the report's multiplications by GEMMs of several heights, and by 220 in several layouts.

    gemms: rows of `name`, `batch` and `seconds`, as `bench.mec_gpu.report_gemms` gives them.
    Layouts in which neighbours share a part of their values are orange.
    """
    heights = [row for row in gemms if row["name"].endswith(" rows")]
    layouts = [row for row in gemms if row not in heights[1:]]
    fig, (left, right) = figure(9.0, 3.9, ncols=2, width_ratios=(4, 5))
    rows = [row["batch"]["rows"] for row in heights]
    left.plot(rows, [row["seconds"] * 1e6 for row in heights], "o-", color=BLUE)
    left.set(
        xscale="log",
        xlabel="rows of each GEMM (log scale)",
        ylabel="time of all, µs",
        ylim=(0, 1.1e6 * max(row["seconds"] for row in gemms)),
    )
    left.set_xticks([rows[0], rows[2], rows[4], rows[-1]])
    left.xaxis.set_major_formatter(FuncFormatter(lambda value, _: f"{value:,.0f}"))
    left.xaxis.set_minor_locator(NullLocator())
    left.grid(True, axis="y")
    left.set_title("How thin: nothing shared")
    for place, row in enumerate(layouts):
        time, shared = row["seconds"] * 1e6, 0 < row["batch"]["stride"] < row["batch"]["inner"]
        right.barh(place, time, color=ORANGE if shared else BLUE, height=0.7)
        right.annotate(
            f"{time:.1f}",
            (time, place),
            (5, 0),
            textcoords="offset points",
            va="center",
            fontsize=8.5,
        )
    names = [_layout(row) for row in layouts]
    right.set_yticks(range(len(layouts)), names, color="black", fontsize=8.5)
    right.tick_params(axis="y", length=0)
    right.invert_yaxis()
    right.set(
        xlabel=f"time of 220 GEMMs of 220 rows, µs, {machine}",
        xlim=(0, 1.15e6 * max(row["seconds"] for row in layouts)),
    )
    right.set_title("How laid out")
    return Picture(
        fig,
        "Time of the report's 48,400 × 147 × 64 multiplications by cuBLAS in GEMMs "
        f"of {rows[0]} to {rows[-1]} rows, and laid out as {', '.join(names)}.",
    )


def _layout(row: Mapping) -> str:
    name = "copies" if row["name"].endswith(" rows") else row["name"]
    return f"{name}: lda {row['batch']['lda']:,}, stride {row['batch']['stride']:,}"


def solutions_picture(
    rows: Sequence[Mapping], problems: Mapping[str, ConvProblem], threshold: int, machine: str
) -> Picture:
    """Draw the time of Solution B over A against the output's width; one colour a batch.

    rows: of `layer`, `batch`, `A` and `B` in seconds.
    """
    fig, ax = figure(8.2, 4.0)
    batches = sorted({row["batch"] for row in rows})
    for batch, colour, marker in zip(batches, (SKY, BLUE), "so"):
        chosen = [row for row in rows if row["batch"] == batch]
        ax.plot(
            [problems[row["layer"]].o_w for row in chosen],
            [row["B"] / row["A"] for row in chosen],
            marker,
            color=colour,
            label=f"batch of {batch}",
        )
    ax.axhline(1, color=GREY, linewidth=1)
    ax.axvline(threshold, color=ORANGE, linestyle="--", linewidth=1.2)
    ax.set(
        xscale="log",
        yscale="log",
        xlim=(3.6, 300),
        xlabel="output width o_w (log scale)",
        ylabel="time of B over A (log scale)",
    )
    ax.set_xticks([5, 10, 20, 50, 100, 200])
    ax.set_yticks([0.8, 1, 2, 4, 8])
    for axis in (ax.xaxis, ax.yaxis):
        axis.set_major_formatter(FuncFormatter(lambda value, _: f"{value:g}"))
        axis.set_minor_locator(NullLocator())
    ax.text(
        threshold * 0.97,
        ax.get_ylim()[1],
        "the paper's T",
        color=lettering(ORANGE),
        ha="right",
        va="top",
        fontsize=8.5,
    )
    ax.set_title(f"Above the line A is faster, {machine}")
    ax.legend(loc="lower left")
    label_points(
        ax,
        [
            (problems[row["layer"]].o_w, row["B"] / row["A"], row["layer"])
            for row in rows
            if row["batch"] == batches[-1]
        ],
        fontsize=8,
    )
    names = ", ".join(dict.fromkeys(row["layer"] for row in rows))
    return Picture(
        fig,
        "Time of Solution B over Solution A against output width, for batches of "
        f"{' and '.join(map(str, batches))}: {names}.",
    )


def limits_picture(rows: Sequence[Mapping], machine: str) -> Picture:
    """Draw a GEMM's time against the workspace that it may have: im2col's on the left, MEC's batch.

    rows: of `layer`, `what`, `limit` and `seconds`, as `bench.workspace_gpu.limits` gives them.
    """
    fig, axes = figure(8.8, 4.2, ncols=2, sharey=True, width_ratios=(5, 4))
    limits = sorted({row["limit"] for row in rows})
    layers = list(dict.fromkeys(row["layer"] for row in rows))
    for ax, what, title in zip(
        axes, ("im2col", "mec"), (f"im2col's single GEMM, {machine}", "MEC's batch of GEMMs")
    ):
        ends = {}
        for layer, colour in zip(layers, (GREY, GREEN, PINK, BLUE)):
            times = [
                row["seconds"] * 1e6
                for row in rows
                if row["layer"] == layer and row["what"] == what
            ]
            ax.plot(range(len(limits)), times, "o-", color=colour)
            ends[layer] = times[-1], colour
        lowest = 0.0
        for layer, (end, colour) in sorted(ends.items(), key=lambda item: item[1][0]):
            lowest = max(end, 1.1 * lowest)  # labels keep a line apart
            ax.annotate(
                f"{layer}, {seconds_text(end / 1e6)}",
                (len(limits) - 1, lowest),
                (8, 0),
                textcoords="offset points",
                va="center",
                color=lettering(colour),
                fontsize=8.5,
            )
        ax.set(xlim=(-0.2, len(limits) + 0.9), xlabel="workspace allowed")
        ax.set_xticks(range(len(limits)), ["none", *map(_short, limits[1:])], fontsize=8)
        ax.grid(True, axis="y")
        ax.set_title(title)
    axes[0].set(yscale="log", ylabel="time, µs (log scale)")
    axes[0].set_yticks([12, 20, 30, 50, 80])
    axes[0].yaxis.set_major_formatter(FuncFormatter(lambda value, _: f"{value:g}"))
    axes[0].yaxis.set_minor_locator(NullLocator())
    return Picture(
        fig,
        "Time of cuBLASLt's first proposal against the limit of its workspace, for "
        f"{', '.join(layers)}: im2col's GEMM falls in steps, MEC's batch is flat.",
    )


def _short(size: int) -> str:
    return f"{size >> 20} MiB" if size >= 2**20 else f"{size >> 10} KiB"


def standing_picture(ratios: Mapping[str, Mapping[str, float]], machine: str) -> Picture:
    """Draw times over cuDNN's, a line a layer: `ratios[method][layer]`; left of 1 is faster."""
    layers = list(next(iter(ratios.values())))
    fig, ax = figure(8.2, 1.3 + 0.28 * len(layers))
    for (name, by_layer), colour, marker in zip(ratios.items(), (GREY, BLUE, SKY, ORANGE), "sDvo"):
        ax.plot(
            [by_layer[layer] for layer in layers if layer in by_layer],
            [layers.index(layer) for layer in layers if layer in by_layer],
            marker,
            color=colour,
            label=name,
            markersize=7,
        )
    ax.axvline(1, color=GREY, linewidth=1)
    ax.set(xscale="log", xlabel="time over cuDNN's in its faster layout (log scale)")
    ax.set_xticks([0.2, 0.5, 1, 2, 3])
    ax.xaxis.set_major_formatter(FuncFormatter(lambda value, _: f"{value:g}"))
    ax.xaxis.set_minor_locator(NullLocator())
    ax.set_yticks(range(len(layers)), layers, color="black")
    ax.tick_params(axis="y", length=0)
    ax.invert_yaxis()
    ax.grid(True, axis="both")
    ax.set_title(f"Left of 1: faster than cuDNN, {machine}")
    fig.legend(loc="outside lower center", ncols=4)
    return Picture(fig, f"Times of {', '.join(ratios)} over cuDNN's, for {', '.join(layers)}.")
