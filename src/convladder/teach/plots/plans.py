"""Plans of copies and kernels on a model of a GPU, by their time."""

from __future__ import annotations

from collections.abc import Mapping

from .style import BLUE, GREY, ORANGE, Picture, figure


def plans_picture(times: Mapping[str, float], floor: float, yours: str, title: str) -> Picture:
    """A bar for each plan, in µs, the quickest on top; `yours` apart; a line at `floor`."""
    order = sorted(times, key=times.__getitem__)
    fig, ax = figure(7.8, 1.1 + 0.34 * len(order))
    for row, name in enumerate(order):
        ax.barh(row, times[name], height=0.66, color=ORANGE if name == yours else BLUE)
        ax.annotate(f"{times[name]:.1f} µs", (times[name], row), (5, 0), va="center",
                    textcoords="offset points", fontsize=8.5)
    ax.axvline(floor, color=GREY, linestyle="--", linewidth=1.2)
    ax.annotate(f"the wire, {floor:.0f} µs", (floor, -0.5), (-4, 3), ha="right", va="bottom",
                textcoords="offset points", fontsize=8.5, color=GREY)
    ax.set_yticks(range(len(order)), order, color="black")
    ax.tick_params(axis="y", length=0)
    ax.set(xlim=(0, 1.12 * max(times.values())), ylim=(len(order) - 0.5, -0.9), xlabel="µs",
           title=title)
    return Picture(fig, f"{title}: a bar for each of {', '.join(sorted(times))}, and a line at the "
                        "time that the copies alone take.")
