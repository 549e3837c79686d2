"""What holds the bytes: stacked bars, a row for each network or process."""

from __future__ import annotations

from collections.abc import Mapping

from ...text import bytes_text
from .ink import ink
from .style import BLUE, GREEN, GREY, ORANGE, PINK, YELLOW, Picture, figure

COLOURS = (BLUE, ORANGE, YELLOW, GREEN, PINK, GREY)


def held_picture(rows: Mapping[str, Mapping[str, int]], title: str, alt: str) -> Picture:
    """Draw `{row: {kind: bytes}}` as bars of one length unit; all rows have the same kinds."""
    fig, ax = figure(7.6, 1.3 + 0.5 * len(rows))
    most = max(sum(row.values()) for row in rows.values())
    kinds = list(next(iter(rows.values())))
    for kind, colour in zip(kinds, COLOURS):
        left = [sum(row[each] for each in kinds[: kinds.index(kind)]) for row in rows.values()]
        widths = [row[kind] for row in rows.values()]
        ax.barh(range(len(rows)), widths, left=left, height=0.62, color=colour, label=kind)
        for row, (begin, wide) in enumerate(zip(left, widths)):
            if wide > most / 9:
                ax.text(
                    begin + wide / 2,
                    row,
                    bytes_text(wide),
                    ha="center",
                    va="center",
                    fontsize=8,
                    color=ink(colour),
                )
    for row, held in enumerate(rows.values()):
        ax.annotate(
            bytes_text(sum(held.values())),
            (sum(held.values()), row),
            (5, 0),
            textcoords="offset points",
            va="center",
            fontsize=8.5,
        )
    ax.set_yticks(range(len(rows)), list(rows))
    ax.set(ylim=(len(rows) - 0.5, -0.5), xlim=(0, 1.18 * most), title=title)
    ax.xaxis.set_visible(False)
    ax.spines["bottom"].set_visible(False)
    fig.legend(loc="outside lower center", ncols=len(kinds))
    return Picture(fig, alt)
