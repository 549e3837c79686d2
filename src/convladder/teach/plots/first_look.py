"""Ten thousand digits: some of them with what was read, and how long it took, drawn to scale."""

from __future__ import annotations

import numpy as np

from ...text import seconds_text
from .style import BLUE, Picture, figure

COLUMNS, ROWS = 15, 3
SIDE = 38  # pixels from one digit to the next


def digits_picture(
    images: np.ndarray, read: np.ndarray, right: int, seconds: float, loops: float
) -> Picture:
    """Draw the first of `images[count,28,28]` with the labels `read`; below them the `seconds` that
    all took, beside those that Python's `loops` would take.
    """
    fig, (top, below) = figure(8, 2.9, nrows=2, height_ratios=[2.2, 1])
    few = COLUMNS * ROWS
    tiles = np.pad(images[:few], ((0, 0), (0, 0), (0, SIDE - 28)))
    tiles = tiles.reshape(ROWS, COLUMNS, 28, SIDE).swapaxes(1, 2)
    top.imshow(255 - tiles.reshape(28 * ROWS, SIDE * COLUMNS), cmap="gray", vmin=0, vmax=255)
    for place, label in enumerate(read[:few]):
        top.text(
            SIDE * (place % COLUMNS) + 27,
            28 * (place // COLUMNS) + 25,
            str(label),
            color=BLUE,
            va="bottom",
            fontsize=9,
            fontweight="bold",
        )
    top.set_axis_off()
    said = (
        f"{len(images):,} digits read in {seconds_text(seconds)}, "
        f"{right / len(images):.1%} of them right"
    )
    top.set_title(f"{said} (blue: what was read)", loc="left")
    long = f"{loops / 60:.0f} minutes" if loops >= 120 else seconds_text(loops)
    below.barh([1, 0], [seconds, loops], color=[BLUE, "#999999"], height=0.7)
    below.set_yticks([1, 0], ["just now, all", "in Python's loops,\nfrom one of them"])
    below.set_xlim(0, 1.25 * loops)
    below.text(seconds, 1, f" {seconds_text(seconds)}", va="center")
    below.text(loops, 0, f" {long}", va="center")
    below.set_xticks([])
    for side in ("top", "right", "bottom"):
        below.spines[side].set_visible(False)
    return Picture(
        fig,
        f"{few} handwritten digits with the label that was read of each; below, a "
        f"bar for the time that all {len(images):,} took, and a far longer one for "
        "loops in Python.",
    )
