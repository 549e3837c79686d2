"""The tiles of the implicit GEMM at every level: grid, block, warp, thread."""

from __future__ import annotations

import numpy as np
from matplotlib.axes import Axes
from matplotlib.patches import Rectangle

from ...gpu.tile_choice import TilePlan
from ...problem import ConvProblem
from ..models.block_tile import shares
from .style import BLUE, GREY, ORANGE, PALE, Picture, figure

DRAWN = 40  # rows of blocks: beyond that only lines are seen


def tile_levels_picture(
    problem: ConvProblem, plan: TilePlan, warp: int = 0, lane: int = 9
) -> Picture:
    """Draw a launch's blocks over the result, warps over a block, lanes over a warp, one lane's
    values.

    Rows are output pixels, columns output channels, as the kernel numbers them.
    """
    t, threads = plan.tile, shares(plan.tile)
    down, across = -(-problem.pixels // t.pixels), -(-problem.k_c // t.channels)
    fig, panels = figure(7.0, 8.2, nrows=2, ncols=2)
    axes = panels.flat
    _blocks(axes[0], problem, down, across)
    axes[0].set_title(f"grid: {down * across:,} blocks")
    axes[0].set_xlabel(
        f"y: {problem.pixels:,} pixels by {problem.k_c} channels\n"
        f"a block: {t.pixels} by {t.channels}"
    )
    _mesh(axes[1], threads.warp, "Blues", threads.warp == warp)
    axes[1].set_title(f"block: {t.threads // 32} warps")
    rows, columns = np.nonzero(threads.warp == warp)
    part = np.s_[rows.min() : rows.max() + 1, columns.min() : columns.max() + 1]
    lanes = threads.lane[part]
    _mesh(axes[2], lanes, "Greens", lanes == lane)
    axes[2].set_title("warp: 32 lanes")
    axes[2].set_xlabel(
        f"{lanes.shape[0]} by {lanes.shape[1]} values\n"
        f"{threads.lanes_down} by {threads.lanes_across} lanes; orange: lane {lane}"
    )
    axes[1].set_xlabel(
        f"{t.pixels} by {t.channels} values; orange: warp {warp}\n"
        f"{plan.depth} columns of the window at a time"
    )
    _thread(axes[3], lanes == lane)
    axes[3].set_title("thread: its registers")
    axes[3].set_xlabel(
        f"{t.thread_pixels} by {t.thread_channels} sums\n"
        f"{t.thread_pixels + t.thread_channels} loads for "
        f"{t.thread_pixels * t.thread_channels} multiply-adds"
    )
    return Picture(
        fig,
        f"{down * across:,} blocks of {t.pixels} by {t.channels} values over "
        f"{problem.pixels:,} pixels by {problem.k_c} channels; "
        f"{t.threads // 32} warps of {lanes.shape[0]} by {lanes.shape[1]}; a "
        f"thread has {t.thread_pixels} by {t.thread_channels}.",
        colours=256,
    )


def _blocks(ax: Axes, problem: ConvProblem, down: int, across: int) -> None:
    shown = min(down, DRAWN)
    for row in range(shown):
        for column in range(across):
            ax.add_patch(
                Rectangle(
                    (column, row),
                    1,
                    1,
                    edgecolor="white",
                    linewidth=0.6,
                    facecolor=ORANGE if row == column == 0 else PALE,
                )
            )
    if down > shown:
        ax.text(
            across / 2,
            shown + 0.6,
            f"... {down - shown:,} more rows of blocks",
            ha="center",
            va="top",
            fontsize=8.5,
            color=GREY,
        )
    ax.set(xlim=(-0.02, across), ylim=(shown + (3 if down > shown else 0), -0.1))
    _bare(ax)


def _mesh(ax: Axes, numbers: np.ndarray, colours: str, lit: np.ndarray) -> None:
    most = numbers.max() + 1
    shade = 0.12 + 0.5 * (numbers * 7 % most) / most  # neighbours are told apart
    ax.pcolormesh(shade, cmap=colours, vmin=0, vmax=1)
    ax.pcolormesh(np.ma.masked_where(~lit, np.ones(lit.shape)), cmap="autumn", vmin=0.4, vmax=1.9)
    ax.set_ylim(numbers.shape[0], 0)
    _bare(ax)


def _thread(ax: Axes, mine: np.ndarray) -> None:
    """Draw its values where they stand in the warp's tile, and all others pale."""
    rows, columns = np.unique(np.nonzero(mine)[0]), np.unique(np.nonzero(mine)[1])
    for y, row in enumerate(rows):
        for x, column in enumerate(columns):
            ax.add_patch(
                Rectangle(
                    (x, y), 1, 1, facecolor=ORANGE, edgecolor="white", linewidth=1.0, alpha=0.85
                )
            )
    for places, set_ticks in ((rows, ax.set_yticks), (columns, ax.set_xticks)):
        set_ticks(np.arange(len(places)) + 0.5, places, fontsize=8.5)
    for edge in np.nonzero(np.diff(rows) > 1)[0] + 1:
        ax.axhline(edge, color=BLUE, linewidth=2)
    for edge in np.nonzero(np.diff(columns) > 1)[0] + 1:
        ax.axvline(edge, color=BLUE, linewidth=2)
    ax.set(xlim=(-0.05, len(columns) + 0.05), ylim=(len(rows) + 0.05, -0.05))
    ax.tick_params(length=0)
    ax.spines[:].set_visible(False)


def _bare(ax: Axes) -> None:
    ax.set_xticks([])
    ax.set_yticks([])
    ax.spines[:].set_visible(False)
