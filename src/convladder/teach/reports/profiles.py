"""Profiles as tables like nvprof's: what a GPU did, what the host asked of it, side by side."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from contextlib import nullcontext
from dataclasses import replace
from functools import cache

from ...bench.lenet_times import rtx_2060, rtx_2060_profile
from ...lenet.rungs import rungs
from ...measure import machine
from ...measure.cuda.cupti import missing
from ...measure.cuda.profile import Profile, Row, profile_from_dict, profile_records
from ...steps import doing
from ...text import seconds_text
from ..plots.style import Picture
from ..plots.timeline import timeline_picture
from ..running_cell import progress
from ..table import Table, table

COLUMNS = ["share", "time", "calls", "avg", "min", "max", "name"]
ALL = 1000
RECORDED = {"baseline"}  # 70,000 launches take long under a profiler
LIVE, FEW, WALL = 0.25, 5, 0.1  # of each: seconds and runs under the profiler, seconds without it


def device_table(profile: Profile, caption: str | None = None) -> Table:
    """Return what the device did in one run: a row for each kernel and kind of copy,
    the longest first.
    """
    return _table(profile.device, profile.runs, caption or "on the GPU, one run", ALL)


def calls_table(profile: Profile, most: int = ALL, caption: str | None = None) -> Table:
    """Return what the host asked for in one run, at most `most` functions."""
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
    hidden = (
        f"copies beside kernels for {seconds_text(overlap)}"
        if overlap
        else ("no copy beside a kernel")
    )
    return (
        f"{seconds_text(wall)} host to host ({seconds_text(profile.profiled[1])} with the "
        f"profiler); the device is at work for {seconds_text(busy)} of the "
        f"{seconds_text(span)} from its first activity to its last, {hidden}"
    )


def profile_runs(live: bool = True) -> dict[str, Mapping[str, Profile]]:
    """Return label -> programs by name: of this GPU first if it can be profiled, then of records.

    Live it leaves out those of `RECORDED`, and all with `live=False`. A program of this GPU is
    profiled when it is first asked for.
    """
    runs = {}
    if live and missing() is None:
        runs[f"{machine().gpu}, here"] = _here()
    for record in profile_records():
        runs.setdefault(
            f"{record['card']['gpu']}, recorded {record['date']}",
            {name: profile_from_dict(data) for name, data in record["profiles"].items()},
        )
    return runs


@cache
def _here() -> Mapping[str, Profile]:
    from ...bench.profiles import watched

    chosen = [rung for rung in rungs("gpu") if rung.name not in RECORDED]
    with progress(f"timing {len(chosen)} rungs on this GPU, before a profiler slows them") as step:
        return watched(chosen, LIVE, FEW, WALL, step, doing)


def programs_table(programs: Mapping[str, Profile], names: Sequence[str], caption: str) -> Table:
    """Return a row for each of `names`: the clock without a profiler,
    and what one saw of the device.
    """
    rows, live = [], not isinstance(programs, dict)
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
    return table(
        rows,
        [
            "program",
            "wall clock",
            "activities",
            "their sum",
            "first to last",
            "at work",
            "copies beside kernels",
        ],
        caption,
    )


NONE = "No GPU has recorded a profile of it yet: `convladder record --profiles` does."


class Tables:
    """Tables one below the other."""

    def __init__(self, tables: list[Table]) -> None:
        self.tables = tables

    def __repr__(self) -> str:
        return "\n\n".join(map(repr, self.tables)) or NONE

    def _repr_html_(self) -> str:
        return "".join(each._repr_html_() for each in self.tables) or NONE


def rung_profiles(name: str) -> Tables:
    """Return what GPUs did in one run of a rung or a library: as recorded, and the RTX 2060."""
    tables = [device_table(_plain(profile), label) for label, profile in profiles_of(name).items()]
    return Tables(tables)


def profiles_of(name: str) -> dict[str, Profile]:
    """Return label -> profile of a rung or a library's way.

    This GPU's, or the newest record's, and the RTX 2060's.
    """
    profiles = {}
    here = name in {rung.name for rung in rungs("gpu")} - RECORDED
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
    """Return what device and host did in the first `microseconds` of a run.

    Raises `ValueError` where no profile has `name`.
    """
    profile = next(
        (programs[name] for programs in profile_runs().values() if name in programs), None
    )
    if profile is None:
        raise ValueError(
            f"no record has a profile of {name!r}: `convladder record --profiles` "
            "makes one on a GPU"
        )
    return timeline_picture(profile.events, title, 0, microseconds)
