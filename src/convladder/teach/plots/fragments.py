"""One tensor-core instruction: 32 lanes over three matrices."""

from __future__ import annotations

from matplotlib import colormaps
from matplotlib.axes import Axes
from matplotlib.patches import Rectangle

from ...gpu.fragments import LANES, K, M, N, holder
from .ink import ink
from .style import ORANGE, Picture, figure

SHADES = colormaps["Blues"]


def fragment_picture(lane: int = 0) -> Picture:
    """Draw mma.m16n8k16: a[16,16] at the left, b[16,8] above, c[16,8] between them.

    In each cell the lane that holds it; orange: those of `lane`, with their registers' names.
    """
    fig, axes = figure(8.0, 7.6, nrows=2, ncols=2, width_ratios=(K, N), height_ratios=(K, M))
    axes[0, 0].set_axis_off()
    held = {name: holder(name) for name in "abc"}
    a = held["a"].reshape(K, M, 2).transpose(1, 0, 2)
    b = held["b"].reshape(K, N, 2)
    c = held["c"].reshape(N, M, 2).transpose(1, 0, 2)
    _matrix(axes[1, 0], a, "a", lane, "a: 16 pixels by 16 of the window")
    _matrix(axes[0, 1], b, "b", lane, "b: 16 of the window\nby 8 channels")
    _matrix(axes[1, 1], c, "c", lane, "c: 16 pixels by 8 channels")
    group, within = divmod(lane, 4)
    axes[0, 0].text(
        0.02,
        0.98,
        f"mma.m16n8k16, lane {lane}\n\n"
        f"8 values of a: rows {group} and {group + 8}\n"
        f"4 values of b: column {group}\n"
        f"4 sums of c: rows {group} and {group + 8},\n"
        f"    columns {2 * within} and {2 * within + 1}\n\n"
        f"{M} x {N} x {K} = {M * N * K:,} multiply-adds\n"
        f"by {LANES} lanes: {M * N * K // LANES} a lane\n"
        "(a CUDA core's instruction: 1 a lane)",
        transform=axes[0, 0].transAxes,
        va="top",
        fontsize=10.5,
        linespacing=1.5,
    )
    return Picture(
        fig,
        f"mma.m16n8k16: lane {lane} of 32 holds 8 values of a in rows {group} and "
        f"{group + 8}, 4 of b in column {group}, and 4 sums in the same rows, "
        f"columns {2 * within} and {2 * within + 1}.",
        colours=64,
    )


def _matrix(ax: Axes, held, name: str, lane: int, title: str) -> None:
    rows, columns = held.shape[:2]
    for row in range(rows):
        for column in range(columns):
            owner, value = held[row, column]
            mine = owner == lane
            shade = ORANGE if mine else SHADES(0.08 + 0.4 * owner / LANES)
            ax.add_patch(
                Rectangle((column, row), 1, 1, facecolor=shade, edgecolor="white", linewidth=0.7)
            )
            ax.text(
                column + 0.5,
                row + 0.5,
                f"{name}{value}" if mine else owner,
                ha="center",
                va="center",
                fontsize=7.5,
                color=ink(shade),
                weight="bold" if mine else "normal",
            )
    ax.set(xlim=(-0.05, columns + 0.05), ylim=(rows + 0.05, -0.05), aspect="equal")
    ax.set_xticks([])
    ax.set_yticks([])
    ax.spines[:].set_visible(False)
    ax.set_title(title, fontsize=9.5)
