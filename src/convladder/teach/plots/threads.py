"""Threads drawn: who works and who waits, how times fall with threads, what they share."""

from __future__ import annotations

import heapq
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from matplotlib.axes import Axes
from matplotlib.ticker import FuncFormatter, MaxNLocator, NullLocator

from ...measure import Comparison
from ...text import seconds_text
from .labels import label_points
from .style import BLUE, GREEN, GREY, ORANGE, PALE, PINK, SKY, Picture, figure

ROWS = 24  # of work in the model, a unit of time each
HANDING_OUT = 0.25  # units that it costs to fetch a chunk from the queue
SLOW = 2  # how many times longer a row takes on the last core, which another program uses too


@dataclass(frozen=True)
class WorkSpan:
    """What one thread does from `start` to `stop`: `rows` of work, or the serial part (None)."""

    thread: int
    start: float
    stop: float
    rows: range | None


def schedule(threads: int, chunk: int, dealt: str, serial: int) -> list[WorkSpan]:
    """Return who does which chunk when:
    `dealt` is "beforehand" (round and round) or "on demand".
    """
    spans = [WorkSpan(0, 0, serial, None)] if serial else []
    chunks = [range(a, min(a + chunk, ROWS)) for a in range(0, ROWS, chunk)]
    free = [(float(serial), thread) for thread in range(threads)]
    for number, rows in enumerate(chunks):
        if dealt == "on demand":
            start, thread = heapq.heappop(free)
            start += HANDING_OUT
        else:
            start, thread = free[number % threads]
        slow = SLOW if threads > 1 and thread == threads - 1 else 1
        spans.append(WorkSpan(thread, start, start + slow * len(rows), rows))
        if dealt == "on demand":
            heapq.heappush(free, (spans[-1].stop, thread))
        else:
            free[number % threads] = (spans[-1].stop, thread)
    return spans


def schedule_picture(
    threads: int, chunk: int, dealt: str = "beforehand", serial: int = 0
) -> Picture:
    """Draw a model of `ROWS` rows in chunks on threads,
    after `serial` units that only one can do.
    """
    spans = schedule(threads, chunk, dealt, serial)
    end, alone = max(span.stop for span in spans), serial + ROWS
    fig, ax = figure(8.0, 1.5 + 0.36 * threads)
    for thread in range(threads):
        ax.barh(thread, end, height=0.7, color=PALE)
    for span in spans:
        length = span.stop - span.start
        ax.barh(
            span.thread,
            length,
            left=span.start,
            height=0.7,
            edgecolor="white",
            color=ORANGE if span.rows is None else SKY,
            linewidth=1,
        )
        if span.rows is not None and length >= 1.2 * end / 30:
            ax.text(
                span.start + length / 2,
                span.thread,
                str(len(span.rows)),
                ha="center",
                va="center",
                fontsize=8,
                bbox={"facecolor": SKY, "edgecolor": "none", "pad": 0.8},
            )
    limit = alone / (serial + ROWS / threads)
    ax.axvline(serial + ROWS / threads, color=GREY, linestyle=":", linewidth=1.4)
    names = [f"thread {thread}" for thread in range(threads)]
    if threads > 1:
        names[-1] = "on a busy core"
    ax.set_yticks(range(threads), names, color="black")
    ax.tick_params(axis="y", length=0)
    ax.invert_yaxis()
    ax.set(xlim=(0, 1.02 * max(end, serial + ROWS / threads)), xlabel="time, units (a row is one)")
    ax.set_title(
        f"Done at {end:g}: {alone / end:.2f} times as fast as one thread "
        f"(Amdahl's limit, dotted: {limit:.2f})"
    )
    handed = f"dealt out {dealt}" if threads > 1 else "on one thread"
    return Picture(
        fig,
        f"A model of {ROWS} rows in chunks of {chunk} on {threads} "
        f"thread{'s' * (threads > 1)}, {handed}, after a serial part of {serial}: "
        f"done at {end:g}, where one thread needs {alone}.",
    )


def scaling_picture(
    curves: Mapping[str, Mapping[int, float]], serial: float | None = None, what: str = "speed-up"
) -> Picture:
    """Draw speed-up over threads: a line for each of `curves`, the ideal,
    Amdahl's law for `serial`.
    """
    counts = sorted({n for curve in curves.values() for n in curve})
    most = max(counts[-1], 2)
    fig, ax = figure(7.4, 4.0)
    fine = np.linspace(1, most, 60)
    ax.plot(fine, fine, color=GREY, linestyle=":", linewidth=1.2)
    labels = [(most, float(most), "every thread counts")]
    if serial is not None:
        ax.plot(fine, 1 / (serial + (1 - serial) / fine), color=GREY, linestyle="--", linewidth=1.4)
        labels.append((most, 1 / (serial + (1 - serial) / most), f"Amdahl, {serial:.0%} serial"))
    highest = most
    for (name, curve), colour in zip(curves.items(), (BLUE, ORANGE, GREEN, PINK)):
        xs = sorted(curve)
        ax.plot(xs, [curve[n] for n in xs], "o-", color=colour)
        labels.append((xs[-1], curve[xs[-1]], name))
        highest = max(highest, *curve.values())
    ax.set(
        xlabel="threads",
        ylabel=what,
        xlim=(0.9, most + 0.75 * (most - 0.9)),
        ylim=(0, 1.08 * highest),
    )
    ax.xaxis.set_major_locator(MaxNLocator(integer=True, nbins=8))
    ax.set_xticks([tick for tick in ax.get_xticks() if 1 <= tick <= most and tick == int(tick)])
    ax.grid(True)
    label_points(ax, labels, fontsize=8.5)
    law = "" if serial is None else ", with Amdahl's law"
    return Picture(
        fig, f"{what[0].upper()}{what[1:]} over the number of threads for {', '.join(curves)}{law}."
    )


def thread_gain_picture(gains: Sequence[tuple[str, float, float]], threads: int) -> Picture:
    """Draw what `threads` BLAS threads gain over one, a product a row: (label, seconds on one,
    gain).
    """
    fig, ax = figure(7.8, 1.2 + 0.36 * len(gains))
    for row, (_, seconds, gain) in enumerate(gains):
        ax.barh(row, gain - 1, left=1, height=0.62, color=BLUE if gain > 1 else ORANGE)
        _note(ax, max(gain, 1), row, f"{_times(gain)}  ({seconds_text(seconds)} on one)")
    if threads > 1:
        ax.axvline(threads, color=GREY, linestyle=":", linewidth=1.2, zorder=0)
    _times_axis(ax, [gain for *_, gain in gains] + [threads], 4)
    ax.set_yticks(range(len(gains)), [label for label, *_ in gains], color="black")
    ax.set_xlabel(
        f"times as fast on {threads} BLAS threads as on one (dotted: every thread counts)"
    )
    return Picture(
        fig,
        "How much faster products of different sizes are on all BLAS threads than "
        f"on one: {'; '.join(label for label, *_ in gains)}.",
    )


def duel_picture(races: Mapping[str, Comparison], names: Sequence[str], against: str) -> Picture:
    """Draw, for each race, how many times as fast as `against` each of `names` is; lines:
    quartiles.
    """
    fig, ax = figure(8.0, 1.1 + 0.3 * len(races) * len(names))
    step, ends = 0.8 / len(names), []
    for place, race in enumerate(races.values()):
        for number, (name, colour) in enumerate(zip(names, (BLUE, GREEN, ORANGE, PINK))):
            y = place + step * (number - (len(names) - 1) / 2)
            ratio, (low, high) = race.ratio(against, name), race.spread(against, name)
            ax.barh(y, ratio - 1, left=1, height=0.9 * step, color=colour)
            ax.plot([low, high], [y, y], color="black", linewidth=1.1)
            _note(ax, max(ratio, high, 1), y, _times(ratio) + f"  {name}" * (place == 0))
            ends += [low, high]
    _times_axis(ax, ends, 2.5)
    ax.set_yticks(range(len(races)), list(races), color="black")
    ax.set_xlabel(f"times as fast as {against} (line: middle half of the rounds)")
    return Picture(
        fig,
        f"Bars for {', '.join(names)} on {', '.join(races)}: how many times as fast as {against}.",
    )


def _times(ratio: float) -> str:
    return f"{ratio:.2f}" if ratio >= 0.1 else f"{ratio:.2g}"


def _note(ax: Axes, x: float, y: float, text: str) -> None:
    ax.annotate(
        text,
        (x, y),
        (5, 0),
        textcoords="offset points",
        va="center",
        fontsize=8.5,
        bbox={"facecolor": "white", "edgecolor": "none", "pad": 0.8},
    )


def _times_axis(ax: Axes, values: Sequence[float], stretch: float) -> None:
    """Put rows from the top, ratios on a scale where 2 and 1/2 lie equally far from 1.

    stretch: how much wider than the largest value, for what is written beside the bars.
    """
    ax.axvline(1, color=GREY, linewidth=1)
    ax.set_xscale("log", base=2)
    ax.set_xlim(min(0.7, 0.8 * min(values)), stretch * max(1.5, *values))
    ax.xaxis.set_major_formatter(
        FuncFormatter(lambda value, _: f"{value:g}" if value >= 1 else f"1/{1 / value:g}")
    )
    ax.xaxis.set_minor_locator(NullLocator())
    ax.tick_params(axis="y", length=0)
    ax.invert_yaxis()


def calls_after_picture(series: Mapping[str, Sequence[tuple[float, float]]]) -> Picture:
    """Draw calls that followed something: a mark for each (start, duration) in seconds, by what it
    was.

    Raises ValueError where there are no calls.
    """
    if not any(series.values()):
        raise ValueError("series has no calls: give {'a rest': calls_after(...), ...}")
    fig, ax = figure(7.8, 3.4)
    for (name, calls), colour, mark in zip(series.items(), (BLUE, ORANGE, GREEN), "o^s"):
        starts, lasted = np.array(calls).reshape(-1, 2).T * 1e3
        ax.plot(starts, lasted, mark, color=colour, markersize=3.5, alpha=0.7, label=name)
    ax.set(
        yscale="log",
        xlabel="start of the call, ms after the return of what came before",
        ylabel="duration of the call, ms\n(log scale)",
    )
    ax.yaxis.set_major_formatter(FuncFormatter(lambda value, _: f"{value:g}"))
    ax.yaxis.set_minor_locator(NullLocator())
    ax.set_yticks(
        [
            t
            for t in (0.01, 0.1, 0.2, 0.5, 1, 2, 5, 10, 20, 50, 100)
            if ax.get_ylim()[0] <= t <= ax.get_ylim()[1]
        ]
    )
    ax.grid(True, axis="y")
    ax.legend(title="after", loc="lower left", bbox_to_anchor=(1, 0.6))
    return Picture(
        fig,
        "How long calls of one function took, over the time since something else "
        f"had returned: {', '.join(series)}.",
    )
