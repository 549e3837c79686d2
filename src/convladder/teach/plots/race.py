"""Functions that do the same work, timed against one another."""

from __future__ import annotations

from ...measure import Comparison
from ...text import mark_disturbed, seconds_text
from .style import BLUE, Picture, figure


def race_picture(comparison: Comparison, against: str) -> Picture:
    """Draw the median time of each contestant, the quickest on top; `against`, in grey, sets the
    mark.

    Raises ValueError if `against` is not among them.
    """
    timings = comparison.timings
    if against not in timings:
        raise ValueError(f"{against!r} did not take part; there are {', '.join(timings)}")
    order = sorted(timings, key=lambda name: timings[name].median)
    fig, ax = figure(7.4, 1.0 + 0.42 * len(order))
    for row, name in enumerate(order):
        timing = timings[name]
        ax.barh(row, timing.median, height=0.62, color="#999999" if name == against else BLUE)
        ax.plot([timing.low, timing.high], [row, row], color="black", linewidth=1.2)
        text = seconds_text(timing.median)
        if name != against:
            ratio = comparison.ratio(name, against)
            text += f"  ·  {ratio:.2f} times {against}"
        ax.annotate(
            mark_disturbed(text, timing.disturbed),
            (max(timing.median, timing.high), row),
            (6, 0),
            va="center",
            textcoords="offset points",
            fontsize=8.5,
        )
    slowest = max(timing.high for timing in timings.values())
    ax.set(xlim=(0, slowest * 1.5), xticks=[])
    ax.set_xlabel("median time of one call (line: middle half of the runs)")
    ax.set_yticks(range(len(order)), order, color="black")
    ax.tick_params(axis="y", length=0)
    ax.spines.bottom.set_visible(False)
    ax.set_ylim(len(order) - 0.4, -0.6)  # one alone is a bar, too, not a block
    names = ", ".join(sorted(timings))
    return Picture(fig, f"Times of functions that do the same work: {names}.")
