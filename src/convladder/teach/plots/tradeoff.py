"""What is paid for what: curves of choices, one figure across and another up."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from matplotlib.ticker import LogLocator, NullLocator

from .labels import label_points
from .style import BLUE, GREEN, GREY, ORANGE, PINK, Picture, figure

MARKS = ((BLUE, "o"), (ORANGE, "s"), (GREEN, "^"), (PINK, "D"), (GREY, "v"))


def tradeoff_picture(
    curves: Mapping[str, Sequence[tuple[float, float, str]]], xlabel: str, ylabel: str, title: str,
    alt: str, log: bool = False, zero: bool = False,
) -> Picture:  # fmt: skip
    """Draw a line of `(x, y, label)` for each name.

    `log` is of the x axis; `zero`: y begins at 0.
    """
    fig, ax = figure(7.6, 3.9)
    for (name, points), (colour, mark) in zip(curves.items(), MARKS, strict=False):
        across, up, _ = zip(*points, strict=True)
        ax.plot(across, up, marker=mark, color=colour, label=name, markersize=6, clip_on=False)
    every = [point for points in curves.values() for point in points]
    low, high = min(x for x, *_ in every), max(x for x, *_ in every)
    if log:
        ax.set(xscale="log", xlim=(low / 1.15, high * 1.5))
        ax.xaxis.set_major_locator(LogLocator(subs=(1, 2, 5)))
        ax.xaxis.set_major_formatter(lambda value, _: f"{value:g}")
        ax.xaxis.set_minor_locator(NullLocator())
    else:
        ax.set_xlim(low - 0.04 * (high - low), high + 0.16 * (high - low))
    if zero:
        ax.set_ylim(0, 1.08 * max(y for _, y, _ in every))
    ax.set(xlabel=xlabel, ylabel=ylabel, title=title)
    ax.grid(True)
    if len(curves) > 1:
        ax.legend()
    label_points(ax, [point for point in every if point[2]], fontsize=8)
    return Picture(fig, alt)
