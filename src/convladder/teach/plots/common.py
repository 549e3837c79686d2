"""Pictures that several chapters draw: ladders, leaderboards, races, rooflines, predictions."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from math import floor, log10
from typing import Any

import numpy as np
from matplotlib import colormaps
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.ticker import LogLocator, MaxNLocator

from ...core.text import Sentence, bytes_text, count_text, mark_disturbed, rate_text, seconds_text
from ...journal import course_root, events
from ...journal.learner_progress import learner_progress
from ...measure import RESOLUTION, Comparison
from ...measure.memory import workspace_text
from .axes import (
    SERIES,
    behind,
    beside,
    label_points,
    name_rows,
    power_text,
    rivals,
    seconds_axis,
    short_rate,
    ticks_in_words,
)
from .style import BLUE, GREY, ORANGE, PALE, Picture, figure


def ladder_picture(results: Sequence[Any]) -> Picture:
    """Draw time and workspace of each of `results` (from `bench.climb`), one row per rung.

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
        words = f"{seconds_text(timing.median)}  ·  {rate_text(result.flops_per_s)}  ·  "
        words = mark_disturbed(words + f"{result.share_text} of the limit", result.disturbed)
        behind(time, words, max(timing.median, timing.high), row)
    high = max(result.timing.high for result in results)
    # the labels stand right of the bars: keep as much room for them as the longest bar takes
    time.set(xscale="log", xlim=(low, high * (high / low) ** 1.1))
    time.set_xlabel("time of one convolution (log scale; line: middle half of the runs)")
    seconds_axis(time.xaxis, low, high, most=4)
    time.spines.bottom.set_bounds(low, high)
    name_rows(time, [result.name for result in results])
    time.set_title(f"{problem}  ({count_text(threads, 'thread')})")

    mib = [result.workspace / 2**20 for result in results]
    memory.barh(rows, mib, height=0.62, color=ORANGE)
    for row, result in zip(rows, results):
        colour = "black" if result.workspace > RESOLUTION else GREY
        behind(memory, workspace_text(result.workspace), mib[row], row, color=colour)
    memory.set(xlim=(0, max(max(mib), 0.01) * 1.75), xlabel="workspace, MiB", title="Memory")
    memory.xaxis.set_major_locator(MaxNLocator(3))
    memory.tick_params(axis="y", length=0)
    names = ", ".join(result.name for result in results)
    return Picture(fig, f"Time and workspace of {len(results)} methods for {problem}: {names}.")


def leaderboard_picture(entries: Sequence[tuple[str, float, int]], yours: str) -> Picture:
    """Draw methods by time and workspace: (name, seconds, bytes). `yours` is drawn apart."""
    points = {
        name: (time * 1e3, size / 2**20, f"{seconds_text(time)}, {bytes_text(size)}")
        for name, time, size in entries
    }
    labels = ("time, ms", "workspace, MiB", "Down is less memory, left is less time")
    fig = rivals_figure(points, yours, *labels)
    return Picture(fig, f"Time across and workspace up, a point for each of {', '.join(points)}.")


def rivals_figure(
    points: Mapping[str, tuple[float, float, str]], yours: str, xlabel: str, ylabel: str, title: str
) -> Figure:
    """Return a figure with a mark for each name's (x, y, words), both axes from 0 on."""
    fig, ax = figure(7.4, 4.0)
    labels = rivals(ax, points, yours)
    ax.set(xlim=(0, 1.35 * max(x for x, *_ in labels)), xlabel=xlabel, title=title)
    ax.set(ylim=(0, 1.12 * max(y for _, y, _ in labels)), ylabel=ylabel)
    ax.grid(True)
    label_points(ax, labels, fontsize=8.5)
    return fig


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
        text = mark_disturbed(text, timing.disturbed)
        behind(ax, text, max(timing.median, timing.high), row)
    slowest = max(timing.high for timing in timings.values())
    ax.set(xlim=(0, slowest * 1.5), xticks=[])
    ax.set_xlabel("median time of one call (line: middle half of the runs)")
    name_rows(ax, order, inverted=False)
    ax.spines.bottom.set_visible(False)
    ax.set_ylim(len(order) - 0.4, -0.6)  # one alone is a bar, too, not a block
    names = ", ".join(sorted(timings))
    return Picture(fig, f"Times of functions that do the same work: {names}.")


def tradeoff_picture(
    curves: Mapping[str, Sequence[tuple[float, float, str]]], xlabel: str, ylabel: str, title: str,
    alt: str, log: bool = False, zero: bool = False,
) -> Picture:  # fmt: skip
    """Draw a line of `(x, y, label)` for each name.

    `log` is of the x axis; `zero`: y begins at 0.
    """
    fig, ax = figure(7.6, 3.9)
    for (name, points), (colour, mark) in zip(curves.items(), SERIES):
        across, up, _ = zip(*points, strict=True)
        ax.plot(across, up, marker=mark, color=colour, label=name, markersize=6, clip_on=False)
    every = [point for points in curves.values() for point in points]
    low, high = min(x for x, *_ in every), max(x for x, *_ in every)
    if log:
        ax.set(xscale="log", xlim=(low / 1.15, high * 1.5))
        ax.xaxis.set_major_locator(LogLocator(subs=(1, 2, 5)))
        ticks_in_words(ax.xaxis)
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


def roofline_picture(
    roofline: Any,
    points: Sequence[tuple[str, float, float | None]] = (),
    of: str | None = None,
    traffic: str = "compulsory traffic",
) -> Picture:
    """Draw the roof (from `measure.roofline`) with `points` under it.

    of: the processor that it is of, if not this machine's. traffic: which bytes count.

    points: (label, intensity in FLOP/byte, FLOP/s reached). None for the last puts the point
    on the roof itself, hollow: the most that could be reached there.
    Raises ValueError for an intensity or a rate that is not positive: a log scale has no place.
    """
    for label, intensity, reached in points:
        if intensity <= 0 or reached is not None and reached <= 0:
            raise ValueError(f"point {label!r} is ({intensity}, {reached}): both must be above 0")
    fig, ax = figure(7.4, 4.6)
    intensities = [intensity for _, intensity, _ in points]
    left = min([roofline.ridge / 30, *(i / 2 for i in intensities)])
    right = max([roofline.ridge * 30, *(i * 6 for i in intensities)])
    x = np.array([left, roofline.ridge, right])
    ax.loglog(x, [roofline.attainable(i) for i in x], color="black", linewidth=2.2)

    placed = []
    for label, intensity, reached in points:
        roof = roofline.attainable(intensity)
        y = roof if reached is None else reached
        ax.plot([intensity, intensity], [y, roof], color=GREY, linewidth=0.9, linestyle=":")
        fill = {"markerfacecolor": "white" if reached is None else ORANGE, "markeredgewidth": 1.5}
        ax.plot(intensity, y, "o", color=ORANGE, clip_on=False, zorder=3, **fill)
        placed.append((intensity, y, label))
    bottom = min([roofline.attainable(left), *(y / 2 for _, y, _ in placed)])
    ax.set(xlim=(left, right), ylim=(bottom, roofline.flops_per_s * 2.6))
    ax.set_xlabel(f"arithmetic intensity, FLOP per byte of {traffic} (log scale)")
    ax.set_ylabel("rate, FLOP/s (log scale)")
    for axis, tick in ((ax.xaxis, "{:g}".format), (ax.yaxis, short_rate)):
        axis.set_major_locator(LogLocator(subs=(1.0,), numticks=12))
        ticks_in_words(axis, tick)
    ax.grid(True)

    middle = np.sqrt(left * roofline.ridge)
    if any(i < middle and y > roofline.attainable(i) / 2 for i, y, _ in placed):
        middle = left**0.3 * roofline.ridge**0.7  # a point stands where the slope's name would
    _name_roof(ax, roofline, of, middle)
    label_points(ax, placed, radius=4, fontsize=8.5)  # layers of one network crowd
    names = ", ".join(label for label, _, _ in points)
    marked = f" with {len(points)} points: {names}" if points else ""
    return Picture(fig, f"The roofline of {of or 'this machine'}{marked}.")


def _name_roof(ax: Axes, roofline: Any, of: str | None, middle: float) -> None:
    """Write the peak above the level, the bandwidth along the slope at `middle`, and the ridge."""
    bottom, right = ax.get_ylim()[0], ax.get_xlim()[1]
    whose = of or count_text(roofline.threads, "thread")
    peak = f"multiply-add peak {rate_text(roofline.flops_per_s)}, {whose}"
    beside(ax, peak, (right, roofline.flops_per_s), (0, 6), ha="right", color=BLUE)
    ax.figure.draw_without_rendering()  # the slope on the page is known once the layout is
    (x0, y0), (x1, y1) = ax.transData.transform(
        [(i, roofline.attainable(i)) for i in (ax.get_xlim()[0], roofline.ridge)]
    )
    slope = {"rotation": np.degrees(np.arctan2(y1 - y0, x1 - x0)), "rotation_mode": "anchor"}
    style = {"ha": "center", "va": "bottom", "color": BLUE, **slope}
    copies = f"copy bandwidth {rate_text(roofline.bytes_per_s, 'B')}"
    beside(ax, copies, (middle, roofline.attainable(middle)), (-4, 8), **style)
    ridge, style = roofline.ridge, {"linewidth": 0.9, "linestyle": "--", "zorder": 1}
    ax.plot([ridge] * 2, [bottom, roofline.flops_per_s], color=BLUE, **style)
    style = {"color": BLUE, "rotation": 90, "va": "bottom"}
    beside(ax, f"ridge {ridge:.1f} FLOP/byte", (ridge, bottom), (4, 4), **style)


SHADES = 32  # as many as an eye tells apart here; the picture's file shrinks by nearly half


def maps_picture(photo: np.ndarray, maps: Mapping[str, np.ndarray]) -> Picture:
    """Draw `photo[i_h,i_w,3 or 1]` within [0, 1], and beside it each of `maps[o_h,o_w]` by its
    name.

    Maps with negative values are shown with zero in white, orange below and violet above; others
    from black, for zero, to white, for their largest value.
    """
    fig, axes = figure(1.75 * (1 + len(maps)), 2.3, ncols=1 + len(maps))
    grey = {"cmap": colormaps["gray"].resampled(SHADES), "vmin": 0}
    signs = colormaps["PuOr"].resampled(SHADES + 1)  # an odd number: zero has a shade of its own
    axes[0].imshow(photo, vmax=1, **grey)
    axes[0].set_title(f"photo\n{photo.shape[0]} × {photo.shape[1]}", fontsize=9)
    for ax, (name, values) in zip(axes[1:], maps.items(), strict=True):
        span = float(np.abs(values).max()) or 1.0
        signed = values.min() < 0
        ax.imshow(values, **({"cmap": signs, "vmin": -span} if signed else grey), vmax=span)
        ax.set_title(f"{name}\n{values.shape[0]} × {values.shape[1]}", fontsize=9)
    for ax in axes:
        ax.axis("off")
    return Picture(
        fig,
        f"A photograph and {count_text(len(maps), 'filtered image')} of it: {', '.join(maps)}.",
    )


NEAR = 2.0  # the band within which a prediction is off by less than this factor


def predictions_picture(pairs: Sequence[tuple[float, float]]) -> Picture:
    """Draw each (predicted, measured) of positive numbers: what lies on the line was right.

    Raises ValueError where there is no pair.
    """
    if not pairs:
        raise ValueError("there is no pair to draw: give at least one (predicted, measured)")
    guess, truth = np.array(pairs, float).T
    fig, ax = figure(5.2, 4.6)
    low, high = min(guess.min(), truth.min()) / 3, max(guess.max(), truth.max()) * 3
    ends = np.array([low, high])
    ax.fill_between(ends, ends / NEAR, ends * NEAR, color=PALE, zorder=0, linewidth=0)
    ax.plot(ends, ends, color=GREY, linewidth=1)
    ax.scatter(truth, guess, color=BLUE, s=28, alpha=0.8, linewidths=0)
    ax.set(
        xscale="log", yscale="log", xlim=ends, ylim=ends, xlabel="measured", ylabel="you predicted"
    )
    for axis in (ax.xaxis, ax.yaxis):
        axis.set_major_formatter(power_text)
    ax.set_title(f"{len(pairs)} predictions; the band is a factor of {NEAR:.0f}", loc="left")
    within = int((np.maximum(guess / truth, truth / guess) <= NEAR).sum())
    many = count_text(len(pairs), "prediction")
    return Picture(
        fig, f"{many} against what was measured: {within} within a factor of {NEAR:.0f}."
    )


def my_predictions() -> Picture | str:
    """Return every prediction you wrote down, drawn against what was measured, or a sentence where
    there is none yet. Only pairs of numbers above zero are drawn: the axes are logarithmic.
    """
    try:
        made = learner_progress(course_root(), events()).predictions
    except LookupError:  # no course here
        made = []
    pairs = [
        (event.prediction, event.measured)
        for event in made
        if event.prediction and event.measured and min(event.prediction, event.measured) > 0
    ]
    if not pairs:
        return Sentence("There is no prediction to draw yet. Each chapter asks for some.")
    return predictions_picture(pairs)
