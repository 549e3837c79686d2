"""What a kernel may cost: an exercise's budget, what a run took of it, and which lines took it."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from math import ceil
from typing import Any

from ... import cuda
from ...cuda.emulator.source import masked

COUNTS = {  # of a report; in the sentence "with 7 ..."
    "global_load_requests": "requests to load from global memory",
    "global_load_sectors": "sectors loaded from global memory",
    "global_store_requests": "requests to store to global memory",
    "global_store_sectors": "sectors stored to global memory",
    "shared_requests": "requests to shared memory",
    "shared_conflicts": "bank conflicts",
    "global_atomics": "atomic operations on global memory",
}
COPIED = {  # where an exercise asks how its copies run
    "exposed_bytes": "bytes brought into shared memory while nobody computes",
    "asynchronous_bytes": "bytes by asynchronous copies",
}
SECTOR = 32  # bytes
LONE = 4  # bytes, of one lane
LANES = 32  # of a warp
VECTORS = 512  # bytes, with four floats in each lane
BARRIERS = "barriers"  # of the text, not of a report: how many places, not how often
_BARRIER = re.compile(r"\b__syncthreads(_\w+)?\s*\(")


@dataclass(frozen=True)
class Cost:
    """What a run took, by the names of `COUNTS` and its like, beside what is allowed of some.

    `words` says each, `barriers` are the lines of the source that have one.
    """

    counts: Mapping[str, int]
    budget: Mapping[str, float]
    words: Mapping[str, str]
    barriers: Mapping[int, str]

    @property
    def cost(self) -> tuple[int, ...]:
        """Return the bare numbers."""
        return tuple(self.counts.values())

    @property
    def over(self) -> list[str]:
        """Return what was beyond the budget."""
        return [count for count, most in self.budget.items() if self.counts[count] > most]

    def within(self) -> str:
        """Return the end of the sentence "Your kernel ... is right"."""
        return f", with {self._listed(self.budget)}." if self.budget else "."

    def beyond(self) -> str:
        """Return the same where it is over the budget."""
        return f", but with {self._listed(self.over)}."

    def barrier_lines(self) -> str:
        """Return the lines with barriers, numbered."""
        return "\n".join(f"line {number}: {text}" for number, text in self.barriers.items())

    def _listed(self, counts: Iterable[str]) -> str:
        return "; ".join(
            f"{self.counts[count]:,} {self.words[count]} ({self.budget[count]:,} allowed)"
            for count in counts
        )


def measured(budget: Mapping[str, float], report: cuda.Report, source: Callable[[], str]) -> Cost:
    """Return what a run took by its report, and by its `source()` where barriers are counted."""
    asked = COUNTS | (COPIED if COPIED.keys() & budget.keys() else {})
    counts = {count: getattr(report, count) for count in asked}
    barriers = barriers_of(source()) if BARRIERS in budget else {}
    if BARRIERS in budget:
        counts[BARRIERS] = len(barriers)
    return Cost(counts, budget, asked | {BARRIERS: "barriers in its text"}, barriers)


def barriers_of(source: str) -> dict[int, str]:
    """Return the barriers that stand in a kernel's text: line -> the line."""
    lines = source.splitlines()
    return {
        number: lines[number - 1].strip()
        for number, code in enumerate(masked(source).splitlines(), 1)
        if _BARRIER.search(code)
    }


def cause(report: cuda.Report, used: Cost, held: int, made: int) -> str:
    """Return what the counts themselves say of why they are too many, in a sentence, or "".

    held: bytes of the arrays that the kernel is given. made: of its result.
    """
    return (
        _conflicts(report, used)
        or _of_access(report, used, "load", held)
        or _of_access(report, used, "store", made)
    )


def _conflicts(report: cuda.Report, used: Cost) -> str:
    """Return how often the worst line goes through shared memory, if conflicts are too many."""
    if "shared_conflicts" not in used.over:
        return ""
    line = max(report.lines, key=lambda line: line.traffic.shared_conflicts)
    passes = 1 + line.traffic.shared_conflicts / max(1, line.traffic.shared_requests)
    return (
        f"A request of line {line.number} goes {passes:.3g} times through shared memory: "
        "its lanes want different words of one bank."
    )


def _of_access(report: cuda.Report, used: Cost, kind: str, own: int) -> str:
    """Return why there are too many loads, or stores, of arrays of `own` bytes; "" if unknown."""
    requests, sectors = f"global_{kind}_requests", f"global_{kind}_sectors"
    said = ""
    if requests in used.over:
        said = _narrow(report, kind, own, used.budget[requests]) or _alone(
            report, kind, used.counts[requests] - used.budget[requests]
        )
    if sectors in used.over and not said:
        beyond = used.counts[sectors] - used.budget[sectors]
        said = (
            _apart(report, kind, beyond)
            or _alone(report, kind, beyond)
            or _part_idle(report, kind, beyond)
        )
    if (requests in used.over or sectors in used.over) and not said:
        said = _again(report, kind, own)
    return said


def _narrow(report: cuda.Report, kind: str, own: int, most: float) -> str:
    """Return that requests carry too few bytes, if `most` of one float a lane cannot carry all."""
    line = max(report.lines, key=lambda line: _of(line.traffic, kind)[0])
    requests, _, asked = _of(line.traffic, kind)
    each = asked / max(1, requests)
    if own <= LANES * LONE * most or each > VECTORS / 2:  # a few that are not full do not count
        return ""
    return (
        f"A request of line {line.number} {kind}s {each:,.0f} bytes: with a `float4` in each "
        f"of 32 lanes it would be {VECTORS}."
    )


def _apart(report: cuda.Report, kind: str, beyond: float) -> str:
    """Return that a line's lanes want places in many sectors, if half of `beyond` comes of it."""
    line = max(report.lines, key=lambda line: _spread(line.traffic, kind))
    requests, sectors, asked = _of(line.traffic, kind)
    if not requests or 2 * _spread(line.traffic, kind) < beyond:
        return ""
    return (
        f"A request of line {line.number} takes {sectors / requests:.3g} sectors, where "
        f"{max(1, ceil(asked / requests / SECTOR))} would hold what its lanes want: they want "
        "places that lie apart, or that begin within a sector."
    )


def _alone(report: cuda.Report, kind: str, beyond: float) -> str:
    """Return that one lane of a warp asks at a time, if half of `beyond` comes of it.

    Of a request of one lane each is a sector, so that it is the same for both.
    """
    found = [
        line
        for line in report.lines
        if _of(line.traffic, kind)[2] <= LONE * _of(line.traffic, kind)[0]
    ]
    line = max(found, key=lambda line: _of(line.traffic, kind)[0], default=None)
    requests, _, asked = _of(line.traffic, kind) if line else (0, 0, 0)
    if not requests or requests < beyond / 2:
        return ""
    return (
        f"A request of line {line.number} {kind}s {asked / requests:,.0f} bytes: of 32 lanes "
        "one has something to do."
    )


def _part_idle(report: cuda.Report, kind: str, beyond: float) -> str:
    """Return that requests of half a warp or less are so many, if half of `beyond` comes of it."""
    line = max(report.lines, key=lambda line: _of(line.traffic, kind)[0])
    requests, _, asked = _of(line.traffic, kind)
    whole = LANES * LONE
    if 2 * asked > whole * requests or requests - asked / whole < beyond / 2:
        return ""
    return (
        f"A request of line {line.number} {kind}s {asked / requests:,.0f} bytes, where a warp "
        f"of which every lane wants a float {kind}s {whole}: lanes have nothing to do, or want "
        "less than a float."
    )


def _again(report: cuda.Report, kind: str, own: int) -> str:
    """Return that more is loaded or stored than there is, if it is twice as much or more."""
    asked = _of(report, kind)[2]
    if not asked >= 2 * own > 0:
        return ""
    if kind == "load":
        return (
            f"Its threads ask for {asked:,} bytes in all, and the arrays that they read have "
            f"{own:,}: the same values are loaded again and again."
        )
    return (
        f"Its threads store {asked:,} bytes in all, and the result has {own:,}: the same "
        "places are written again and again."
    )


def _of(traffic: cuda.Traffic, kind: str) -> tuple[int, int, int]:
    return tuple(
        getattr(traffic, f"global_{kind}_{each}") for each in ("requests", "sectors", "bytes")
    )


def _spread(traffic: cuda.Traffic, kind: str) -> float:
    """Return the sectors beyond those that would hold what lanes want, if it lay together."""
    requests, sectors, asked = _of(traffic, kind)
    return sectors - max(requests, asked / SECTOR)


def busiest_lines(report: cuda.Report, counts: Iterable[str]) -> str:
    """Return the lines with most of `counts`."""

    def weight(line: Any) -> int:
        return sum(getattr(line.traffic, count, 0) for count in counts)

    lines = sorted(report.lines, key=weight, reverse=True)[:3]
    return "\n".join(
        f"line {line.number}: {line.text.strip()}\n    "
        + ", ".join(
            f"{number:,} {words}"
            for count, words in (COUNTS | COPIED).items()
            if (count in COUNTS or count in counts) and (number := getattr(line.traffic, count))
        )
        for line in lines
        if weight(line)
    )
