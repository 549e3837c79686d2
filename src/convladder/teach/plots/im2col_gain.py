"""What im2col gains over loops, as measured and as a formula has it, and where its time goes."""

from __future__ import annotations

from collections.abc import Callable, Mapping

import numpy as np
from matplotlib.axes import Axes
from matplotlib.ticker import FuncFormatter, NullLocator

from ...measure import Comparison
from ...problem import ConvProblem
from .style import BLUE, GREY, ORANGE, SKY, Picture, figure

Sweep = Mapping[str, Mapping[int, tuple[ConvProblem, Comparison]]]
NICE = (0.1, 0.2, 0.5, 1, 2, 5, 10, 20, 50, 100, 200, 500, 1000)


def channel_gain_picture(sweep: Sweep, **formulas: Callable[[ConvProblem], float]) -> Picture:
    """Draw, for each axis of `sweep`, the gain above, the shares of copying and multiplying below.

    sweep: axis -> value -> (problem, comparison of "loops", "im2col", "copy" and "multiply").
    formulas: gain that is forecast for a problem, by the name to write beside the curve.
    Raises ValueError for an empty sweep.
    """
    if not sweep:
        raise ValueError("sweep is empty: measure along at least one axis")
    fig, axes = figure(
        1.2 + 2.1 * len(sweep),
        4.9,
        nrows=2,
        ncols=len(sweep),
        sharey="row",
        squeeze=False,
        height_ratios=(3, 2),
    )
    shown = []
    for (axis, points), (above, below) in zip(sweep.items(), axes.T, strict=True):
        places, problems = range(len(points)), [problem for problem, _ in points.values()]
        for (name, formula), line in zip(formulas.items(), ("--", "-"), strict=False):
            curve = [formula(problem) for problem in problems]
            above.plot(places, curve, line, color=ORANGE, linewidth=1.5, label=name)
            shown += curve
        for place, (_, measured) in zip(places, points.values(), strict=True):
            gain = measured.ratio("loops", "im2col")
            above.plot([place] * 2, measured.spread("loops", "im2col"), color=BLUE, linewidth=1.5)
            above.plot(place, gain, "o", color=BLUE, label="measured" if place == 0 else None)
            shown.append(gain)
        above.axhline(1, color=GREY, linewidth=0.9, linestyle=":")
        above.set_title(axis)
        copying = _bars(below, [measured for _, measured in points.values()])
        below.set_xticks(places, [str(value) for value in points])
        above.set_xticks(places, [])
        above.set_xlim(-0.6, len(points) - 0.4)
        below.set_xlim(-0.6, len(points) - 0.4)
        above.grid(True, axis="y")
    first, ticks = axes[0, 0], [t for t in NICE if min(shown) / 3 <= t <= max(shown) * 3]
    first.set(
        yscale="log",
        ylabel="gain over compiled loops\n(log scale)",
        ylim=(min(0.8, min(shown) / 1.3), max(shown) * 1.5),
    )
    first.set_yticks(ticks)
    first.yaxis.set_major_formatter(FuncFormatter(lambda value, _: f"{value:g}×"))
    first.yaxis.set_minor_locator(NullLocator())
    axes[0, -1].legend(loc="lower right", fontsize=8)
    for name, height in (("copying", copying / 2), ("multiplying", (100 + copying) / 2)):
        axes[1, -1].annotate(
            name, (len(points) - 0.4, height), va="center", fontsize=8.5, annotation_clip=False
        )
    axes[1, 0].set(ylabel="share of im2col's\nwork, %", ylim=(0, 100))
    return Picture(
        fig,
        "Gain of im2col over compiled loops, and the shares of copying and "
        f"multiplying in its time, by {', '.join(sweep)}.",
    )


def _bars(ax: Axes, comparisons: list[Comparison]) -> float:
    """Draw the shares in per cent; return that of copying in the last bar."""
    medians = [[c.timings[part].median for part in ("copy", "multiply")] for c in comparisons]
    copying, multiplying = 100 * (np.array(medians) / np.sum(medians, axis=1)[:, None]).T
    ax.bar(range(len(medians)), copying, color=ORANGE, width=0.7)
    ax.bar(range(len(medians)), multiplying, bottom=copying, color=SKY, width=0.7)
    return copying[-1]
