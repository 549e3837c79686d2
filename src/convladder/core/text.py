"""Times, rates, bytes and counts as a person says them."""

from __future__ import annotations

from collections.abc import Iterable
from itertools import count, groupby


class Sentence(str):
    """Words that a notebook shows without quotation marks."""

    __slots__ = ()
    __repr__ = str.__str__


def mark_disturbed(text: str, disturbed: bool) -> str:
    """Return `text`, with " (disturbed)" behind it if the figure that it shows was."""
    return f"{text} (disturbed)" if disturbed else text


def seconds_text(seconds: float) -> str:
    """Write 0.0123 as "12.3 ms"."""
    for factor, unit in ((1, "s"), (1e3, "ms"), (1e6, "µs")):
        if seconds * factor >= 0.9995:
            return f"{_three(seconds * factor)} {unit}"
    return f"{_three(seconds * 1e9)} ns"


def rate_text(per_second: float, unit: str = "FLOP") -> str:
    """Write 2.5e10 as "25.0 GFLOP/s"."""
    for factor, prefix in ((1e12, "T"), (1e9, "G"), (1e6, "M")):
        if per_second >= 0.9995 * factor:
            return f"{_three(per_second / factor)} {prefix}{unit}/s"
    return f"{_three(per_second)} {unit}/s"


def count_text(count: int, what: str) -> str:
    """Write "1 thread", "2 threads"."""
    return f"{count:,} {what}{'' if count == 1 else 's'}"


def bytes_text(count: int) -> str:
    """Write 4144005 as "3.95 MiB", coarse below 100 KiB: small Python objects do not show."""
    if count >= 2**30:
        return f"{count / 2**30:,.2f} GiB"
    if count >= 2**20 / 10:
        return f"{count / 2**20:,.2f} MiB"
    return f"{count / 2**10:.0f} KiB" if count >= 2**10 else f"{count} bytes"


def runs_text(numbers: Iterable[int], each: str, most: int = 3) -> str:
    """Write sorted numbers as "images 0 to 9 and image 99"; beyond `most` runs, how many more."""
    runs = [list(run) for _, run in groupby(numbers, lambda number, n=count(): number - next(n))]
    said = [
        f"{each} {run[0]:,}" if len(run) == 1 else f"{each}s {run[0]:,} to {run[-1]:,}"
        for run in runs[:most]
    ]
    more = sum(map(len, runs[most:]))
    *some, last = [*said, *[f"{more:,} more"] * bool(more)]
    return f"{', '.join(some)} and {last}" if some else last


def _three(value: float) -> str:
    digits = 0 if value >= 99.95 else 1 if value >= 9.995 else 2
    return f"{value:,.{digits}f}"
