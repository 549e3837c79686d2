"""How a layer's output is covered by tiles of the microkernel, and which thread makes which."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
from matplotlib.axes import Axes
from matplotlib.colors import to_rgb
from matplotlib.patches import Rectangle

from ...problem import ConvProblem
from .ink import ink, lettering
from .style import BLUE, GREEN, GREY, ORANGE, PINK, Picture, figure

HUES = (BLUE, ORANGE, GREEN, PINK)  # by threads
SHADES = (0.95, 0.5)  # of one tile and of the next: how much of the hue is left, on white
VECTORS, LANES = 2, 16  # of a tile; the same for every reader


def layer_tiles_picture(pixels: int, padding: int, threads: int) -> Picture:
    """Draw the tiles of at most `pixels` pixels in which the microkernel makes a 3×3 layer of 9×15.

    A number begins a tile, a colour is a thread; thick lines are the boxes into which padding cuts
    the output. The plan is the package's own, of one group of 32 channels.
    """
    p = ConvProblem(1, 9, 15, 8, 3, 3, VECTORS * LANES, padding=padding)
    found = list(_tiles(p, pixels, threads))
    fig, ax = figure(8.4, 0.36 * p.o_h + 0.9)
    for number, (thread, places) in enumerate(found):
        shade = SHADES[number % 2]
        fill = [1 - shade + shade * part for part in to_rgb(HUES[thread])]
        for place in places:
            h, v = divmod(place, p.o_w)
            ax.add_patch(Rectangle((v, h), 1, 1, facecolor=fill, linewidth=0.6, edgecolor="white"))
        h, v = divmod(places[0], p.o_w)
        ax.text(
            v + 0.5,
            h + 0.5,
            str(number),
            ha="center",
            va="center",
            color=ink(fill),
            fontsize=8,
            weight="bold",
        )
    boxes = _boxes(ax, p)
    sizes = sorted({len(places) for _, places in found})
    by_row = p.o_h * -(-p.o_w // pixels)
    said = (
        f"{p.o_h} × {p.o_w} outputs, {boxes} box{'es' * (boxes > 1)}: {len(found)} tiles of "
        f"{sizes[0]}{f' to {sizes[-1]}' if sizes[1:] else ''} pixels"
    )
    ax.set_title(said, loc="left")
    ax.text(0, p.o_h + 0.35, f"each row by itself: {by_row} tiles", va="top", color=GREY)
    for thread in range(threads):
        mine = sum(len(places) for who, places in found if who == thread)
        ax.text(
            p.o_w + 0.4,
            thread + 0.5,
            f"thread {thread}: {mine} pixels",
            va="center",
            color=lettering(HUES[thread]),
        )
    ax.set(xlim=(-0.1, p.o_w + 4.6), ylim=(p.o_h + 1.1, -0.1), aspect="equal")
    ax.set_axis_off()
    return Picture(
        fig,
        f"{said}, on {threads} thread{'s' * (threads > 1)}; each row by itself "
        f"would take {by_row}.",
        colours=128,
    )


def _tiles(p: ConvProblem, pixels: int, threads: int) -> Iterator[tuple[int, list[int]]]:
    """Yield the thread and the output pixels, by number, of each tile, as the kernel goes."""
    from ...cpu.simd import tile_order as walk  # Numba: only for those who run this
    from ...cpu.simd.blocking import BOX, LAYOUT, Tile, plan

    layout, boxes = (
        each.view(kind).view(np.recarray)
        for each, kind in zip(
            plan(p, Tile(pixels, VECTORS, LANES), threads), (LAYOUT, BOX), strict=True
        )
    )
    a = layout[0]
    for thread in range(threads):
        before = 0
        for box in boxes.reshape(-1):
            first, last, before = walk.tiles_of.py_func(a, box, VECTORS, before, thread, threads)
            for number in range(first, last):
                _, row, col, fewest, larger = walk.place_of.py_func(box, number)
                at = row * box.cols + col + np.arange(fewest + (number < larger))
                corner = box.y_at // p.k_c
                yield thread, [int(corner + i // box.cols * p.o_w + i % box.cols) for i in at]


def _boxes(ax: Axes, p: ConvProblem) -> int:
    """Frame the outputs that see the same part of the kernel, and return how many frames."""
    from ...cpu.simd.blocking import clips

    rows = list(clips(p.o_h, p.k_h, p.i_h, p.s_h, p.p_h))
    cols = list(clips(p.o_w, p.k_w, p.i_w, p.s_w, p.p_w))
    for top, bottom, *_ in rows:
        for left, right, *_ in cols:
            ax.add_patch(
                Rectangle(
                    (left, top),
                    right - left,
                    bottom - top,
                    fill=False,
                    edgecolor="black",
                    linewidth=1.8,
                )
            )
    return len(rows) * len(cols)
