"""The forecasts of a ladder on a machine that is not there: other rates, the same counts."""

from __future__ import annotations

from collections.abc import Mapping

from ...lenet.forecast import Forecast
from ...text import seconds_text
from .style import BLUE, GREEN, GREY, ORANGE, PALE, SKY, Picture, figure

PARTS = {"wire": SKY, "kernels": ORANGE, "calls": BLUE, "labels": GREEN}


def what_if_picture(
    before: Mapping[str, Forecast], after: Mapping[str, Forecast], title: str
) -> Picture:
    """Draw each rung's parts with other rates, below one another where they run beside one
    another, and a tick where its total stood.

    before, after: forecasts by the rung's name, the same names in both.
    """
    fig, ax = figure(8.6, 0.75 + 0.42 * len(after))
    longest = max(told.total for told in (*before.values(), *after.values()))
    for row, (name, told) in enumerate(after.items()):
        ax.barh(row, told.total * 1e3, height=0.8, color=PALE)
        seconds = (told.up + told.down, told.kernels, told.launches + told.copies, told.labels)
        height = 0.8 / len(PARTS)
        for number, (colour, taken) in enumerate(zip(PARTS.values(), seconds, strict=True)):
            ax.barh(row + (number - 1.5) * height, taken * 1e3, height=height, color=colour)
        ax.plot([before[name].total * 1e3] * 2, [row - 0.4, row + 0.4], color="black")
        gain = before[name].total / told.total
        ax.text(
            max(told.total, before[name].total) * 1e3 + 12 * longest,
            row,
            f"{seconds_text(told.total)}, {gain:.2f} times as fast",
            va="center",
            fontsize=8,
        )
    ax.set_yticks(range(len(after)), after, color="black")
    ax.tick_params(axis="y", length=0)
    ax.spines.bottom.set_color(GREY)
    ax.set(xlim=(0, 1300 * longest), ylim=(len(after) - 0.4, -0.6), xlabel="ms")
    for name, colour in PARTS.items():
        ax.bar(0, 0, color=colour, label=name)
    ax.legend(loc="lower right")
    ax.set_title(title)
    return Picture(
        fig,
        f"{title}: forecasts of {len(after)} rungs by wire, kernels, calls and "
        f"labels, beside where they stood.",
    )
