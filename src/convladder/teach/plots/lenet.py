"""Chapter 14: the LeNet-5 ladder: its rungs' times and forecasts."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from matplotlib.axes import Axes

from ...bench.lenet import ARITHMETIC, BARE_PARTS, BYTES, COPY, LenetComparison
from ...bench.records.lenet import chip_limits
from ...core.text import seconds_text
from ...cuda.memory_model import SECTORS, bank_ways, sectors, strided_addresses
from ...networks.lenet.forecasts import Forecast, forecast
from ..table import Table, table
from .axes import WHITE, behind, beside, name_rows, seconds_axis
from .gpu_runs import COLOURS, drawn, l1_run
from .style import BLUE, GREEN, GREY, ORANGE, PALE, SKY, Picture, figure, ink, lettering

NEAR = 4  # times as long: no room for a bar's label between it and a diamond
FLOORS = {
    COPY: ("images copied\nas float32", "left"),
    BYTES: ("images copied\nas bytes", "right"),
    ARITHMETIC: ("multiply-adds\nalone", "left"),
}


def lenet_ladder_picture(
    runs: Mapping[str, LenetComparison],
    published: LenetComparison,
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
    runs, whose = drawn(runs)
    ways = [
        name
        for times in runs.values()
        for name, of in times.libraries.items()
        if of in libraries and name in times.seconds
    ]
    theirs = [name for name, of in published.libraries.items() if of in libraries]
    rows = [*rungs, *dict.fromkeys(ways), *theirs]
    fig, ax = figure(8.8, 1.5 + 0.36 * len(rows))
    every = [published.seconds, *(times.seconds for times in runs.values())]
    every += [times.device_seconds for times in runs.values()]
    shown = [seconds[name] for seconds in every for name in rows if seconds.get(name)]
    low, high = min(shown) / 2, max(shown)
    for row, name in enumerate(rows):
        _row(ax, row, name, runs, published, low)
    for name, (what, side) in FLOORS.items():
        seconds = next(iter(runs.values())).seconds.get(name)
        if seconds:
            ax.axvline(seconds, color=GREY, linewidth=1, linestyle="--", zorder=3)
            words, gap = f"{what}: {seconds_text(seconds)}", -3 if side == "left" else 3
            style = {"va": "bottom", "ha": side, "fontsize": 8, "color": GREY}
            beside(ax, words, (seconds, -0.6), (gap, 2), **style)
    ax.set(xscale="log", xlim=(low, high * 8), ylim=(len(rows) - 0.4, -0.6))
    seconds_axis(ax.xaxis, low, high * 2)
    name_rows(ax, rows, inverted=False)
    ax.set_xlabel(
        "10,000 images, host to host (log scale); tick: the device alone\n"
        f"{whose}; orange: {published.label}"
    )
    return Picture(
        fig,
        f"Times of {len(rungs)} rungs for 10,000 images on {', '.join(runs)}, from "
        f"{rungs[0]} to {rungs[-1]}, beside {', '.join(dict.fromkeys(ways))}; "
        f"beside them those of {published.label}; the copies of the images are "
        "lines.",
    )


def _row(
    ax: Axes,
    row: int,
    name: str,
    runs: Mapping[str, LenetComparison],
    published: LenetComparison,
    low: float,
) -> None:
    for place, (times, colour) in enumerate(zip(runs.values(), COLOURS.values())):
        seconds, device = times.seconds.get(name), times.device_seconds.get(name)
        if seconds is None:
            continue
        y = row + (place - (len(runs) - 1) / 2) * 0.7 / len(runs)
        height, alpha = 0.62 / len(runs), 0.45 if name in times.libraries else 1
        ax.barh(y, seconds - low, left=low, height=height, color=colour, alpha=alpha)
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
    gap, side = (-14, "right") if inside else (7, "left")
    style = {"va": "center", "ha": side, "fontsize": 8.5, "color": letters, "zorder": 5}
    note = beside(ax, text, (seconds, y), (gap, 0), **style)
    if not inside:
        note.set_bbox(WHITE)


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
        gain, end = before[name].total / told.total, max(told.total, before[name].total)
        words = f"{seconds_text(told.total)}, {gain:.2f} times as fast"
        behind(ax, words, end * 1e3, row, fontsize=8)
    name_rows(ax, after, inverted=False)
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


def lenet_times_table(times: LenetComparison, names: Sequence[str]) -> Table:
    """Return a row for each of `names`: from host to host, on a GPU also there and the host's part;
    and gains from each to the next, none for a floor.
    """
    heads = ["10,000 images", "host to host", "on the device", "host issuing", "times as fast"]
    rows, before = [], None
    for name in names:
        seconds = times.seconds[name]
        rows.append(
            [
                name,
                seconds_text(seconds),
                _time_of(times.device_seconds, name),
                _time_of(times.issue_seconds, name),
                f"{before / seconds:.3g}" if before and name not in BARE_PARTS else "",
            ]
        )
        before = seconds
    if times.device == "cpu":
        for row in (heads, *rows):
            del row[2:4]
    return table(rows, heads, caption=times.label)


def _time_of(seconds: dict[str, float], name: str) -> str:
    return seconds_text(seconds[name]) if name in seconds else ""


def rung_gain_table(before: str, name: str, runs: Mapping[str, LenetComparison]) -> Table:
    """Return two rungs from host to host and on the device,
    as forecast and in the first of `runs`.
    """
    label, times = next(iter(runs.items()))
    old, new = (forecast(each, chip_limits()) for each in (before, name))
    rows = [
        _gain_row("host to host, forecast", old.total, new.total),
        _gain_row(f"host to host, {label}", times.seconds[before], times.seconds[name]),
        _gain_row("kernels, forecast", old.kernels, new.kernels),
    ]
    if before in times.device_seconds and name in times.device_seconds:
        rows.append(
            _gain_row(
                f"on the device, {label}", times.device_seconds[before], times.device_seconds[name]
            )
        )
    return table(rows, ["10,000 images", before, name, "times as fast"])


def _gain_row(what: str, before: float, after: float) -> list[str]:
    return [what, seconds_text(before), seconds_text(after), f"{before / after:.3g}"]


def l1_table(run: Mapping | None = None) -> Table:
    """Return a row for each distance of lanes: a quarter of its sectors, its turns to the fullest
    bank, and the clocks of `run`: by default of this GPU, or of the newest record.
    """
    run = run or l1_run()
    rows = []
    for floats, clocks in run["clocks"].items():
        request = strided_addresses(int(floats))
        rows.append((int(floats), len(sectors(request)) / SECTORS, bank_ways(request), clocks))
    return table(
        rows,
        ["stride in floats", "sectors / 4", "words from the fullest bank", "cycles"],
        f"a request to L1: {run['card']['gpu']}, {run['date']}",
    )
