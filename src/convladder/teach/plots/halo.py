"""The pixels under a tile of outputs, and how many of the tile's windows read each of them."""

from __future__ import annotations

import numpy as np
from matplotlib import colormaps
from matplotlib.patches import Rectangle

from .ink import ink, lettering
from .style import GREY, ORANGE, Picture, figure


def readers(tile: int, kernel: int) -> np.ndarray:
    """Return `[tile + kernel - 1] * 2`: how many of `tile`² windows, a pixel apart,
    cover each pixel.
    """
    line = np.convolve(np.ones(tile, int), np.ones(kernel, int))
    return np.outer(line, line)


def halo_picture(tile: int = 4, kernel: int = 3) -> Picture:
    """Draw a tile of `tile`² outputs and the pixels that it needs;
    the frame is what lies under it.
    """
    counts = readers(tile, kernel)
    side, outputs = len(counts), f"{tile * tile} output{'s' * (tile > 1)}"
    fig, ax = figure(6.6, 3.7)
    colours = colormaps["viridis_r"](0.08 + 0.8 * counts / kernel**2)
    for row, column in np.ndindex(*counts.shape):
        ax.add_patch(
            Rectangle((column + 0.04, row + 0.04), 0.92, 0.92, facecolor=colours[row, column])
        )
        if side <= 12:
            ax.text(
                column + 0.5,
                row + 0.52,
                str(counts[row, column]),
                ha="center",
                va="center",
                fontsize=9 if side <= 8 else 7,
                color=ink(colours[row, column]),
            )
    edge = (kernel - 1) / 2
    ax.add_patch(
        Rectangle((edge, edge), tile, tile, facecolor="none", edgecolor=ORANGE, linewidth=2)
    )
    x = side * 1.06
    for place, (text, colour) in enumerate(
        (
            (outputs, ORANGE),
            (f"{side}×{side} = {side * side} pixels fetched", "black"),
            (f"{side * side / tile**2:.2f} for each output", "black"),
            (f"without a tile: {kernel**2}", GREY),
        )
    ):
        ax.text(x, side * (0.3 + 0.13 * place), text, color=lettering(colour), va="center")
    ax.set(xlim=(0, side * 1.85), ylim=(side, 0), aspect="equal")
    ax.set_axis_off()
    ax.set_title("Pixels under a tile, and how many windows read each")
    return Picture(
        fig,
        f"A tile of {tile} by {tile} outputs with windows of {kernel} by {kernel}: "
        f"{side * side} pixels are fetched for {outputs}; each pixel is "
        f"read by 1 to {counts.max()} windows.",
    )
