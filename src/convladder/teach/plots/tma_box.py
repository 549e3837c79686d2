"""What one request to the tensor memory accelerator brings: a box of im2col's matrix."""

from __future__ import annotations

from matplotlib.axes import Axes
from matplotlib.patches import Rectangle

from ...problem import ConvProblem
from .ink import ink
from .style import BLUE, ORANGE, PALE, SKY, Picture, figure

LAYER = ConvProblem(1, 5, 7, 64, 3, 3, 64, padding=1)
BOX = 12  # pixels of a box; real ones have 64 or 128


def tma_box_picture(first: int = 4, kernel_row: int = 0, kernel_column: int = 0) -> Picture:
    """Draw a box of 12 output pixels from `first` on, at one place of a 3 x 3 window.

    Left: where its pixels lie in the image, whose rim of zeros lies nowhere. Right: the rows that
    the engine writes into shared memory, 64 channels each.
    """
    p = LAYER
    fig, (left, right) = figure(9.0, 3.6, ncols=2, width_ratios=(p.i_w + 2, 5))
    there = {}
    for row in range(p.i_h):
        for column in range(p.i_w):
            _cell(left, column, row, PALE)
    for number in range(BOX):
        h, v = divmod(first + number, p.o_w)
        row, column = h + kernel_row - p.p_h, v + kernel_column - p.p_w
        there[number] = 0 <= row < p.i_h and 0 <= column < p.i_w
        _cell(left, column, row, ORANGE if there[number] else "#F6D9C8", number)
        _cell(right, 0, number, SKY if there[number] else "#F6D9C8", number)
        words = f"x[0, {row}, {column}, 0:64]" if there[number] else "zeros: outside of the image"
        right.text(1.15, number + 0.5, words, va="center", fontsize=8, color="#333333")
    left.add_patch(Rectangle((0, 0), p.i_w, p.i_h, fill=False, edgecolor=BLUE, linewidth=1.6))
    left.set(xlim=(-1.1, p.i_w + 1.1), ylim=(p.i_h + 1.1, -1.1), aspect="equal")
    left.set_title("the image, outlined, and its rim")
    right.set(xlim=(-0.05, 5), ylim=(BOX + 0.1, -0.1))
    right.set_title("in shared memory: a row a pixel")
    for ax in (left, right):
        ax.set_xticks([])
        ax.set_yticks([])
        ax.spines[:].set_visible(False)
    zeros = BOX - sum(there.values())
    h, v = divmod(first, p.o_w)
    words = (
        f"one thread says: from pixel ({h}, {v}) on, kernel row {kernel_row}, "
        f"column {kernel_column}, channels 0 to 63"
    )
    fig.supxlabel(words, fontsize=9.5)
    return Picture(
        fig,
        f"A box of {BOX} pixels from output pixel {first} on, at kernel row "
        f"{kernel_row}, column {kernel_column}: {BOX - zeros} rows from the image, "
        f"{zeros} of zeros.",
        colours=128,
    )


def _cell(ax: Axes, x: float, y: float, colour: str, number: int | None = None) -> None:
    ax.add_patch(Rectangle((x, y), 1, 1, facecolor=colour, edgecolor="white"))
    if number is not None:
        ax.text(
            x + 0.5, y + 0.5, str(number), ha="center", va="center", fontsize=8, color=ink(colour)
        )
