"""Chapter 15's pictures of convolutions: windows with gaps, groups, and the way back."""

from __future__ import annotations

import numpy as np
from matplotlib.axes import Axes
from matplotlib.colors import to_rgb

from ...problem import ConvProblem
from .ink import ink
from .style import ORANGE, PALE, SKY, Picture, figure

SIDE, K = 6, 3  # of the image on the way back, and of its kernel


def kinds_picture() -> Picture:
    """Draw a window without and with gaps, and which channels meet in one, two and four groups."""
    fig, (above, below) = figure(8.0, 5.2, nrows=2, ncols=3, width_ratios=(1, 1, 2))
    above[2].set_axis_off()
    for ax, d in zip(above[:2], (1, 2), strict=True):
        taps = {(1 + d * a, 1 + d * b) for a, b in np.ndindex(K, K)}
        _cells(ax, 7, 7, lambda at, taps=taps: (ORANGE if at in taps else PALE, ""))
        ax.set_title(
            f"dilation {d}:\n9 taps reach over {d * (K - 1) + 1} × {d * (K - 1) + 1}", fontsize=10
        )
    for ax, (groups, k_c, name) in zip(
        below,
        ((1, 4, "groups 1"), (2, 4, "groups 2"), (4, 8, "depthwise, multiplier 2")),
        strict=True,
    ):
        p = ConvProblem(1, 5, 5, 4, K, K, k_c, groups=groups)
        _cells(
            ax,
            4,
            k_c,
            lambda at, p=p: (SKY if at[0] // p.group_i_c == at[1] // p.group_k_c else PALE, ""),
        )
        ax.set_title(f"{name}:\n{p.params // K**2} pairs, {p.params} weights", fontsize=10)
        ax.set(xlabel="channel out", ylabel="channel in")
    return Picture(
        fig,
        "Two windows, without gaps and with dilation 2; pairs of channels that "
        "meet in one group, in two, and depthwise with two filters a channel.",
        colours=64,
    )


def way_back_picture(row: int = 2, column: int = 3, stride: int = 1) -> Picture:
    """Draw what one pixel's gradient and one weight's are made of, for a 6 × 6 image and 3 × 3.

    The pixel is `(row, column)`; the weight the one in the kernel's upper right corner.
    """
    p = ConvProblem(1, SIDE, SIDE, 1, K, K, 1, stride)
    fig, (image, back, weight) = figure(8.2, 3.1, ncols=3, width_ratios=(SIDE, p.o_h + 0.8, SIDE))
    h, v = min(row // stride, p.o_h - 1), min(column // stride, p.o_w - 1)
    window = {(h * stride + a, v * stride + b) for a, b in np.ndindex(K, K)}
    _cells(
        image,
        SIDE,
        SIDE,
        lambda at: (
            SKY if at in window else PALE,
            _tap(at[0] - h * stride, at[1] - v * stride) if at in window else "",
        ),
    )
    image.set_title(f"forward: y[{h}, {v}] reads 9 pixels,\neach by its tap", fontsize=9.5)

    def seen(at):
        a, b = row - stride * at[0], column - stride * at[1]
        inside = 0 <= a < K and 0 <= b < K
        return (ORANGE if inside else PALE, _tap(a, b) if inside else "")

    _cells(back, p.o_h, p.o_w, seen)
    count = sum(bool(seen(at)[1]) for at in np.ndindex(p.o_h, p.o_w))
    back.set_title(
        f"dx[{row}, {column}]: {count} places of dy,\nthe taps turned around", fontsize=9.5
    )
    meets = {(stride * at[0], stride * at[1] + K - 1): at for at in np.ndindex(p.o_h, p.o_w)}
    _cells(
        weight,
        SIDE,
        SIDE,
        lambda at: (SKY, f"dy\n{meets[at][0]},{meets[at][1]}") if at in meets else (PALE, ""),
    )
    weight.set_title(f"dw[0, {K - 1}]: {len(meets)} pixels,\neach by its place of dy", fontsize=9.5)
    return Picture(
        fig,
        f"With stride {stride}, the gradient of pixel ({row}, {column}) is made of "
        f"{count} places of dy, that of a weight of {len(meets)} pixels.",
        colours=64,
    )


def _tap(a: int, b: int) -> str:
    return f"w\n{a},{b}"


def _cells(ax: Axes, rows: int, columns: int, cell) -> None:
    """Fill a grid with `cell((row, column)) -> (colour, words)`."""
    found = [[cell((row, column)) for column in range(columns)] for row in range(rows)]
    ax.pcolormesh(
        [[to_rgb(colour) for colour, _ in line] for line in found],
        edgecolors="white",
        linewidth=1.2,
    )
    for row, column in np.ndindex(rows, columns):
        ax.text(
            column + 0.5,
            row + 0.5,
            found[row][column][1],
            ha="center",
            va="center",
            fontsize=7.5,
            linespacing=0.95,
            color=ink(found[row][column][0]),
        )
    ax.set(aspect="equal", xlim=(-0.05, columns + 0.05), ylim=(rows + 0.05, -0.05))
    ax.set_xticks([])
    ax.set_yticks([])
    ax.spines[:].set_visible(False)
