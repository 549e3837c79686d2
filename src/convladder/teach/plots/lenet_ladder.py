"""The LeNet-5 ladder as a picture: from an image at a time to the speed of the wire."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from matplotlib.axes import Axes
from matplotlib.ticker import LogLocator, NullLocator

from ...bench.lenet_times import ARITHMETIC, BYTES, COPY, Times
from ...text import seconds_text
from .ink import ink, lettering
from .style import BLUE, GREEN, GREY, ORANGE, Picture, figure

NEAR = 4  # times as long: no room for a bar's label between it and a diamond
COLOURS, NAMES = (BLUE, GREEN), ("blue", "green")  # of runs: a row has room for two
FLOORS = {
    COPY: ("images copied\nas float32", "left"),
    BYTES: ("images copied\nas bytes", "right"),
    ARITHMETIC: ("multiply-adds\nalone", "left"),
}


def lenet_ladder_picture(
    runs: Mapping[str, Times],
    published: Times,
    rungs: Sequence[str],
    libraries: Sequence[str] = ("torch",),
) -> Picture:
    """Draw a row for each of `rungs` and each way of `libraries`: bars of `runs`, diamonds of
    `published`.

    A bar goes to the time from host to host, and the tick on it marks the device's own; `runs` are
    at most two. The floors of the first run are lines. Raises `ValueError` for no run.
    """
    if not runs:
        raise ValueError("runs is empty: there is a record of a GPU in the package to draw")
    runs = dict(list(runs.items())[: len(COLOURS)])
    ways = [
        name
        for times in runs.values()
        for name, of in times.libraries.items()
        if of in libraries and name in times.seconds
    ]
    theirs = [name for name, of in published.libraries.items() if of in libraries]
    rows = [*rungs, *dict.fromkeys(ways), *theirs]
    fig, ax = figure(8.8, 1.5 + 0.36 * len(rows))
    shown = [
        seconds
        for times in runs.values()
        for name in rows
        for seconds in (times.seconds.get(name), times.device_seconds.get(name))
        if seconds
    ]
    shown += [published.seconds[name] for name in rows if name in published.seconds]
    low, high = min(shown) / 2, max(shown)
    for row, name in enumerate(rows):
        _row(ax, row, name, runs, published, low)
    for name, (what, side) in FLOORS.items():
        seconds = next(iter(runs.values())).seconds.get(name)
        if seconds:
            ax.axvline(seconds, color=GREY, linewidth=1, linestyle="--", zorder=3)
            ax.annotate(
                f"{what}: {seconds_text(seconds)}",
                (seconds, -0.6),
                (-3 if side == "left" else 3, 2),
                textcoords="offset points",
                va="bottom",
                ha="left" if side == "left" else "right",
                fontsize=8,
                color=GREY,
            )
    ax.set(xscale="log", xlim=(low, high * 8), ylim=(len(rows) - 0.4, -0.6))
    ticks = [t for t in LogLocator(subs=(1.0,)).tick_values(low, high * 2) if low <= t <= high * 2]
    ax.set_xticks(ticks, [seconds_text(t).replace(".00", "").replace(".0", "") for t in ticks])
    ax.xaxis.set_minor_locator(NullLocator())
    ax.set_yticks(range(len(rows)), rows, color="black")
    ax.tick_params(axis="y", length=0)
    whose = "; ".join(f"{colour}: {label}" for colour, label in zip(NAMES, runs))
    ax.set_xlabel(
        "10,000 images, from host memory to labels there (log scale); tick: the device "
        f"alone\n{whose}; orange: {published.label}"
    )
    return Picture(
        fig,
        f"Times of {len(rungs)} rungs for 10,000 images on {', '.join(runs)}, from "
        f"{rungs[0]} to {rungs[-1]}, beside {', '.join(dict.fromkeys(ways))}; "
        f"beside them those of {published.label}; the copies of the images are "
        "lines.",
    )


def _row(
    ax: Axes, row: int, name: str, runs: Mapping[str, Times], published: Times, low: float
) -> None:
    for place, (times, colour) in enumerate(zip(runs.values(), COLOURS)):
        seconds, device = times.seconds.get(name), times.device_seconds.get(name)
        if seconds is None:
            continue
        y = row + (place - (len(runs) - 1) / 2) * 0.7 / len(runs)
        height = 0.62 / len(runs)
        ax.barh(
            y,
            seconds - low,
            left=low,
            height=height,
            color=colour,
            alpha=0.45 if name in times.libraries else 1,
        )
        if device and device < seconds:
            for tint, width in (("white", 2.5), ("black", 1.2)):
                ax.plot([device] * 2, [y - height / 2, y + height / 2], color=tint, linewidth=width)
        near = seconds < published.seconds.get(name, 0) < NEAR * seconds
        _label(ax, seconds, y, seconds_text(seconds), ink(colour) if near else "black", inside=near)
    theirs = published.seconds.get(name)
    if theirs:
        ax.plot(theirs, row, "D", color=ORANGE, markersize=6, zorder=4)
        _label(ax, theirs, row, seconds_text(theirs), lettering(ORANGE))


def _label(
    ax: Axes, seconds: float, y: float, text: str, letters: str, inside: bool = False
) -> None:
    note = ax.annotate(
        text,
        (seconds, y),
        (-14 if inside else 7, 0),
        textcoords="offset points",
        va="center",
        ha="right" if inside else "left",
        fontsize=8.5,
        color=letters,
        zorder=5,
    )
    if not inside:
        note.set_bbox({"facecolor": "white", "edgecolor": "none", "pad": 0.8})
