"""The ladder as a picture: how long each rung takes and how much memory it needs."""

from __future__ import annotations

from collections.abc import Sequence
from math import floor, log10
from typing import Any

from matplotlib.ticker import LogLocator, MaxNLocator, NullLocator

from ...measure import RESOLUTION
from ...measure.memory import workspace_text
from ...text import rate_text, seconds_text
from ..table import MARK
from .style import BLUE, GREY, ORANGE, Picture, figure

DISTURBED = f" {MARK}"  # as a figure says it


def ladder_picture(results: Sequence[Any]) -> Picture:
    """Draw time and workspace of each of `results` (from `bench.climb`), one row a rung.

    Raises ValueError where there are no results.
    """
    if not results:
        raise ValueError("results is empty: climb a ladder that has at least one rung")
    problem, threads = results[0].problem, results[0].threads
    rows = range(len(results))
    fig, (time, memory) = figure(
        8.4, 1.35 + 0.42 * len(results), ncols=2, sharey=True, width_ratios=(3, 1)
    )
    medians = [result.timing.median for result in results]
    low = 10 ** floor(log10(min(result.timing.low for result in results) / 1.5))
    time.barh(rows, [m - low for m in medians], left=low, height=0.62, color=BLUE)
    for row, result in zip(rows, results):
        timing = result.timing
        time.plot([timing.low, timing.high], [row, row], color="black", linewidth=1.2)
        time.annotate(
            _once(
                f"{seconds_text(timing.median)}  ·  {rate_text(result.flops_per_s)}  ·  "
                f"{result.share_text} of the limit"
            ),
            (max(timing.median, timing.high), row),
            (6, 0),
            textcoords="offset points",
            va="center",
            fontsize=8.5,
        )
    high = max(result.timing.high for result in results)
    # the labels stand right of the bars: keep as much room for them as the longest bar takes
    time.set(
        xscale="log",
        xlim=(low, high * (high / low) ** 1.1),
        xlabel="time of one convolution (log scale; line: middle half of the runs)",
    )
    ticks = [t for t in LogLocator(subs=(1.0,)).tick_values(low, high) if low <= t <= high]
    ticks = ticks[:: 1 + len(ticks) // 4]  # their words stand apart
    time.set_xticks(ticks, [_tick(t) for t in ticks])
    time.xaxis.set_minor_locator(NullLocator())
    time.spines.bottom.set_bounds(low, high)
    time.set_yticks(rows, [result.name for result in results], color="black")
    time.invert_yaxis()
    time.tick_params(axis="y", length=0)
    time.set_title(f"{problem}  ({threads} thread{'s' * (threads > 1)})")

    mib = [result.workspace / 2**20 for result in results]
    memory.barh(rows, mib, height=0.62, color=ORANGE)
    for row, result in zip(rows, results):
        memory.annotate(
            workspace_text(result.workspace),
            (result.workspace / 2**20, row),
            (5, 0),
            textcoords="offset points",
            va="center",
            fontsize=8.5,
            color="black" if result.workspace > RESOLUTION else GREY,
        )
    memory.set(xlim=(0, max(max(mib), 0.01) * 1.75), xlabel="workspace, MiB", title="Memory")
    memory.xaxis.set_major_locator(MaxNLocator(3))
    memory.tick_params(axis="y", length=0)
    names = ", ".join(result.name for result in results)
    return Picture(fig, f"Time and workspace of {len(results)} methods for {problem}: {names}.")


def _once(words: str) -> str:
    """Return what stands beside a bar: that it was disturbed is said at its end, for all of it."""
    plain = words.replace(DISTURBED, "")
    return plain if plain == words else plain + DISTURBED


def _tick(seconds: float) -> str:
    return seconds_text(seconds).replace(".00", "").replace(".0", "")
