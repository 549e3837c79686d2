"""Chapter 09's first picture: a place of the matrix that is never written, and in the image."""

from __future__ import annotations

import numpy as np
from matplotlib.axes import Axes
from matplotlib.colors import to_rgb
from matplotlib.patches import Rectangle

from ...problem import ConvProblem
from .ink import ink
from .style import BLUE, GREY, ORANGE, PALE, SKY, Picture, figure

I_H, I_W, I_C, K = 4, 5, 2, 3
LIT = "#BBDDF2"
OUTSIDE = "#F6D9C8"


def implicit_index_picture(row: int = 0, column: int = 0, padding: int = 0) -> Picture:
    """Draw row `row` and column `column` of im2col's matrix for a small image, and the image in
    memory.

    Numbers are places in `x`; a dot is padding, which lies nowhere. Beyond the last row or
    column, the last is meant.
    """
    p = ConvProblem(1, I_H, I_W, I_C, K, K, 1, padding=padding)
    row, column = min(row, p.pixels - 1), min(column, p.window - 1)
    places = np.array([[_place(p, m, k) for k in range(p.window)] for m in range(p.pixels)])
    h, v = divmod(row, p.o_w)
    a, b, c = np.unravel_index(column, (K, K, I_C))
    i, j = h + a - padding, v + b - padding
    tall, below = 0.2 * p.pixels + 0.75, 0.28 * (I_H + 2 * padding) + 0.75
    fig, (matrix, image) = figure(7.0, tall + below + 0.7, nrows=2, height_ratios=(tall, below))
    run = range(a * K * I_C, (a + 1) * K * I_C)
    _cells(
        matrix,
        places,
        lambda m, k: (
            ORANGE
            if (m, k) == (row, column)
            else OUTSIDE
            if places[m, k] < 0
            else LIT
            if m == row and k in run
            else SKY
            if m == row
            else PALE
        ),
    )
    for kernel_row in range(1, K):
        matrix.axvline(kernel_row * K * I_C, color=GREY, linewidth=1.4)
    matrix.set(xlabel="k: place of the window", ylabel="m: output pixel")
    matrix.set_title(f"A, {p.pixels} x {p.window}: written nowhere")
    memory = np.arange(I_H * I_W * I_C).reshape(I_H, I_W * I_C)
    there = places[row, run.start : run.stop]
    _cells(
        image,
        memory,
        lambda y, x: (
            ORANGE
            if memory[y, x] == places[row, column]
            else LIT
            if memory[y, x] in there
            else PALE
        ),
    )
    image.vlines([I_C * pixel for pixel in range(I_W + 1)], 0, I_H, color=GREY, linewidth=0.9)
    image.add_patch(
        Rectangle(
            ((v - padding) * I_C, h - padding),
            K * I_C,
            K,
            fill=False,
            edgecolor=BLUE,
            linewidth=2.2,
            clip_on=False,
            zorder=4,
        )
    )
    image.set(
        aspect="equal",
        xlabel="column and channel",
        ylabel="row",
        xlim=(-padding * I_C - 0.1, (I_W + padding) * I_C + 0.1),
        ylim=(I_H + padding + 0.1, -padding - 0.1),
    )
    image.set_title("x in memory; outlined: the window")
    fate = (
        f"place {places[row, column]} of x"
        if places[row, column] >= 0
        else "outside: a zero that lies nowhere"
    )
    pad = f" - {padding}" if padding else ""
    words = (
        f"m = {row} is pixel h = {row} // {p.o_w} = {h}, v = {row} % {p.o_w} = {v}\n"
        f"k = {column} is kernel row {a}, column {b}, channel {c}\n"
        f"x[0, {h} + {a}{pad}, {v} + {b}{pad}, {c}] = x[0, {i}, {j}, {c}]: {fate}"
    )
    fig.supxlabel(words, fontsize=10, x=0.02, ha="left")
    return Picture(
        fig,
        f"Row {row}, column {column} of a matrix of {p.pixels} x {p.window}: "
        f"x[0, {i}, {j}, {c}], {fate}.",
        colours=128,
    )


def _place(p: ConvProblem, m: int, k: int) -> int:
    """Return the place in `x`, or -1 for padding."""
    h, v = divmod(m, p.o_w)
    a, b, c = np.unravel_index(k, (p.k_h, p.k_w, p.i_c))
    i, j = h + a - p.p_h, v + b - p.p_w
    inside = 0 <= i < p.i_h and 0 <= j < p.i_w
    return int((i * p.i_w + j) * p.i_c + c) if inside else -1


def _cells(ax: Axes, numbers: np.ndarray, colour) -> None:
    rows, columns = numbers.shape
    ax.pcolormesh(
        [[to_rgb(colour(m, k)) for k in range(columns)] for m in range(rows)],
        edgecolors="white",
        linewidth=0.8,
    )
    for (m, k), number in np.ndenumerate(numbers):
        ax.text(
            k + 0.5,
            m + 0.5,
            "·" if number < 0 else number,
            ha="center",
            va="center",
            fontsize=8.5,
            color=ink(colour(m, k)),
        )
    ax.set(xlim=(-0.1, columns + 0.1), ylim=(rows + 0.1, -0.1))
    ax.set_xticks([])
    ax.set_yticks([])
    ax.spines[:].set_visible(False)
