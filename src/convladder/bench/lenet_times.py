"""The ladder's times on other machines: those that `convladder ladder lenet --json` wrote, and
those published for an RTX 2060 (docs/sources.md), which started the course.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache
from math import nan
from pathlib import Path
from statistics import median
from typing import TYPE_CHECKING

from ..measure.cuda.profile import Profile, Row
from ..records.store import RECORDS, load, records

if TYPE_CHECKING:
    from .lenet import LenetComparison

FOLDER = "lenet"  # of its records
RTX_2060 = RECORDS / FOLDER / "rtx-2060.json"
# Floors: the images' bare way to the device, and what a processor needs for the arithmetic alone.
FLOORS = COPY, BYTES, ARITHMETIC = "copy of float32", "copy of bytes", "multiply-adds alone"


@dataclass(frozen=True)
class Times:
    """One run of the ladder on `device` ("cpu" or "gpu"); all in seconds, by name.

    `seconds`: medians from images in host memory to labels there; rungs, libraries' ways and bare
    parts of a run. `device_seconds`: of a GPU's own work, from images that lie there;
    `issue_seconds`: of the host until it has given that work away. `libraries`: which names
    are a library's, and of which. `judged`: what the judge said of each.
    """

    label: str
    device: str
    images: int
    seconds: dict[str, float]
    device_seconds: dict[str, float] = field(default_factory=dict)
    issue_seconds: dict[str, float] = field(default_factory=dict)
    libraries: dict[str, str] = field(default_factory=dict)
    judged: dict[str, str] = field(default_factory=dict)

    @classmethod
    def of(cls, result: LenetComparison, label: str) -> Times:
        """Return the times of rungs timed here. Raises `ValueError` for those that were not."""
        if result.comparison is None:
            raise ValueError("there are no times: nothing is timed on the emulator")
        return cls(
            label, result.device, result.images,
            {name: timing.median for name, timing in result.comparison.timings.items()},
            result.device_seconds, result.issue_seconds, result.libraries,
            {name: str(judgement) for name, judgement in result.judgements.items()},
        )  # fmt: skip

    def gain(self, before: str, after: str, on_device: bool = False) -> float:
        """Return how many times as fast `after` is as `before`, host to host or on the device."""
        times = self.device_seconds if on_device else self.seconds
        return times[before] / times[after]

    def best_of(self, library: str, on_device: bool = False) -> str | None:
        """Return the quickest of a library's ways, from host to host or of the device's work."""
        times = self.device_seconds if on_device else self.seconds
        ways = [name for name, of in self.libraries.items() if of == library and name in times]
        return min(ways, key=times.__getitem__, default=None)


def recorded(device: str = "gpu", folder: str | Path = FOLDER) -> list[Times]:
    """Return a folder's records, the course's by default, the newest first; no RTX 2060's."""
    return [_times(record) for record in records(folder) if record.get("device") == device]


def _times(record: Mapping) -> Times:
    machine = record["machine"]
    return Times(
        f"{machine['gpu' if record['device'] == 'gpu' else 'cpu']}, recorded {record['date']}",
        record["device"], record["images"],
        {name: median(rounds) for name, rounds in record["rounds"].items()},
        record["device_seconds"], record.get("issue_seconds", {}), record["libraries"],
        record["judged"],
    )  # fmt: skip


@cache
def _published() -> dict:
    return load(RTX_2060)


def rtx_2060() -> Times:
    """Return what was published of eight programs on an RTX 2060, the ladder's first rungs."""
    source = _published()
    return Times(
        "NVIDIA GeForce RTX 2060, published", "gpu", source["images"],
        source["seconds"] | source["libraries"],
        libraries=dict.fromkeys(source["libraries"], "torch"),
    )  # fmt: skip


def rtx_2060_profile(rung: str) -> Profile:
    """Return nvprof's tables for a rung on the RTX 2060, of one run, without when it did what.

    Raises `ValueError` for a rung that was not published.
    """
    source = _published()
    if rung not in source["profiles"]:
        raise ValueError(f"the RTX 2060 has no profile of {rung!r}; there is "
                         + ", ".join(source["profiles"]))
    tables, wall = source["profiles"][rung], source["seconds"][rung]
    unknown = (nan, nan, nan)
    return Profile(
        1, _rows(tables["activities"]), _rows(tables["calls"], "call"), unknown, unknown, unknown,
        (wall, wall, wall), unknown, (), 0,
    )  # fmt: skip


def _rows(rows: Iterable[Sequence], kind: str | None = None) -> tuple[Row, ...]:
    return tuple(Row(name, kind or _kind(name), calls, seconds, least, most)
                 for seconds, calls, _, least, most, name in rows)


def _kind(name: str) -> str:
    return {"[CUDA memcpy HtoD]": "upload", "[CUDA memcpy DtoH]": "download"}.get(name, "kernel")
