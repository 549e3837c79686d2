"""The ladder's times: of a run here, of other machines' (`ladder lenet --json`), and those
published for an RTX 2060 (docs/sources.md), which started the course.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache
from math import nan
from pathlib import Path
from statistics import median

from ..measure import Comparison
from ..measure.cuda.profile import Profile, Row
from ..networks.lenet.network import MACS
from ..networks.lenet.reference import Judgement
from .metadata import cpu_metadata
from .records import RECORDS, load, load_records

FOLDER = "lenet"  # of its records
RTX_2060 = RECORDS / FOLDER / "rtx-2060.json"
# Floors: the images' bare way to the device, and what a processor needs for the arithmetic alone.
FLOORS = COPY, BYTES, ARITHMETIC = "copy of float32", "copy of bytes", "multiply-adds alone"


@dataclass(frozen=True)
class LenetComparison:
    """What `compare_rungs` found, by name: rungs first, then libraries, then bare parts of a run.

    `comparison` times runs from images in host memory to labels there; None where no GPU ran.
    `device_seconds` are a GPU's, for its own work, `issue_seconds` the host's until it has given
    that work away. `libraries` maps a library's ways to its name, `judgements` has all but the
    bare parts. `absent` says why a library's way did not run.
    """

    device: str
    images: int
    judgements: dict[str, Judgement]
    comparison: Comparison | None
    device_seconds: dict[str, float]
    libraries: dict[str, str]
    absent: dict[str, str]
    issue_seconds: dict[str, float] = field(default_factory=dict)

    def flops_per_s(self, name: str) -> float:
        """Return the arithmetic of the network over the median time of a run."""
        return 2 * MACS * self.images / self.comparison.timings[name].median

    def of_the_peak(self, name: str) -> float:
        """Return the part of a run's time that its multiply-adds alone take, in the same rounds."""
        return self.comparison.ratio(ARITHMETIC, name)

    def best_of(self, library: str) -> str | None:
        """Return the quickest of a library's ways, None if it was not there."""
        ways = [name for name, of in self.libraries.items() if of == library]
        return min(ways, key=lambda name: self.comparison.timings[name].median, default=None)

    def as_dict(self) -> dict[str, object]:
        """Return it as a record, with machine, day and versions, ready for JSON."""
        rounds = self.comparison.rounds if self.comparison else {}
        return {
            **cpu_metadata(),
            "device": self.device,
            "images": self.images,
            "libraries": self.libraries,
            "absent": self.absent,
            "device_seconds": self.device_seconds,
            "issue_seconds": self.issue_seconds,
            "rounds": {name: list(times) for name, times in rounds.items()},
            "judged": {name: str(judgement) for name, judgement in self.judgements.items()},
        }


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
    return [_times(record) for record in load_records(folder) if record.get("device") == device]


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
        raise ValueError(
            f"the RTX 2060 has no profile of {rung!r}; there is " + ", ".join(source["profiles"])
        )
    tables, wall = source["profiles"][rung], source["seconds"][rung]
    unknown = (nan, nan, nan)
    return Profile(
        1, _rows(tables["activities"]), _rows(tables["calls"], "call"), unknown, unknown, unknown,
        (wall, wall, wall), unknown, (), 0,
    )  # fmt: skip


def _rows(rows: Iterable[Sequence], kind: str | None = None) -> tuple[Row, ...]:
    return tuple(
        Row(name, kind or _kind(name), calls, seconds, least, most)
        for seconds, calls, _, least, most, name in rows
    )


def _kind(name: str) -> str:
    return {"[CUDA memcpy HtoD]": "upload", "[CUDA memcpy DtoH]": "download"}.get(name, "kernel")
