"""Where values lie: an image in three layouts, and weights before and after packing."""

from __future__ import annotations

import numpy as np
from matplotlib.axes import Axes
from matplotlib.patches import Rectangle

from ...cuda.memory_model import blocked_place
from .ink import ink, lettering
from .style import BLUE, GREEN, GREY, ORANGE, PALE, Picture, figure

ROWS, COLUMNS, CHANNELS = 2, 6, 8  # of the image in the drawing
NAMES = {1: "NCHW", CHANNELS: "NHWC"}


def layout_picture(block: int, wanted: str) -> Picture:
    """Draw a small image as it lies in memory, in blocks of channels, and what somebody reads.

    block: channels to a block, 1 to 8. wanted: "a pixel's channels" or "a row of one channel".
    """
    pixel = wanted == "a pixel's channels"
    asked = {(c, 0, 2) for c in range(CHANNELS)} if pixel else {(1, 0, v) for v in range(COLUMNS)}
    asked = {blocked_place(c, h, v, ROWS, COLUMNS, block) for c, h, v in asked}
    count = ROWS * COLUMNS * CHANNELS
    places = {
        blocked_place(c, h, v, ROWS, COLUMNS, block): (c, h, v)
        for c in range(CHANNELS)
        for h in range(ROWS)
        for v in range(COLUMNS)
    }
    fig, ax = figure(8.6, 3.4)
    width = 24  # places to a line of the drawing
    for place in range(count):
        x, y = place % width, place // width
        c, h, v = places[place]
        colour = ORANGE if place in asked else PALE
        ax.add_patch(Rectangle((x, y), 0.92, 0.84, facecolor=colour))
        ax.text(
            x + 0.46,
            y + 0.42,
            f"{c}",
            ha="center",
            va="center",
            fontsize=8,
            color=ink(colour) if place in asked else GREY,
        )
    runs = sum(place - 1 not in asked for place in asked)
    touched = len({place // 8 for place in asked})
    name = NAMES.get(block, f"NCHW{block}c")
    ax.set_title(
        f"{name}: {wanted}, {runs} run{'s' * (runs > 1)} of memory", loc="left", fontsize=10
    )
    ax.text(
        0,
        count // width + 0.35,
        f"Each square is a value, its number the channel; memory runs on from line to line. "
        f"Pieces of 32 bytes touched: {touched}.",
        va="center",
        fontsize=8.5,
    )
    ax.set(xlim=(0, width), ylim=(count // width + 0.7, -0.1))
    ax.set_axis_off()
    return Picture(
        fig,
        f"An image of {ROWS}×{COLUMNS} pixels and {CHANNELS} channels in {name}: "
        f"{wanted} are {runs} runs of memory, in {touched} pieces of 32 bytes.",
        colours=128,
    )


def layout_shares_picture(shares: dict[str, dict[str, float]]) -> Picture:
    """Draw bars: for each layer, the share of one core's peak of plain loops in each layout."""
    layers = list(shares)
    layouts = list(next(iter(shares.values())))
    fig, ax = figure(7.4, 3.2)
    at = np.arange(len(layers))
    for number, (layout, colour) in enumerate(zip(layouts, (BLUE, GREEN, ORANGE))):
        values = [100 * shares[layer][layout] for layer in layers]
        places = at + 0.27 * (number - 1)
        ax.bar(places, values, 0.24, color=colour)
        for x, value in zip(places, values):
            text = f"{value:.0f}".replace(" (", "\n(")  # disturbed: no wider than its bar
            ax.text(
                x,
                value + 0.4,
                text,
                ha="center",
                va="bottom",
                linespacing=1,
                fontsize=6.5 if "\n" in text else 8,
            )
        ax.text(
            places[0],
            -0.6,
            layout,
            rotation=30,
            ha="right",
            va="top",
            color=lettering(colour),
            fontsize=8.5,
        )
    ax.set_xticks(at, layers)
    ax.tick_params(axis="x", pad=34, length=0)
    ax.set(ylabel="% of one core's peak")
    return Picture(
        fig,
        f"The share of one core's peak that plain loops reach in "
        f"{', '.join(layouts)}"
        f" on layers {', '.join(layers)}.",
        colours=128,
    )


LANES, VALUE, LINE, PAGE = 16, 4, 64, 4096
STEPS = 12  # drawn; the counts are for more


def packing_picture(k_c: int, packed: bool, steps: int = 256) -> Picture:
    """Draw which part of memory a tile of 32 channels reads of weights with `k_c` channels."""
    wide = 2 * LANES
    apart = wide if packed else k_c
    fig, ax = figure(8.6, 3.0)
    _memory(ax, wide, apart)
    first = np.arange(steps)[:, None] * apart * VALUE + np.arange(0, wide * VALUE, VALUE)
    lines, pages = (len(np.unique(first // unit)) for unit in (LINE, PAGE))
    how = "packed" if packed else f"as they lie in w, k_c = {k_c}"
    ax.set_title(
        f"weights {how}: a tile of {wide} channels reads the blue part", loc="left", fontsize=10
    )
    ax.text(
        0,
        STEPS + 0.9,
        f"{steps} steps touch {lines} cache lines in {pages} page{'s' * (pages > 1)} of 4 KiB",
        va="center",
        fontsize=9,
    )
    return Picture(
        fig,
        f"A tile of {wide} channels reads {steps} steps of weights {how}: {lines} "
        f"cache lines in {pages} pages.",
        colours=128,
    )


def _memory(ax: Axes, wide: int, apart: int) -> None:
    """Draw the memory behind the first steps, a line of the drawing for 1,024 values."""
    across, last = 1024, STEPS
    for y in range(last):
        ax.add_patch(Rectangle((0, y), across, 0.8, facecolor=PALE))
    step = 0
    while step * apart < across * last and step < 4096:
        at = step * apart
        y, x = divmod(at, across)
        ax.add_patch(
            Rectangle(
                (x, y), min(wide, across - x), 0.8, facecolor=BLUE, edgecolor="white", linewidth=0.3
            )
        )
        step += 1
    ax.text(across + 12, 0.4, "4 KiB,\na page", va="center", fontsize=8.5, color=GREY)
    ax.set(xlim=(-2, across + 130), ylim=(last + 1.4, -0.2))
    ax.set_axis_off()
