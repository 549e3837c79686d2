"""Pictures of chapter 06: blocks over the output, one thread's window, and who writes where."""

from __future__ import annotations

import numpy as np
from matplotlib.axes import Axes
from matplotlib.colors import ListedColormap, to_rgb
from matplotlib.patches import Rectangle

from .ink import lettering
from .style import BLUE, GREY, ORANGE, PALE, SKY, Picture, figure

I_H, I_W, K = 9, 13, 3  # the image and its square kernel
O_H, O_W = I_H - K + 1, I_W - K + 1
OUTSIDE = "#F6D9C8"  # threads beyond the output


def thread_grid_picture(block: str = "4 x 4", block_number: int = 0, thread: int = 0) -> Picture:
    """Draw a thread of a block of `block` (x by y) threads: its output pixel and that one's window.

    Blocks and threads are numbered in the order of x, then y; beyond the last, the last is meant.
    """
    across, down = (int(side) for side in block.split(" x "))
    grid = -(-O_W // across), -(-O_H // down)
    number, thread = min(block_number, grid[0] * grid[1] - 1), min(thread, across * down - 1)
    b_y, b_x = divmod(number, grid[0])
    t_y, t_x = divmod(thread, across)
    h, v = b_y * down + t_y, b_x * across + t_x
    inside = h < O_H and v < O_W

    fig, (left, right) = figure(8.6, 3.7, ncols=2, width_ratios=(I_W, grid[0] * across + 1))
    _cells(
        left,
        [
            [
                ORANGE if inside and h <= row < h + K and v <= column < v + K else PALE
                for column in range(I_W)
            ]
            for row in range(I_H)
        ],
    )
    left.set_title("x: the window of this thread\n" if inside else "x: no window for this thread\n")
    _cells(
        right,
        [
            [
                ORANGE
                if (row, column) == (h, v)
                else OUTSIDE
                if row >= O_H or column >= O_W
                else SKY
                if (row // down, column // across) == (b_y, b_x)
                else PALE
                for column in range(grid[0] * across)
            ]
            for row in range(grid[1] * down)
        ],
    )
    for row in range(grid[1]):
        for column in range(grid[0]):
            mine = (row, column) == (b_y, b_x)
            right.add_patch(
                Rectangle(
                    (column * across, row * down),
                    across,
                    down,
                    fill=False,
                    edgecolor=BLUE if mine else GREY,
                    clip_on=False,
                    linewidth=2.2 if mine else 0.8,
                    zorder=3 if mine else 2,
                )
            )
    right.add_patch(
        Rectangle(
            (0, 0), O_W, O_H, fill=False, edgecolor="black", linewidth=1.4, linestyle="--", zorder=4
        )
    )
    idle = grid[0] * across * grid[1] * down - O_H * O_W
    right.set_title(
        f"y (dashed) under {grid[0]} x {grid[1]} blocks\nof {block} threads: {idle} too many"
    )
    fate = f"makes y[{h}, {v}]" if inside else f"has {_beyond(h, v)}: the bounds check ends it"
    fig.supxlabel(
        f"v = blockIdx.x * blockDim.x + threadIdx.x = {b_x} * {across} + {t_x} = {v}\n"
        f"h = blockIdx.y * blockDim.y + threadIdx.y = {b_y} * {down} + {t_y} = {h}\n"
        f"thread ({t_x}, {t_y}) of block ({b_x}, {b_y}) {fate}",
        fontsize=10,
        color="black" if inside else lettering(ORANGE),
        x=0.02,
        ha="left",
    )
    return Picture(
        fig,
        f"Thread ({t_x}, {t_y}) of block ({b_x}, {b_y}): h = {h}, v = {v}, "
        + ("with its window in the image." if inside else "outside the output."),
    )


def writers_picture(writers: np.ndarray) -> Picture:
    """Draw `writers[o_h, o_w]`: how many threads write each pixel. More than one is marked."""
    o_h, o_w = writers.shape
    fig, ax = figure(7.6, 4.6)
    ax.pcolormesh(
        writers > 1,
        cmap=ListedColormap([PALE, ORANGE]),
        vmin=0,
        vmax=1,
        edgecolors="white",
        linewidth=0.4,
    )
    ax.set(xlim=(0, o_w), ylim=(o_h, 0), aspect="equal", xlabel="column v", ylabel="row h")
    ax.spines[:].set_visible(False)
    many = int((writers > 1).sum())
    ax.set_title(f"Orange: {many} pixels that more than one thread writes")
    return Picture(
        fig,
        f"The {o_h} x {o_w} output; {many} pixels are marked, which more than one thread writes.",
    )


def _beyond(h: int, v: int) -> str:
    return " and ".join([f"h >= {O_H}"] * (h >= O_H) + [f"v >= {O_W}"] * (v >= O_W))


def _cells(ax: Axes, colours: list[list[str]]) -> None:
    """Draw a numbered square for each entry, in its colour."""
    rows, columns = len(colours), len(colours[0])
    ax.pcolormesh(
        [[to_rgb(colour) for colour in row] for row in colours], edgecolors="white", linewidth=1
    )
    ax.set(xlim=(-0.1, columns + 0.1), ylim=(rows + 0.1, -0.1), aspect="equal")
    ax.set_xticks([n + 0.5 for n in range(columns)], range(columns), fontsize=8)
    ax.set_yticks([n + 0.5 for n in range(rows)], range(rows), fontsize=8)
    ax.tick_params(length=0)
    ax.spines[:].set_visible(False)
