"""Copies between host and GPU: bytes a second by size, from pageable and from pinned memory."""

from __future__ import annotations

from collections.abc import Mapping

from matplotlib.ticker import FixedLocator, FuncFormatter, NullLocator

from ...text import bytes_text
from .labels import label_points
from .style import BLUE, ORANGE, Picture, figure

LINES = {
    "upload, pinned": (BLUE, "-"),
    "download, pinned": (BLUE, ":"),
    "upload, pageable": (ORANGE, "-"),
    "download, pageable": (ORANGE, ":"),
}


def copies_picture(run: Mapping, title: str) -> Picture:
    """Draw the copies of one of `mistake_runs()`, each waited for."""
    sizes = run["copies"]["bytes"]
    fig, ax = figure(7.8, 3.8)
    ends = []
    for name, (colour, style) in LINES.items():
        rates = [
            size / seconds / 1e9 for size, seconds in zip(sizes, run["copies"][name], strict=True)
        ]
        ax.plot(sizes, rates, style, color=colour, marker="o", markersize=3.5)
        ends.append((sizes[-1], rates[-1], name))
    ax.set(
        xscale="log",
        xlim=(sizes[0] / 1.5, sizes[-1] * 40),
        ylim=(0, None),
        xlabel="bytes of the copy (log scale)",
        ylabel="GB/s",
        title=title,
    )
    ax.xaxis.set_major_locator(FixedLocator(sizes[::2]))
    ax.xaxis.set_major_formatter(FuncFormatter(lambda value, _: bytes_text(int(value))))
    ax.xaxis.set_minor_locator(NullLocator())
    ax.grid(True)
    label_points(ax, ends, fontsize=8.5)
    return Picture(
        fig,
        f"{title}: rates of copies to the GPU and back by size, from page-locked "
        "and from pageable memory.",
    )
