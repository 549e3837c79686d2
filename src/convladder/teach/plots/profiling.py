"""Chapter 13: timelines, counters, copies, and what to speed up."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from contextlib import nullcontext
from dataclasses import replace

from matplotlib.axes import Axes
from matplotlib.patches import Patch

from ...bench.lenet import rtx_2060, rtx_2060_profile
from ...bench.profiles import LazyProfiles
from ...bench.records.profiles import flops, launches_of, moved
from ...core.text import bytes_text, count_text, seconds_text
from ...measure.cuda.profile import Activity, Profile, Row
from ...networks.lenet.rungs import rungs
from ..running_cell import progress
from ..table import Table, table
from .axes import label_points, name_rows, ticks_in_words
from .gpu_runs import SLOW, profile_runs
from .provenance import gpu_provenance
from .shapes import box, write
from .style import BLUE, GREEN, GREY, ORANGE, PALE, PINK, SKY, YELLOW, Picture, figure, ink

COLOURS = {"upload": SKY, "download": GREEN, "copy": YELLOW, "set": YELLOW, "call": "#B5BCC2"}
KERNELS = (ORANGE, BLUE, PINK, "#7A4B00", "#6A3D9A", "#F0E442", "#01665E")
WORDS = {
    "upload": "copy to the device",
    "download": "copy to the host",
    "copy": "copy within the device",
    "set": "memory set",
    "call": "the host's calls",
}
SHORT = {"upload": "up", "download": "back"}
LETTERS = 0.0085  # of the axis that a letter takes


def timeline_picture(
    events: Sequence[Activity],
    title: str,
    first: float = 0.0,
    last: float | None = None,
    calls: bool = True,
) -> Picture:
    """Draw `events` between `first` and `last`, in µs from the first one's beginning (default:
    all).

    Kernels have a colour for each name; what is wide enough is labelled. `calls=False` leaves out
    the host. Raises `ValueError` for no events, or a window of no time.
    """
    seen = [a for a in events if calls or a.kind != "call"]
    if not seen:
        raise ValueError("there are no events to draw: nothing was recorded")
    zero, end = min(a.start for a in seen), max(a.end for a in seen)
    last = (end - zero) / 1e3 if last is None else last
    if not first < last:
        raise ValueError(
            f"the window from {first:g} to {last:g} µs is empty; the run ends after "
            f"{(end - zero) / 1e3:,.0f} µs"
        )
    shown = [a for a in seen if (a.start - zero) / 1e3 < last and (a.end - zero) / 1e3 > first]
    rows = sorted({a.stream for a in seen})
    kernels = list(dict.fromkeys(a.name for a in events if a.kind == "kernel"))
    fig, ax = figure(8.6, 1.15 + 0.42 * len(rows))
    for a in shown:
        _bar(ax, a, rows.index(a.stream), zero, (first, last), _colour(a, kernels))
    ax.set(xlim=(first, last), ylim=(len(rows) - 0.5, -0.5), xlabel="µs")
    name_rows(ax, [f"stream {row}" if row else "host" for row in rows], inverted=False)
    ax.spines.bottom.set_color(GREY)
    ax.grid(True, axis="x")
    ax.set_title(title)
    _legend(ax, shown, kernels)
    streams = len([row for row in rows if row])
    return Picture(
        fig,
        f"{title}: a row for {'the host and ' if 0 in rows else ''}each of "
        f"{count_text(streams, 'stream')}, a bar for each activity.",
        colours=256,
    )


def _bar(
    ax: Axes, a: Activity, row: int, zero: int, window: tuple[float, float], colour: str
) -> None:
    first, last = window
    begin, end = (a.start - zero) / 1e3, (a.end - zero) / 1e3
    box(ax, begin, row - 0.36, end - begin, 0.72, colour, edgecolor="white", linewidth=0.4)
    left, right = max(begin, first), min(end, last)
    text = a.name if a.kind in ("kernel", "call") else SHORT.get(a.kind, a.kind)
    if (right - left) / (last - first) > LETTERS * (len(text) + 1):
        write(ax, text, (left + right) / 2, row, fontsize=7.5, color=ink(colour), clip_on=True)


def _colour(a: Activity, kernels: Sequence[str]) -> str:
    return COLOURS.get(a.kind) or KERNELS[kernels.index(a.name) % len(KERNELS)]


def _legend(ax: Axes, shown: Sequence[Activity], kernels: Sequence[str]) -> None:
    kinds = [kind for kind in COLOURS if any(a.kind == kind for a in shown)]
    names = [name for name in kernels if any(a.name == name for a in shown)]
    handles = [Patch(color=COLOURS[kind], label=WORDS[kind]) for kind in kinds]
    for name in names[: len(KERNELS)]:
        label = name if len(name) < 26 else name[:25] + "…"
        handles.append(Patch(color=KERNELS[kernels.index(name) % len(KERNELS)], label=label))
    if (more := len(names) - len(KERNELS)) > 0:
        handles.append(Patch(color="none", label=f"and {more} more, colours repeat"))
    below = (0, -0.28 if len(ax.get_yticks()) > 2 else -0.42)
    style = {"ncols": 4, "fontsize": 8, "handlelength": 1, "columnspacing": 1.2}
    ax.legend(handles=handles, loc="upper left", bbox_to_anchor=below, **style)


HOST = "the host, and gaps"


def attack_picture(profile: Profile, line: int, factor: float, title: str) -> Picture:
    """Draw the program's time by lines of its table,
    and again with one line `factor` times as fast.
    """
    then, now = (
        profile.seconds_if_faster(line, factor),
        max(profile.wall[1], profile.device_seconds),
    )
    fig, ax = figure(8.6, 2.3)
    for row, quicker in enumerate((False, True)):
        left = 0.0
        parts = [
            (r.name, r.seconds / profile.runs, number == line)
            for number, r in enumerate(profile.device, start=1)
        ]
        parts.append((HOST, now - profile.device_seconds, False))
        for name, seconds, chosen in parts:
            width = 1e3 * (seconds / factor if quicker and chosen else seconds)
            colour = ORANGE if chosen else PALE if name == HOST else SKY
            ax.barh(row, width, left=left, height=0.62, color=colour, edgecolor="white")
            short = name.partition("(")[0].replace("[CUDA memcpy ", "").strip("]")
            if width > 1e3 * now * 0.011 * len(short):
                write(ax, short, left + width / 2, row)
            left += width
    name_rows(ax, [f"now {seconds_text(now)}", f"then {seconds_text(then)}"], inverted=False)
    ax.spines.bottom.set_color(GREY)
    ax.set(xlim=(0, 1e3 * now * 1.01), ylim=(1.5, -0.5))
    ax.set_xlabel(f"ms; orange: line {line}, blue: the other lines")
    ax.set_title(
        f"{title}: line {line} at {factor:g} times the speed, the program at {now / then:.2f}"
    )
    return Picture(
        fig,
        f"{title}: two bars of time by lines of the profile, now and with line "
        f"{line} at {factor:g} times the speed.",
    )


SHARES = {
    "occupancy": "occupancy",
    "issue": "issue slots",
    "fma_pipe": "FMA pipe",
    "dram_share": "memory",
}
WAITS = {
    "waits_for_memory": "global memory (long scoreboard)",
    "waits_for_shared": "a queue to shared memory (MIO throttle)",
    "waits_at_barriers": "a barrier",
    "waits_for_pipe": "a full pipe (math pipe throttle)",
}


def counters_table(record: Mapping, kernels: Sequence[tuple[str, int]]) -> Table:
    """Tabulate time, what the chip's parts were used, and what warps waited for most."""
    rows = []
    for label, seen in launches_of(record, kernels):
        most = max(WAITS, key=lambda what: seen.get(what, 0))
        shares = [f"{seen[what]:.0f} %" for what in SHARES]
        per_load = f"{seen['load_sectors'] / seen['load_requests']:.1f}"
        rows.append([label, seconds_text(seen["seconds"]), *shares, per_load, WAITS[most]])
    columns = ["launch", "time", *SHARES.values(), "sectors per load", "warps wait most for"]
    return table(rows, columns, caption=f"{gpu_provenance(record)}, caches emptied")


def counted_traffic_table(record: Mapping, kernels: Sequence[tuple[str, int]]) -> Table:
    """Return arithmetic, and bytes that really came from memory and went there."""
    rows = [
        [label, f"{flops(seen) / 1e9:.2f}", bytes_text(int(seen["dram_read"])),
         bytes_text(int(seen["dram_write"])), f"{flops(seen) / moved(seen):.3g}",
         f"{flops(seen) / seen['seconds'] / 1e12:.2f}"]
        for label, seen in launches_of(record, kernels)
    ]  # fmt: skip
    columns = ["launch", "GFLOP", "read from memory", "written to memory", "FLOP/byte", "TFLOP/s"]
    return table(rows, columns)


LINES = {
    "upload, pinned": (BLUE, "-"),
    "download, pinned": (BLUE, ":"),
    "upload, pageable": (ORANGE, "-"),
    "download, pageable": (ORANGE, ":"),
}


def copies_picture(run: Mapping, title: str) -> Picture:
    """Draw the copies of one of `mistake_runs()`, each waited for."""
    sizes = run["copies"]["bytes"]
    fig, ax = figure(7.8, 3.8)
    ends = []
    for name, (colour, style) in LINES.items():
        rates = [size / each / 1e9 for size, each in zip(sizes, run["copies"][name], strict=True)]
        ax.plot(sizes, rates, style, color=colour, marker="o", markersize=3.5)
        ends.append((sizes[-1], rates[-1], name))
    ax.set(xscale="log", xlim=(sizes[0] / 1.5, sizes[-1] * 40), ylim=(0, None), title=title)
    ax.set(xlabel="bytes of the copy (log scale)", ylabel="GB/s")
    ticks_in_words(ax.xaxis, lambda value, _: bytes_text(int(value)), sizes[::2])
    ax.grid(True)
    label_points(ax, ends, fontsize=8.5)
    return Picture(
        fig,
        f"{title}: rates of copies to the GPU and back by size, from page-locked "
        "and from pageable memory.",
    )


COLUMNS = ["share", "time", "calls", "avg", "min", "max", "name"]
ALL = 1000


def device_table(profile: Profile, caption: str | None = None) -> Table:
    """Return the device's work in one run: a row for each kernel and kind of copy,
    the longest first.
    """
    return _table(profile.device, profile.runs, caption or "on the GPU, one run", ALL)


def calls_table(profile: Profile, most: int = ALL, caption: str | None = None) -> Table:
    """Return the host's calls in one run, at most `most` functions."""
    return _table(profile.calls, profile.runs, caption or "the host's calls, one run", most)


def _table(rows: Sequence[Row], runs: int, caption: str, most: int) -> Table:
    """Return times and calls of one run, the shortest and the longest of all `runs`."""
    total = sum(row.seconds for row in rows)
    return table(
        [[f"{row.seconds / total:.1%}", seconds_text(row.seconds / runs), _each(row.calls, runs),
          seconds_text(row.mean), seconds_text(row.least), seconds_text(row.most), row.name]
         for row in rows[:most]], COLUMNS, caption)  # fmt: skip


def _each(calls: int, runs: int) -> str:
    return f"{calls // runs:,}" if calls % runs == 0 else f"{calls / runs:,.1f}"


def profile_sentence(profile: Profile) -> str:
    """Return a run in a sentence: the wall clock, the device's share of it, what was hidden."""
    wall, span, busy, overlap = (
        each[1] for each in (profile.wall, profile.span, profile.busy, profile.overlap)
    )
    hidden = "no copy ran during a kernel"
    if overlap:
        hidden = f"copies ran during kernels for {seconds_text(overlap)}"
    return (
        f"{seconds_text(wall)} host to host ({seconds_text(profile.profiled[1])} with the "
        f"profiler); the device is at work for {seconds_text(busy)} of the "
        f"{seconds_text(span)} from its first activity to its last, {hidden}"
    )


def programs_table(programs: Mapping[str, Profile], names: Sequence[str], caption: str) -> Table:
    """Return a row for each of `names`: the clock without a profiler,
    and what one saw of the device.
    """
    rows, live = [], isinstance(programs, LazyProfiles)  # which are made as they are asked for
    with progress("profiling on this GPU") if live else nullcontext():
        seen = {name: programs[name] for name in names}
    for name, profile in seen.items():
        wall, span, busy, overlap = (
            each[1] for each in (profile.wall, profile.span, profile.busy, profile.overlap)
        )
        rows.append([
            name, seconds_text(wall), _each(sum(row.calls for row in profile.device), profile.runs),
            seconds_text(profile.device_seconds), seconds_text(span), f"{busy / span:.0%}",
            seconds_text(overlap) if overlap else "none"])  # fmt: skip
    columns = ["program", "wall clock", "activities", "their sum", "first to last", "at work"]
    return table(rows, [*columns, "copies during kernels"], caption)


NONE = "No GPU has recorded a profile of it yet: `python -m studies profiles` does."


class Tables:
    """Tables one below the other."""

    def __init__(self, tables: list[Table]) -> None:
        self.tables = tables

    def __repr__(self) -> str:
        return "\n\n".join(map(repr, self.tables)) or NONE

    def _repr_html_(self) -> str:
        return "".join(each._repr_html_() for each in self.tables) or NONE


def rung_profiles(name: str) -> Tables:
    """Return the GPUs' work in one run of a rung or a library: as recorded, and the RTX 2060."""
    tables = [device_table(_plain(profile), label) for label, profile in profiles_of(name).items()]
    return Tables(tables)


def profiles_of(name: str) -> dict[str, Profile]:
    """Return label -> profile of a rung or a library's way.

    This GPU's, or the newest record's, and the RTX 2060's.
    """
    profiles = {}
    here = name in {rung.name for rung in rungs("gpu")} - {*SLOW}
    for label, programs in profile_runs(here).items():
        if name in programs and not profiles:
            profiles[f"{name}: {label}"] = programs[name]
    if name in rtx_2060().seconds and name not in rtx_2060().libraries:
        profiles[f"{name}: {rtx_2060().label}"] = rtx_2060_profile(name)
    return profiles


def _plain(profile: Profile) -> Profile:
    """Return kernels' names without their arguments."""
    return replace(
        profile,
        device=tuple(replace(row, name=row.name.partition("(")[0]) for row in profile.device),
    )


def rung_timeline(name: str, title: str, microseconds: float) -> Picture:
    """Return a picture of device and host in the first `microseconds` of a run.

    Raises `ValueError` where no profile has `name`.
    """
    profile = next(
        (programs[name] for programs in profile_runs().values() if name in programs), None
    )
    if profile is None:
        raise ValueError(
            f"no record has a profile of {name!r}; `python -m studies profiles` makes one"
        )
    return timeline_picture(profile.events, title, 0, microseconds)


def waiting_table(runs: Mapping[str, Mapping]) -> Table:
    """Return the times of 10,000 images on the device, without a wait, with one,
    and between events.
    """
    rows = [
        [label, name, *(seconds_text(times[what][1]) for what in ("returns", "done", "device")),
         f"{times['done'][1] / times['returns'][1]:.3g}"]
        for label, run in runs.items() for name, times in run["waiting"].items()
    ]  # fmt: skip
    columns = ["GPU", "rung, images on the GPU", "no wait", "wait", "GPU's own clock"]
    return table(rows, [*columns, "times too short"])


FIRST = ("the GPU is opened", "memory, weights, kernels", "run 1", "run 2", "run 10")


def first_run_table(runs: Mapping[str, Mapping]) -> Table:
    """Return the steps of a fresh process, before anything was ever compiled, and after."""
    rows = []
    for label, run in runs.items():
        for when, what in (("compiled", "never compiled before"), ("cached", "compiled once")):
            steps = run["first"][when]
            rows.append([label, what, *(seconds_text(steps[step]) for step in FIRST)])
    return table(rows, ["GPU", "a fresh process", "CUDA ready", *FIRST[1:]])
