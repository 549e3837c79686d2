"""im2col as a picture: a window of the image and the column that it becomes."""

from __future__ import annotations

import numpy as np
from matplotlib.axes import Axes
from matplotlib.patches import Rectangle

from ...convolve import conv2d
from ...cpu.im2col import columns, pad
from ...problem import ConvProblem
from .ink import lettering
from .style import BLUE, GREY, ORANGE, PALE, Picture, figure

MOST_ROWS, MOST_COLUMNS = 20, 36  # beyond that the numbers cannot be read
CELL = 0.27  # inches
LIT = "#BBDDF2"  # a pale blue that black numbers stand on
TINTS = ("white", "#DDF1E4", "#F7E3EF")  # one background a channel


def im2col_picture(
    x: np.ndarray, w: np.ndarray, problem: ConvProblem, column: int = 0, row: int | None = None
) -> Picture:
    """Draw the image `x[1,i_h,i_w,i_c]`, im2col's matrix and the first filter's output, in numbers.

    column: the window that is lit, in the image, in the matrix and in the output; it is counted
    on from the first again after the last. row: the weight whose row of the matrix is outlined,
    together with the pixels that it meets. Raises ValueError for a matrix too large to be read.
    """
    p = problem
    if p.i_n > 1 or p.window > MOST_ROWS or p.pixels > MOST_COLUMNS:
        raise ValueError(
            f"{p} has a matrix of {p.window} × {p.pixels}: draw one image, and at "
            f"most {MOST_ROWS} rows and {MOST_COLUMNS} columns"
        )
    column %= p.pixels
    h, v = divmod(column, p.o_w)
    matrix, padded = columns(x, p), pad(x, p)[0]
    y = conv2d(x, w, stride=p.stride, padding=p.padding)[0, :, :, 0]

    start = max(p.padded_w, p.o_w) + 3.6 + (p.i_c > 1)  # where the matrix begins
    bottom = (p.padded_h + 1.6) * p.i_c + p.o_h
    width, height = start + max(p.pixels, 6) + 0.4, max(bottom, p.window + 1) + 1.2
    fig, ax = figure(CELL * width, CELL * height)
    fig.set_layout_engine("none")  # the places are known: no time is spent on finding them
    ax.set_position([0, 0, 1, 1])
    for c in range(p.i_c):
        top = c * (p.padded_h + 1.6)
        title = f"image, channel {c}" if p.i_c > 1 else "image"
        _title(ax, 0, top, title)
        _grid(
            ax,
            0,
            top,
            padded[:, :, c],
            TINTS[c % 3],
            lambda i, j: p.p_h <= i < p.p_h + p.i_h and p.p_w <= j < p.p_w + p.i_w,
        )
        _light(ax, p.s_w * v, top + p.s_h * h, padded[:, :, c], p.s_h * h, p.s_w * v, p.k_h, p.k_w)
        _outline(ax, p.s_w * v, top + p.s_h * h, p.k_w, p.k_h, BLUE)
    top = p.i_c * (p.padded_h + 1.6)
    _title(ax, 0, top, "output" if p.k_c == 1 else "output, filter 0")
    _grid(ax, 0, top, y, "white")
    _light(ax, v, top + h, y, h, v, 1, 1)
    _outline(ax, v, top + h, 1, 1, BLUE)

    size = f"{p.window} rows × {p.pixels} column{'s' * (p.pixels > 1)}"
    _title(ax, start, 0, size)
    tints = [TINTS[r % p.i_c % 3] for r in range(p.window)]
    _grid(ax, start, 0, matrix, tints)
    _light(ax, start + column, 0, matrix, 0, column, p.window, 1)
    for r, (a, b, c) in enumerate(np.ndindex(p.k_h, p.k_w, p.i_c)):
        name = f"w[{a},{b},{c}]" if p.i_c > 1 else f"w[{a},{b}]"
        ax.text(
            start - 0.25,
            r + 0.5,
            name,
            ha="right",
            va="center",
            fontsize=8.3,
            color=lettering(ORANGE) if r == row else GREY,
            weight="bold" if r == row else "normal",
        )
    if row is not None:
        _meet(ax, p, row, start)
    _outline(ax, start + column, 0, 1, p.window, BLUE)
    ax.text(
        start + column + 0.5,
        p.window + 0.15,
        f"window {column}",
        ha="center",
        va="top",
        fontsize=8.3,
        color=BLUE,
    )
    ax.set(xlim=(-0.2, width), ylim=(height - 1.0, -1.1), aspect="equal")
    ax.axis("off")
    for artist in (*ax.texts, *ax.patches, *ax.lines):
        artist.set_in_layout(False)
    where = f"Window {column} of {p.pixels}, at row {p.s_h * h} and column {p.s_w * v} of the "
    where += "padded image" if p.padding != (0, 0) else "image"
    alt = f"{where}, is column {column} of the im2col matrix, which has {size}"
    if row is not None:
        a, b, c = np.unravel_index(row, (p.k_h, p.k_w, p.i_c))
        alt += f"; row {row} holds the {p.pixels} values that weight {a},{b},{c} meets"
    return Picture(fig, alt + ".")


def _meet(ax: Axes, p: ConvProblem, row: int, start: float) -> None:
    """Outline one row of the matrix, and the pixels in it, a window apart."""
    a, b, c = np.unravel_index(row, (p.k_h, p.k_w, p.i_c))
    for h in range(p.o_h):
        for v in range(p.o_w):
            place = (p.s_w * v + b + 0.5, c * (p.padded_h + 1.6) + p.s_h * h + a + 0.5)
            ax.plot(
                *place,
                "o",
                markersize=15,
                markerfacecolor="none",
                markeredgecolor=ORANGE,
                markeredgewidth=1.3,
            )
    _outline(ax, start, row, p.pixels, 1, ORANGE)


def _title(ax: Axes, left: float, top: float, text: str) -> None:
    ax.text(left, top - 0.25, text, ha="left", va="bottom", fontsize=9, weight="bold")


def _grid(ax: Axes, left, top, values: np.ndarray, tint, inside=lambda i, j: True) -> None:
    """Draw a table of numbers. tint: one colour, or one a row; cells not `inside` are padding."""
    for (i, j), value in np.ndenumerate(values):
        colour = tint if isinstance(tint, str) else tint[i]
        ours = inside(i, j)
        ax.add_patch(
            Rectangle(
                (left + j, top + i),
                1,
                1,
                linewidth=0.7,
                edgecolor="#B8BEC4",
                facecolor=colour if ours else PALE,
            )
        )
        number = f"{value:g}".replace("-", "−")
        ax.text(
            left + j + 0.5,
            top + i + 0.5,
            number,
            ha="center",
            va="center",
            fontsize=8.3,
            color="black" if ours else GREY,
            zorder=3,
        )


def _light(ax: Axes, left, top, values: np.ndarray, i, j, rows, across) -> None:
    for a, b in np.ndindex(*values[i : i + rows, j : j + across].shape):
        ax.add_patch(
            Rectangle(
                (left + b, top + a),
                1,
                1,
                linewidth=0.7,
                edgecolor="#B8BEC4",
                facecolor=LIT,
                zorder=2,
            )
        )


def _outline(ax: Axes, left: float, top: float, width: float, height: float, colour) -> None:
    ax.add_patch(
        Rectangle(
            (left, top), width, height, linewidth=2, edgecolor=colour, facecolor="none", zorder=4
        )
    )
