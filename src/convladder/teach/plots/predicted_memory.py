"""Every byte accounted for: stacked bars of what a method holds, predicted beside measured."""

from __future__ import annotations

from collections.abc import Mapping

from ...text import bytes_text
from .style import BLUE, GREEN, GREY, ORANGE, PINK, SKY, YELLOW, Picture, figure

# In the order of the bars; what is not an array of the method itself is hatched.
SEGMENTS = {
    "input": GREY,
    "weights": "#222222",
    "output": GREEN,
    "lowered matrix": BLUE,
    "result to reorder": SKY,
    "workspace": ORANGE,
    "pool growth": YELLOW,
    "library, once": PINK,
}
HATCHED = ("pool growth", "library, once")
MIB = 2**20


def memory_picture(bars: Mapping[str, Mapping[str, Mapping[str, int]]], title: str) -> Picture:
    """Draw a group of bars a method: `bars[method][bar][segment]` in bytes.

    Bars are written with their names, such as "predicted" and "measured". Segments are those of
    `SEGMENTS`. Raises ValueError for another.
    """
    used = {segment for group in bars.values() for bar in group.values() for segment in bar}
    if unknown := used - set(SEGMENTS):
        raise ValueError(f"{sorted(unknown)}: no such segment; choose from {list(SEGMENTS)}")
    lines = sum(len(group) for group in bars.values())
    fig, ax = figure(8.6, 1.5 + 0.27 * lines + 0.14 * len(bars))
    longest = max(sum(bar.values()) for group in bars.values() for bar in group.values()) / MIB
    y, ticks = 0.0, []
    for group in bars.values():
        for name, bar in group.items():
            left = 0.0
            for segment, colour in SEGMENTS.items():
                size = bar.get(segment, 0) / MIB
                ax.barh(
                    y,
                    size,
                    left=left,
                    height=0.8,
                    color=colour,
                    linewidth=0.6,
                    edgecolor="white",
                    hatch="////" if segment in HATCHED else None,
                )
                left += size
            ax.annotate(
                f"{bytes_text(sum(bar.values()))}, {name}",
                (left, y),
                (5, 0),
                textcoords="offset points",
                va="center",
                fontsize=8.5,
            )
            y += 1
        ticks.append(y - (len(group) + 1) / 2)
        y += 0.55
    ax.set_yticks(ticks, list(bars), color="black")
    ax.tick_params(axis="y", length=0)
    ax.set(xlim=(0, 1.3 * longest), ylim=(y - 0.9, -0.7), xlabel="device memory, MiB")
    ax.set_title(title)
    handles = [
        ax.barh(
            0,
            0,
            color=colour,
            hatch="////" if segment in HATCHED else None,
            edgecolor="white",
            label=segment,
        )
        for segment, colour in SEGMENTS.items()
        if segment in used
    ]
    fig.legend(handles=handles, loc="outside lower center", ncols=4, fontsize=8.5)
    return Picture(
        fig,
        f"Stacked bars of device memory for {', '.join(bars)}: "
        f"{', '.join(s for s in SEGMENTS if s in used)}.",
    )
