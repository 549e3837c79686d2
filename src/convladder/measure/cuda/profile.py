"""A profile of a GPU: activities as plain data, their table, and how they overlap.

`cupti` takes them from a GPU; a record keeps them; everything here works without one.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from ...core.text import seconds_text

COPIES = ("upload", "download", "copy")
KEPT = 100  # activities of the device that a record keeps of a run, and up to four times the calls
SLACK = 1.15  # of the table's sum over the wall clock: a profiler slows what it watches


@dataclass(frozen=True)
class Activity:
    """One thing that was done from `start` to `end`, in nanoseconds of one clock for all.

    `kind`: "kernel", "upload", "download", "copy" within the device, "set" of memory, or "call",
    which is the host's. `stream`: from 1, in order of appearance; 0 for a call. `bytes` of a copy.
    """

    kind: str
    name: str
    start: int
    end: int
    stream: int = 0
    bytes: int = 0

    @property
    def seconds(self) -> float:
        """Return how long it took."""
        return (self.end - self.start) / 1e9


@dataclass(frozen=True)
class Row:
    """All activities of one name: how many, their seconds together, the shortest, the longest."""

    name: str
    kind: str
    calls: int
    seconds: float
    least: float
    most: float
    bytes: int = 0

    @property
    def mean(self) -> float:
        """Return the seconds of one."""
        return self.seconds / self.calls


def rows_of(activities: Iterable[Activity]) -> list[Row]:
    """Return a row for each kind and name, the longest together first."""
    groups: dict[tuple[str, str], list[Activity]] = {}
    for each in activities:
        groups.setdefault((each.kind, each.name), []).append(each)
    rows = [
        Row(name, kind, len(group), sum(a.end - a.start for a in group) / 1e9,
            min(a.seconds for a in group), max(a.seconds for a in group),
            sum(a.bytes for a in group))
        for (kind, name), group in groups.items()
    ]  # fmt: skip
    return sorted(rows, key=lambda row: -row.seconds)


def busy(activities: Iterable[Activity]) -> float:
    """Return the seconds in which at least one was at work: the length of the union."""
    return _covered(activities) / 1e9


def overlap(some: Sequence[Activity], others: Sequence[Activity]) -> float:
    """Return the seconds in which some of the first and some of the others were at work."""
    return (_covered(some) + _covered(others) - _covered([*some, *others])) / 1e9


def _covered(activities: Iterable[Activity]) -> int:
    """Nanoseconds of the union."""
    total, until = 0, None
    for each in sorted(activities, key=lambda a: a.start):
        begin = each.start if until is None else max(each.start, until)
        if each.end > begin:
            total += each.end - begin
        until = each.end if until is None else max(until, each.end)
    return total


def hidden_copies(activities: Iterable[Activity]) -> float:
    """Return the seconds in which copies and kernels ran at the same time."""
    there = list(activities)
    return overlap([a for a in there if a.kind in COPIES], [a for a in there if a.kind == "kernel"])


def span(activities: Sequence[Activity]) -> float:
    """Return the seconds from the first beginning to the last end; 0 for none."""
    if not activities:
        return 0.0
    return (max(a.end for a in activities) - min(a.start for a in activities)) / 1e9


def outermost(calls: Iterable[tuple[int, int, int]]) -> list[int]:
    """Return which of calls `(thread, start, end)` lie in no other one of their thread, by number.

    The runtime's functions call the driver's: counted both, their time would count twice.
    """
    there = list(calls)
    order = sorted(range(len(there)), key=lambda n: (there[n][0], there[n][1], -there[n][2]))
    kept, thread, until = [], None, 0
    for number in order:
        own, start, end = there[number]
        if own != thread or start >= until:
            kept.append(number)
            thread, until = own, end
    return sorted(kept)


@dataclass(frozen=True)
class Profile:
    """Some runs of one program, as CUPTI saw them.

    `device` and `calls`: the rows of all `runs` together. `span`, `busy` and `overlap`: the
    quartiles over the runs of the seconds from the device's first activity to its last end, those
    in which it was at work, and those in which copies and kernels were at the same time. `wall`:
    the host's quartiles of a run without the profiler, `profiled` with it. `events`: one run, that
    of the median span, from its first activity on, at most the first `KEPT` of the device and
    calls until then; `events_of` says how many of the device's there were.
    """

    runs: int
    device: tuple[Row, ...]
    calls: tuple[Row, ...]
    span: tuple[float, float, float]
    busy: tuple[float, float, float]
    overlap: tuple[float, float, float]
    wall: tuple[float, float, float]
    profiled: tuple[float, float, float]
    events: tuple[Activity, ...]
    events_of: int

    @property
    def device_seconds(self) -> float:
        """Return all device activities of one run, one after the other."""
        return sum(row.seconds for row in self.device) / self.runs

    def seconds(self, name: str) -> float:
        """Return the seconds of a name's activities in one run. Raises `ValueError` for none."""
        found = [row for row in (*self.device, *self.calls) if row.name == name]
        if not found:
            raise ValueError(
                f"{name!r} is in neither table; there is "
                + ", ".join(row.name for row in (*self.device, *self.calls))
            )
        return sum(row.seconds for row in found) / self.runs

    def share(self, name: str) -> float:
        """Return one device name's share of all that it did, as the table's first column has it."""
        return self.seconds(name) / self.device_seconds

    def seconds_if_faster(self, line: int, factor: float) -> float:
        """Return the program's seconds if line `line` of `device`, from 1, took a `factor`-th.

        Raises `ValueError` where there is no such line, or lines overlap, so that this cannot be
        told.
        """
        if not 1 <= line <= len(self.device):
            raise ValueError(f"the table has lines 1 to {len(self.device)}, not {line}")
        wall, total = self.wall[1], self.device_seconds
        if total > SLACK * wall:
            raise ValueError(
                f"the lines add up to {seconds_text(total)}, and the program takes "
                f"{seconds_text(wall)}: they overlap, so that a line's seconds are not the "
                "program's"
            )
        seconds = self.device[line - 1].seconds / self.runs
        return max(wall, total) - seconds + seconds / factor


def profile_of(
    runs: Sequence[Sequence[Activity]], profiled: Sequence[float], wall: tuple[float, float, float]
) -> Profile:
    """Return the profile of `runs` (activities of each); `profiled`: each one's host seconds.

    `wall`: quartiles of the host's seconds for a run without the profiler. Raises `ValueError` if
    a run left nothing on the device.
    """
    device = [[a for a in run if a.kind != "call"] for run in runs]
    if not runs or not all(device):
        raise ValueError("a run without any activity of the device: the profiler saw nothing")
    spans = [span(run) for run in device]
    middle = sorted(range(len(runs)), key=spans.__getitem__)[(len(runs) - 1) // 2]
    return Profile(
        len(runs),
        tuple(rows_of(a for run in device for a in run)),
        tuple(rows_of(a for run in runs for a in run if a.kind == "call")),
        quartiles(spans), quartiles(map(busy, device)), quartiles(map(hidden_copies, device)),
        wall, quartiles(profiled),
        tuple(first_events(runs[middle])), len(device[middle]),
    )  # fmt: skip


def first_events(run: Sequence[Activity], most: int = KEPT) -> list[Activity]:
    """Return the device's first `most` activities, the first `4 * most` calls till then, from 0."""
    device = sorted((a for a in run if a.kind != "call"), key=lambda a: a.start)[:most]
    until = max(a.end for a in device)
    calls = sorted(
        (a for a in run if a.kind == "call" and a.start <= until), key=lambda a: a.start
    )[: 4 * most]
    zero = min(a.start for a in [*device, *calls])
    streams = list(dict.fromkeys(a.stream for a in device))
    return sorted(
        (Activity(a.kind, a.name, a.start - zero, a.end - zero,
                  0 if a.kind == "call" else 1 + streams.index(a.stream), a.bytes)
         for a in [*device, *calls]), key=lambda a: (a.start, a.end))  # fmt: skip


def quartiles(values: Iterable[float]) -> tuple[float, float, float]:
    """Return the values at 25, 50 and 75 percent."""
    low, median, high = np.percentile(list(values), (25, 50, 75))
    return float(low), float(median), float(high)


def as_dict(profile: Profile) -> dict[str, object]:
    """Return it for JSON: rows and events as lists, names of events by number, four digits."""
    names = list(dict.fromkeys(a.name for a in profile.events))
    number = {name: place for place, name in enumerate(names)}
    return {
        "runs": profile.runs,
        **{what: [_rounded(value) for value in getattr(profile, what)]
           for what in ("span", "busy", "overlap", "wall", "profiled")},
        **{what: [[row.name, row.kind, row.calls, _rounded(row.seconds), _rounded(row.least),
                   _rounded(row.most), row.bytes] for row in getattr(profile, what)]
           for what in ("device", "calls")},
        "events_of": profile.events_of,
        "names": names,
        "events": [[a.kind, number[a.name], a.start, a.end, a.stream, a.bytes]
                   for a in profile.events],
    }  # fmt: skip


def profile_from_dict(data: Mapping) -> Profile:
    """Read back what `as_dict` wrote."""
    device, calls = (tuple(Row(*row) for row in data[what]) for what in ("device", "calls"))
    return Profile(
        data["runs"], device, calls, tuple(data["span"]), tuple(data["busy"]),
        tuple(data["overlap"]), tuple(data["wall"]), tuple(data["profiled"]),
        tuple(Activity(kind, data["names"][name], *rest)
              for kind, name, *rest in data["events"]),
        data["events_of"],
    )  # fmt: skip


def _rounded(value: float) -> float:
    return float(f"{value:.5g}")
