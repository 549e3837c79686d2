"""How MEC lowers and partitions: the paper's toy image, its L, the rows each GEMM reads."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from matplotlib.axes import Axes
from matplotlib.patches import Rectangle

from ...problem import ConvProblem
from .style import BLUE, GREEN, GREY, ORANGE, PALE, SKY, YELLOW, Picture, figure

SIZE = 7  # rows and columns of the paper's toy image
TOY = 10 * np.arange(SIZE)[:, None] + np.arange(SIZE)  # row and column of each pixel, as digits
KERNEL_W = 3


def mec_picture(w: int, s_w: int = 1, k_w: int = KERNEL_W) -> Picture:
    """Draw the toy image with strip `w` marked, and L as far as it is lowered: rows 0 to `w`.

    A row that L does not have is taken as its last.
    """
    p = ConvProblem(1, SIZE, SIZE, 1, 1, k_w, 1, stride=(1, s_w))
    row = min(w, p.o_w - 1)
    left = s_w * row
    fig, ax = _page(11.3 + p.o_w)
    image = np.full((SIZE, SIZE), PALE, object)
    image[:, left : left + k_w] = SKY
    _title(ax, 0, 0, f"image, 7×7: {_columns(left, k_w)}")
    _grid(ax, 0, 0.4, TOY, image)

    missing = [f"There is no row {w}: row {row} is the last.", ""] if w > row else []
    notes = [
        *missing,
        f"Row {row} of L is the strip of {_columns(left, k_w)},",
        "read from top to bottom, a row of the image at a time.",
        "",
        f"L is {p.o_w}×{SIZE * k_w}: {p.o_w * SIZE * k_w} values, "
        f"{(row + 1) * SIZE * k_w} of them written.",
        "",
        f"im2col, with k_h = 3, writes a row of 3·{k_w} values",
        f"for each of {5 * p.o_w} windows: {5 * p.o_w * 3 * k_w} values.",
    ]
    _notes(ax, 8.2, notes)

    L = np.stack([TOY[:, s_w * at : s_w * at + k_w].ravel() for at in range(p.o_w)])
    colours = np.full(L.shape, "white", object)
    colours[:row], colours[row] = PALE, SKY
    top = 9.6
    _title(ax, 0, top - 0.4, f"L: row {row} is being written, of rows 0 to {p.o_w - 1}")
    _grid(ax, 0, top, L, colours, written=row + 1)
    _image_rows(ax, top + p.o_w, k_w, "image row")
    return Picture(
        fig,
        f"A 7×7 image with {_columns(left, k_w)} marked, and the {p.o_w}×"
        f"{SIZE * k_w} matrix L, in which row {row} holds that strip.",
    )


def mec_partition_picture(h: int, s_h: int = 1, k_h: int = 3) -> Picture:
    """Draw L of the toy with partition `h` marked, the image rows it holds, and the output row.

    A partition that there is not is taken as the last.
    """
    p = ConvProblem(1, SIZE, SIZE, 1, k_h, KERNEL_W, 1, stride=(s_h, 1))
    at = min(h, p.o_h - 1)
    top, begin, wide = s_h * at, s_h * at * KERNEL_W, k_h * KERNEL_W
    shared = max(0, k_h - s_h) * KERNEL_W if at < p.o_h - 1 else 0
    fig, ax = _page(16.3)

    image = np.full((SIZE, SIZE), PALE, object)
    image[top : top + k_h] = SKY
    image[top + k_h - shared // KERNEL_W : top + k_h] = YELLOW
    _title(ax, 0, 0, f"image: {_rows(top, k_h)}")
    _grid(ax, 0, 0.4, TOY, image)
    output = np.full((p.o_h, p.o_w), PALE, object)
    output[at] = GREEN
    _title(ax, 8.2, 0, f"output, {p.o_h}×{p.o_w}: row {at}")
    _grid(ax, 8.2, 0.4, np.full((p.o_h, p.o_w), ""), output)

    notes = [f"There is no partition {h}: {at} is the last.", ""] if h > at else []
    notes += [
        f"Partition {at} begins at column",
        f"s_h·h·k_w = {s_h}·{at}·{KERNEL_W} = {begin}",
        f"and is k_h·k_w = {k_h}·{KERNEL_W} = {wide} wide.",
    ]
    if at < p.o_h - 1:
        notes.append(f"The next begins {s_h}·{KERNEL_W} = {s_h * KERNEL_W} further.")
    if shared:
        notes += ["", f"{shared} columns (yellow) are", f"in partition {at + 1} as well."]
    unread = _never_read(p)
    if unread:
        notes += [
            "",
            f"{_span_of(unread)} (hatched)",
            "is in no partition." if len(unread) == 1 else "are in no partition.",
        ]
    _notes(ax, 15.6, notes)

    L = np.stack([TOY[:, w : w + KERNEL_W].ravel() for w in range(p.o_w)])
    colours = np.full(L.shape, PALE, object)
    colours[:, begin : begin + wide] = SKY
    colours[:, begin + wide - shared : begin + wide] = YELLOW
    _title(ax, 0, 9.2, f"L, 5×21: partition {at} is columns {_span(begin, wide)}")
    _grid(ax, 0, 9.6, L, colours)
    ax.add_patch(
        Rectangle((begin, 9.6), wide, p.o_w, fill=False, edgecolor=BLUE, linewidth=2.2, zorder=4)
    )
    for row in unread:
        for corner, width, height in (
            ((KERNEL_W * row, 9.6), KERNEL_W, p.o_w),
            ((0, row + 0.4), SIZE, 1),
        ):
            ax.add_patch(
                Rectangle(
                    corner,
                    width,
                    height,
                    facecolor="none",
                    edgecolor=ORANGE,
                    hatch="///",
                    linewidth=0,
                    zorder=3,
                    alpha=0.7,
                )
            )
    _image_rows(ax, 9.6 + p.o_w, KERNEL_W, "image row")
    return Picture(
        fig,
        f"The matrix L, 5×21, with partition {at} marked: columns "
        f"{_span(begin, wide)}, which hold image {_rows(top, k_h)} and give "
        f"output row {at}.",
    )


def _never_read(p: ConvProblem) -> list[int]:
    read = {p.s_h * h + a for h in range(p.o_h) for a in range(p.k_h)}
    return [row for row in range(p.i_h) if row not in read]


def _page(rows: float) -> tuple:
    fig, ax = figure(7.8, 0.355 * rows)
    ax.set(xlim=(-0.1, 21.9), ylim=(rows, -0.8), aspect="equal")
    ax.set_axis_off()
    return fig, ax


def _notes(ax: Axes, x: float, lines: Sequence[str]) -> None:
    """Write lines of text from (x, 1) down; an empty one is half as high."""
    y = 0.9
    for line in lines:
        ax.text(x, y, line, va="center", fontsize=9)
        y += 0.82 if line else 0.41


def _title(ax: Axes, x: float, y: float, text: str) -> None:
    ax.text(x, y, text, va="bottom", fontsize=9.5, fontweight="bold")


def _grid(
    ax: Axes,
    x: float,
    y: float,
    values: np.ndarray,
    colours: np.ndarray,
    written: int | None = None,
) -> None:
    """Draw cells of `values` in `colours`, top left at (x, y); from row `written` on all empty."""
    for (row, column), colour in np.ndenumerate(colours):
        ax.add_patch(
            Rectangle(
                (x + column, y + row),
                1,
                1,
                facecolor=colour,
                edgecolor="white" if colour != "white" else PALE,
                linewidth=0.8,
            )
        )
        value = values[row, column]
        if value != "" and (written is None or row < written):
            ax.text(
                x + column + 0.5,
                y + row + 0.52,
                f"{value:02d}",
                ha="center",
                va="center",
                fontsize=7.5,
                color="#222222",
            )


def _image_rows(ax: Axes, y: float, k_w: int, name: str) -> None:
    for row in range(SIZE):
        ax.plot([k_w * row + 0.08, k_w * (row + 1) - 0.08], [y + 0.25] * 2, color=GREY, linewidth=1)
        ax.text(
            k_w * (row + 0.5),
            y + 0.45,
            f"{name} {row}" if k_w > 2 else str(row),
            ha="center",
            va="top",
            fontsize=7.5,
            color=GREY,
        )


def _span(first: int, count: int) -> str:
    return f"{first}" if count == 1 else f"{first} to {first + count - 1}"


def _columns(first: int, count: int) -> str:
    return f"column{'s' * (count > 1)} {_span(first, count)}"


def _rows(first: int, count: int) -> str:
    return f"row{'s' * (count > 1)} {_span(first, count)}"


def _span_of(rows: Sequence[int]) -> str:
    return f"Image row{'s' * (len(rows) > 1)} {', '.join(map(str, rows))}"
