"""GEMM in blocks: which part of each matrix stays in which cache, and what block sizes gain."""

from __future__ import annotations

from collections.abc import Mapping

from matplotlib.axes import Axes
from matplotlib.patches import Rectangle

from ...cpu.gemm import Blocks, moved
from ...cpu.simd.blocking import Tile
from ...text import bytes_text
from .ink import lettering
from .style import BLUE, GREEN, GREY, ORANGE, PALE, YELLOW, Picture, figure

SIDE = 2048  # of the matrices in the drawing
TILE = Tile(6, 4, 16)
CACHES = {"L1": 32 * 2**10, "L2": 2**20, "L3": 32 * 2**20}  # a machine in round numbers


def gemm_blocks_picture(steps: int, rows: int, columns: int) -> Picture:
    """Draw the blocks of `C = A·B` of 2048×2048, and their bytes beside a machine's caches."""
    fig, (matrices, bars) = figure(8.6, 3.7, ncols=2, width_ratios=(1.25, 1))
    _matrices(matrices, steps, rows, columns)
    wide = TILE.vectors * TILE.lanes
    parts = [
        ("sliver of B", "L1", 4 * steps * wide, GREEN),
        ("block of A", "L2", 4 * steps * rows, BLUE),
        ("panel of B", "L3", 4 * steps * columns, YELLOW),
    ]
    over = []
    for y, (name, cache, size, colour) in enumerate(parts):
        share = size / CACHES[cache]
        bars.barh(y, min(share, 1.6), 0.5, color=ORANGE if share > 1 else colour)
        bars.text(
            0,
            y - 0.36,
            f"{name}: {bytes_text(size)} of {cache}'s {bytes_text(CACHES[cache])}",
            va="bottom",
            fontsize=8.5,
            bbox={"facecolor": "white", "edgecolor": "none", "pad": 0.8},
        )
        bars.plot([1, 1], [y - 0.3, y + 0.3], color=GREY, linestyle="--", linewidth=1)
        if share > 1:
            over.append(name)
    bars.text(1, 2.42, "full", ha="center", va="center", color=GREY, fontsize=8.5)
    each = moved(TILE, Blocks(rows, steps, columns))
    bars.text(
        0,
        3.15,
        "bytes for each multiply-add:\n"
        f"sums of C {each['C']:.3f}, B again {each['B again']:.3f}, "
        f"A packed {each['A packed']:.3f}",
        va="center",
        fontsize=8.5,
    )
    bars.set(xlim=(0, 1.7), ylim=(3.5, -0.7))
    bars.set_axis_off()
    fits = "all fit" if not over else f"too large: {', '.join(over)}"
    return Picture(
        fig,
        f"Blocks of {rows} rows, {steps} steps and {columns} columns in "
        f"matrices of {SIDE}×{SIDE}; beside caches of 32 KiB, 1 MiB and 32 MiB: "
        f"{fits}.",
        colours=128,
    )


def _matrices(ax: Axes, steps: int, rows: int, columns: int) -> None:
    gap = SIDE / 5
    corners = {"A": (0, SIDE + gap), "B": (SIDE + gap, 0), "C": (SIDE + gap, SIDE + gap)}
    for name, (x, y) in corners.items():
        ax.add_patch(Rectangle((x, y), SIDE, SIDE, facecolor=PALE))
        ax.text(x + SIDE * 0.94, y + SIDE * 0.94, name, ha="right", va="bottom", color=GREY)
    columns, rows = min(columns, SIDE), min(rows, SIDE)
    thin = max(TILE.vectors * TILE.lanes, SIDE // 40)  # else nobody would see it
    (ax_, ay), (bx, by), (cx, cy) = corners.values()
    ax.add_patch(Rectangle((bx, by), columns, steps, facecolor=YELLOW))
    ax.add_patch(Rectangle((bx, by), thin, steps, facecolor=GREEN))
    ax.add_patch(Rectangle((ax_, ay), steps, rows, facecolor=BLUE))
    ax.add_patch(Rectangle((cx, cy), thin, min(SIDE // 30, rows), facecolor=ORANGE))
    ax.text(bx + SIDE / 2, by - 40, f"{columns} columns", ha="center", va="bottom", fontsize=8.5)
    ax.text(bx - 40, by + steps / 2, f"{steps} steps", ha="right", va="center", fontsize=8.5)
    ax.text(ax_ - 40, ay + rows / 2, f"{rows}\nrows", ha="right", va="center", fontsize=8.5)
    for y, (what, colour) in enumerate(
        (
            ("tile of C: registers", ORANGE),
            ("sliver of B", GREEN),
            ("block of A", BLUE),
            ("panel of B", YELLOW),
        )
    ):
        ax.add_patch(Rectangle((0, 130 + 250 * y), 130, 130, facecolor=colour))
        ax.text(190, 195 + 250 * y, what, va="center", fontsize=8.5)
    ax.set(xlim=(-420, 2 * SIDE + gap + 40), ylim=(2 * SIDE + gap + 40, -220))
    ax.set_aspect("equal")
    ax.set_axis_off()


def block_sweep_picture(
    curves: Mapping[str, Mapping[int, float]],
    predicted: Mapping[str, int],
    what: str,
    library: float,
) -> Picture:
    """Draw shares of the peak over a block size, lines at those predicted, and the library's share.

    curves: `{label: {size: share}}`; predicted: `{label: size}`.
    """
    fig, ax = figure(7.4, 3.5)
    top = max(library, *(max(curve.values()) for curve in curves.values()))
    for (label, curve), colour in zip(curves.items(), (BLUE, GREEN)):
        sizes = sorted(curve)
        ax.plot(sizes, [100 * curve[size] for size in sizes], "o-", color=colour, markersize=4)
        ax.text(
            sizes[-1] * 1.06, 100 * curve[sizes[-1]], label, color=lettering(colour), va="center"
        )
    ax.axhline(100 * library, color=GREY, linestyle="--", linewidth=1)
    behind = [curve[size] for curve in curves.values() for size in curve if size <= 3 * sizes[0]]
    if max(behind) < library - 0.02:
        ax.text(sizes[0], 100 * library + 1, "NumPy's BLAS", color=GREY, va="bottom")
    else:  # above its line it would lie on a curve
        ax.text(sizes[0], 100 * min(library, *behind) - 2, "NumPy's BLAS", color=GREY, va="top")
    for (label, size), y in zip(predicted.items(), (0.05, 0.15)):
        ax.axvline(size, color=ORANGE, linewidth=1)
        ax.text(size * 1.04, y * 115 * top, label, color=lettering(ORANGE))
    ax.set_xscale("log", base=2)
    ax.set(
        xlabel=what,
        ylabel="% of one core's peak",
        ylim=(0, 115 * top),
        xlim=(sizes[0] / 1.2, sizes[-1] * 2.6),
    )
    ax.set_xticks(sizes, [str(size) for size in sizes])
    ax.minorticks_off()
    return Picture(
        fig,
        f"Share of one core's peak against {what}, for {', '.join(curves)}, with "
        f"lines where {', '.join(predicted)} and NumPy's BLAS lie.",
        colours=128,
    )
