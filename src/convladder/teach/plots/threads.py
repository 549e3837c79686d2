"""Chapter 04: how threads share a machine, and what they gain."""

from __future__ import annotations

import heapq
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from matplotlib.axes import Axes
from matplotlib.ticker import MaxNLocator

from ...core.text import count_text, seconds_text
from ...measure import Comparison
from .axes import WHITE, behind, label_points, name_rows, ticks_in_words
from .shapes import box
from .style import BLUE, GREEN, GREY, ORANGE, PALE, PINK, SKY, YELLOW, Picture, figure

CORES = 8  # of the machine in the drawing


def crowd_picture(workers: int, blas_threads: int) -> Picture:
    """Draw `workers`, each calling a BLAS with `blas_threads`, on eight cores.

    On the left a square for each thread that wants to run, a row for each worker. On the right
    what the cores do if the system gives every thread a slice of time in turn: a worker's product
    is done when the last of its threads has had its own.
    """
    wanted = workers * blas_threads
    fig, (crowd, time) = figure(8.6, 3.2, ncols=2, width_ratios=(1, 1.35))
    for number in range(wanted):
        worker, thread = divmod(number, blas_threads)
        box(crowd, thread, worker, 0.86, 0.86, BLUE if thread * workers + worker < CORES else PALE)
    waiting = max(0, wanted - CORES)
    title = f"{workers} workers × {blas_threads} threads = {wanted} want to run"
    crowd.set_title(title, fontsize=10)
    crowd.text(0, 8.5, f"{min(wanted, CORES)} have a core, {waiting} wait", va="center", fontsize=9)
    crowd.set(xlim=(0, 8.2), ylim=(9, -0.1))
    turns = -(-wanted // CORES)
    for number in range(wanted):
        turn, core = divmod(number, CORES)
        first = number % workers == 0  # the threads take turns, whosever they are
        box(time, turn, core, 0.94, 0.86, ORANGE if first else PALE)
    done = 1 + (blas_threads - 1) * workers // CORES
    idle = CORES * turns - wanted
    time.set_title("one row per core, one column per time slice", fontsize=10)
    note = f"orange: the first worker's threads. The last one runs in slice {done}."
    if wanted < CORES:
        note = f"{idle} cores idle"
    time.text(0, 8.5, note, va="center", fontsize=9)
    time.set(xlim=(0, max(8.2, turns)), ylim=(9, -0.1))
    for ax in (crowd, time):
        ax.set_axis_off()
    return Picture(
        fig,
        f"{workers} workers with {blas_threads} BLAS threads each on "
        f"{CORES} cores: "
        f"{wanted} threads want to run, {waiting} wait, and all have had a core "
        f"after {turns} slices of time.",
        colours=128,
    )


ROWS = 24  # of work in the model, a unit of time each
HANDING_OUT = 0.25  # units that it costs to fetch a chunk from the queue
SLOW = 2  # how many times longer a row takes on the last core, which another program uses too


@dataclass(frozen=True)
class WorkSpan:
    """One thread's work from `start` to `stop`: so many `rows`, or the serial part (None)."""

    thread: int
    start: float
    stop: float
    rows: range | None


def schedule(threads: int, chunk: int, dealt: str, serial: int) -> list[WorkSpan]:
    """Return the schedule, a span for each chunk:
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
        length, words, colour = span.stop - span.start, "", ORANGE
        if span.rows is not None:
            words, colour = str(len(span.rows)) if length >= 1.2 * end / 30 else "", SKY
        place = span.start, span.thread - 0.35, length, 0.7
        clear = {"bbox": {"facecolor": colour, "linewidth": 0, "pad": 1.5}}  # of the dotted line
        box(ax, *place, colour, words, edgecolor="white", linewidth=1, text=clear)
    limit = alone / (serial + ROWS / threads)
    ax.axvline(serial + ROWS / threads, color=GREY, linestyle=":", linewidth=1.4)
    names = [f"thread {thread}" for thread in range(threads)]
    if threads > 1:
        names[-1] += ", busy core"
    name_rows(ax, names)
    ax.set(xlim=(0, 1.02 * max(end, serial + ROWS / threads)), xlabel="time (one row = 1 unit)")
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
    curves: Mapping[str, Mapping[int, float]],
    serial: float | None = None,
    what: str = "speed-up",
    top: float | None = None,
    unit: str = "thread",
) -> Picture:
    """Draw speed-up over threads, or over another `unit`: a line for each of `curves`, the ideal,
    Amdahl's law for `serial`. top: where the ideal is cut off, for curves far below it.
    """
    counts = sorted({n for curve in curves.values() for n in curve})
    most = max(counts[-1], 2)
    fig, ax = figure(7.4, 4.0)
    fine, ideal = np.linspace(1, most, 60), min(most, top or most)
    ax.plot([1, ideal], [1, ideal], color=GREY, linestyle=":", linewidth=1.2)
    labels = [(ideal, float(ideal), "linear speed-up")]
    if serial is not None:
        ax.plot(fine, 1 / (serial + (1 - serial) / fine), color=GREY, linestyle="--", linewidth=1.4)
        labels.append((most, 1 / (serial + (1 - serial) / most), f"Amdahl, {serial:.0%} serial"))
    highest = ideal
    for (name, curve), colour in zip(curves.items(), (BLUE, ORANGE, GREEN, PINK, YELLOW)):
        xs = sorted(curve)
        ax.plot(xs, [curve[n] for n in xs], "o-", color=colour)
        labels.append((xs[-1], curve[xs[-1]], name))
        highest = max(highest, *curve.values())
    ax.set(xlabel=f"{unit}s", ylabel=what)
    ax.set(xlim=(0.9, most + 0.5 * (most - 0.9)), ylim=(0, 1.08 * highest))
    ax.xaxis.set_major_locator(MaxNLocator(integer=True, nbins=8))
    ax.set_xticks([tick for tick in ax.get_xticks() if 1 <= tick <= most and tick == int(tick)])
    ax.grid(True)
    label_points(ax, labels, fontsize=8.5)
    law = "" if serial is None else ", with Amdahl's law"
    what = what[0].upper() + what[1:]
    return Picture(fig, f"{what} over the number of {unit}s for {', '.join(curves)}{law}.")


def thread_gain_picture(gains: Sequence[tuple[str, float, float]], threads: int) -> Picture:
    """Draw what `threads` BLAS threads gain over one, one product per row: (label, seconds on
    one, gain).
    """
    fig, ax = figure(7.8, 1.2 + 0.36 * len(gains))
    for row, (_, seconds, gain) in enumerate(gains):
        ax.barh(row, gain - 1, left=1, height=0.62, color=BLUE if gain > 1 else ORANGE)
        words = f"{_times(gain)}  ({seconds_text(seconds)} on one)"
        behind(ax, words, max(gain, 1), row, bbox=WHITE)
    if threads > 1:
        ax.axvline(threads, color=GREY, linestyle=":", linewidth=1.2, zorder=0)
    _times_axis(ax, [gain for *_, gain in gains] + [threads], 4)
    name_rows(ax, [label for label, *_ in gains])
    ax.set_xlabel(f"times as fast on {threads} BLAS threads as on one (dotted: linear speed-up)")
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
            words = _times(ratio) + f"  {name}" * (place == 0)
            behind(ax, words, max(ratio, high, 1), y, bbox=WHITE)
            ends += [low, high]
    _times_axis(ax, ends, 2.5)
    name_rows(ax, races)
    ax.set_xlabel(f"times as fast as {against} (line: middle half of the rounds)")
    return Picture(
        fig,
        f"Bars for {', '.join(names)} on {', '.join(races)}: how many times as fast as {against}.",
    )


def _times(ratio: float) -> str:
    return f"{ratio:.2f}" if ratio >= 0.1 else f"{ratio:.2g}"


def _times_axis(ax: Axes, values: Sequence[float], stretch: float) -> None:
    """Put ratios on a scale where 2 and 1/2 lie equally far from 1.

    stretch: how much wider than the largest value, for what is written beside the bars.
    """
    ax.axvline(1, color=GREY, linewidth=1)
    ax.set_xscale("log", base=2)
    ax.set_xlim(min(0.7, 0.8 * min(values)), stretch * max(1.5, *values))
    ticks_in_words(ax.xaxis, lambda value, _: f"{value:g}" if value >= 1 else f"1/{1 / value:g}")


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
    ax.set(yscale="log", ylabel="duration of the call, ms\n(log scale)")
    ax.set_xlabel("start of the call, ms after the return of what came before")
    ticks_in_words(ax.yaxis, places=(0.01, 0.1, 0.2, 0.5, 1, 2, 5, 10, 20, 50, 100))
    ax.grid(True, axis="y")
    ax.legend(title="after", loc="lower left", bbox_to_anchor=(1, 0.6))
    return Picture(
        fig,
        "How long calls of one function took, over the time since something else "
        f"had returned: {', '.join(series)}.",
    )


SLICE, LONG, SHORT = 3, 12, 1  # milliseconds: of a core at a time, and of work in two calls


def wall_ms(work: int, others: int) -> int:
    """Return the milliseconds from begin to end of `work` on a core shared with `others`.

    The core goes round, a slice for each; the call begins with a slice of its own.
    """
    return work + (-(-work // SLICE) - 1) * others * SLICE


def side_by_side_picture(others: int = 1) -> Picture:
    """Draw a long call and a short one on a core that `others` want as well, then in a turn."""
    fig, ax = figure(8.4, 2.9)
    end = max(wall_ms(LONG, others), LONG + SHORT + 2 * SLICE) + 1
    _row(ax, 2, LONG, others, BLUE)
    _row(ax, 1, SHORT, others, ORANGE)
    for begin, work, colour in ((0, LONG, BLUE), (LONG, SHORT, ORANGE)):
        ax.barh(0, work, left=begin, color=colour, height=0.55)
    if others:
        _others(ax, LONG + SHORT, 0, 2 * SLICE)
    name_rows(ax, ["both, in a turn", "the short call", "the long call"], inverted=False)
    ax.set(xlim=(0, max(end, 1) * 1.42), ylim=(-0.5, 2.6), xlabel="ms on one core")
    by_wall = wall_ms(LONG, others) / SHORT
    long, short = wall_ms(LONG, others), wall_ms(SHORT, others)
    behind(ax, f"wall clock {long} ms, own clock {LONG} ms", long, 2)
    behind(ax, f"wall clock {short} ms, own clock {SHORT} ms", SHORT, 1)
    last = LONG + SHORT + 2 * SLICE * bool(others)
    behind(ax, f"wall clock {LONG} ms and {SHORT} ms", last, 0)
    ax.set_title(
        f"long over short: {by_wall:g} by the wall clock, {LONG // SHORT} by the thread's "
        f"own clock, {LONG // SHORT} in a turn"
    )
    programs = count_text(others, "other program")
    return Picture(
        fig,
        f"A core shared with {programs}: a call of {LONG} ms "
        f"ends after {wall_ms(LONG, others)} ms, one of {SHORT} ms fits into its slice "
        f"of {SLICE} ms. The ratio is {by_wall:g} by the wall clock, {LONG // SHORT} by "
        "the thread's own clock or in a turn.",
    )


def _row(ax: Axes, row: int, work: int, others: int, colour: str) -> None:
    at = 0
    while work > 0:
        piece = min(SLICE, work)
        ax.barh(row, piece, left=at, color=colour, height=0.55)
        at, work = at + piece, work - piece
        if work > 0 and others:
            _others(ax, at, row, others * SLICE)
            at += others * SLICE


def _others(ax: Axes, at: float, row: int, length: float) -> None:
    small = {"fontsize": 8.5}
    box(ax, at, row - 0.275, length, 0.55, PALE, "others", edgecolor=GREY, text=small)
