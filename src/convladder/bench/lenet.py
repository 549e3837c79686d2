"""Rungs of LeNet-5 and libraries on the same images: judged first, then timed in turns.

Their times here, those of other machines' records (`ladder lenet --json`), and those published for
an RTX 2060 (docs/sources.md), which started the course.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache, partial
from math import nan
from pathlib import Path
from statistics import median

import numpy as np

from .. import cuda
from ..core.progress import Progress, report_progress
from ..cuda import streams
from ..measure import Comparison, compare, machine
from ..measure.cuda.profile import Profile, Row
from ..measure.cuda.timing import gpu_lock_name
from ..measure.machine_lock import machine_lock
from ..measure.peak import multiply_adds
from ..measure.pinning import thread_count
from ..measure.quick import quick, smaller
from ..networks.lenet.digits import images, labels, weights
from ..networks.lenet.gpu.session import GpuSession
from ..networks.lenet.network import CLASSES, MACS
from ..networks.lenet.reference import Judgement, judge, logits, shipped_logits
from ..networks.lenet.rungs import FLOAT32, LenetRung
from .launches import issue_seconds
from .libraries import Library
from .libraries.lenet import peers
from .metadata import cpu_metadata
from .records import RECORDS, load, load_records
from .rounds import judge_then_time

READINGS = 25
LIBRARY_PRECISION = 0.1  # precision granted to a library, in logits: on a GPU it may use TF32


# Floors: the images' bare way to the device, and what a processor needs for the arithmetic alone.
BARE_PARTS = COPY, BYTES, ARITHMETIC = "copy of float32", "copy of bytes", "multiply-adds alone"


@dataclass(frozen=True)
class LenetComparison:
    """One run of the ladder on `device`, "cpu" or "gpu": rungs, then libraries, then bare parts.

    By name, `seconds` are medians from images in host memory to labels there, empty where no GPU
    ran; `device_seconds` are a GPU's, for its own work, and `issue_seconds` the host's until it has
    given that work away. `libraries` maps a library's ways to its name, `absent` says why one did
    not run. `judged` has what the judge said of all but the bare parts, `wrong` whom it refused.
    `comparison` has the rounds of what was timed here.
    """

    label: str
    device: str
    images: int
    seconds: dict[str, float]
    device_seconds: dict[str, float] = field(default_factory=dict)
    issue_seconds: dict[str, float] = field(default_factory=dict)
    libraries: dict[str, str] = field(default_factory=dict)
    judged: dict[str, str] = field(default_factory=dict)
    absent: dict[str, str] = field(default_factory=dict)
    wrong: tuple[str, ...] = ()
    comparison: Comparison | None = None

    def flops_per_s(self, name: str) -> float:
        """Return the arithmetic of the network over the median time of a run."""
        return 2 * MACS * self.images / self.seconds[name]

    def share_of_peak(self, name: str) -> float:
        """Return the part of a run's time that its multiply-adds alone take, in the same rounds."""
        return self.comparison.ratio(ARITHMETIC, name)

    def gain(self, before: str, after: str, on_device: bool = False) -> float:
        """Return how many times as fast `after` is as `before`, host to host or on the device."""
        times = self.device_seconds if on_device else self.seconds
        return times[before] / times[after]

    def best_of(self, library: str, on_device: bool = False) -> str | None:
        """Return the fastest of a library's ways, None if it was not there."""
        times = self.device_seconds if on_device else self.seconds
        ways = [name for name, of in self.libraries.items() if of == library and name in times]
        return min(ways, key=times.__getitem__, default=None)

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
            "judged": self.judged,
        }

    @classmethod
    def from_dict(cls, record: Mapping) -> LenetComparison:
        """Read back what `as_dict` wrote, but for the rounds."""
        machine = record["machine"]
        return cls(
            f"{machine['gpu' if record['device'] == 'gpu' else 'cpu']}, recorded {record['date']}",
            record["device"], record["images"],
            {name: median(rounds) for name, rounds in record["rounds"].items()},
            record["device_seconds"], record.get("issue_seconds", {}), record["libraries"],
            record["judged"],
        )  # fmt: skip


def compare_rungs(
    rungs: Sequence[LenetRung],
    *,
    count: int | None = None,
    threads: int | None = None,
    with_peers: bool = False,
    with_copies: bool = False,
    by_parts: bool = True,
    budget: float = 0.5,
    progress: Progress = report_progress,
) -> LenetComparison:
    """Judge `rungs` of one device on the first `count` test images (default: all), then time those
    that were right, `budget` seconds each; with libraries and, on a GPU, bare copies of the images
    if asked for. `by_parts`: on a GPU also its own work, and the host's until it has given it away.

    On the emulator nothing is timed. On the CPU the bare arithmetic runs beside them. Where
    measurements are to be short, a quarter of the images is judged and timed. Raises `ValueError`
    for rungs of two devices or for threads.
    """
    devices = {rung.device for rung in rungs}
    if len(devices) != 1:
        raise ValueError(f"rungs are of {len(devices)} devices; take those of one")
    device, number = devices.pop(), thread_count(threads)
    timed = device == "cpu" or cuda.backend() == "gpu"
    if timed and quick():
        count = smaller(len(images()[:count]))
    x, truth = images()[:count], labels()[:count]
    ways: dict[str, LenetRung | Library] = {rung.name: rung for rung in rungs}
    if with_peers and timed:
        ways |= {way.name: way for way in peers(x, weights(), device, number)}
    expected = shipped_logits() if count is None else logits(x, weights())  # once for all
    ready: dict[str, ReadyWay] = {}
    judgements: dict[str, Judgement] = {}

    def decide(name: str, way: LenetRung | Library) -> bool:
        ready[name] = ready_way(way, x, device, by_parts)
        judgements[name] = judge(ready[name].run(), ready[name].precision, x, truth, expected)
        return judgements[name].ok

    def time(right: Collection[str]) -> tuple:
        if not timed:
            return None, {}, {}
        progress("timing")
        parts = _parts(x, device, number, with_copies)
        for part in parts.values():
            part()  # as the others have been called by the judge
        chosen = {name: ready[name] for name in right}
        calls = {name: each.run for name, each in chosen.items()} | parts
        with machine_lock(gpu_lock_name() if device == "gpu" else None):
            return (
                compare(calls, budget=budget, threads=threads, warm=False) if calls else None,
                _medians({name: each.device_seconds for name, each in chosen.items()}),
                _medians({name: each.issue_seconds for name, each in chosen.items()}),
            )

    libraries = {name: way.package for name, way in ways.items() if isinstance(way, Library)}
    (comparison, on_device, issued), absent = judge_then_time(
        ways, decide, time, optional=libraries, progress=progress
    )
    here = machine()
    return LenetComparison(
        f"{here.cpu}, {here.cores} cores, here" if device == "cpu" else f"{here.gpu}, here",
        device,
        len(x),
        {name: each.median for name, each in comparison.timings.items()} if comparison else {},
        on_device,
        issued,
        {name: of for name, of in libraries.items() if name not in absent},
        {name: str(judgement) for name, judgement in judgements.items()},
        absent,
        tuple(name for name, judgement in judgements.items() if not judgement.ok),
        comparison,
    )


@dataclass(frozen=True)
class ReadyWay:
    """A rung or a library's way that is ready to run; on a GPU with the clocks of its parts.

    `precision`: the distance from the expected logits that the judge grants.
    """

    run: Callable[[], np.ndarray]
    precision: float
    device_seconds: Callable[[], float] | None = None
    issue_seconds: Callable[[], float] | None = None


def ready_way(
    way: LenetRung | Library, x: np.ndarray, device: str, by_parts: bool = False
) -> ReadyWay:
    """Return a way that is ready to label images `x`; `by_parts`: on a GPU with its clocks."""
    if isinstance(way, Library):
        precision = LIBRARY_PRECISION if device == "gpu" else FLOAT32
        return ReadyWay(way.run, precision, way.device_seconds if by_parts else None)
    session = way.session(x)
    if not (by_parts and isinstance(session, GpuSession)):
        return ReadyWay(session.run, way.precision)
    clocks = (partial(clock, session.compute) for clock in (streams.device_seconds, issue_seconds))
    return ReadyWay(session.run, way.precision, *clocks)


def _medians(clocks: Mapping[str, Callable[[], float] | None]) -> dict[str, float]:
    """Return the median of some readings of each clock that there is: enough for half a second."""
    medians = {}
    for name, clock in clocks.items():
        times: list[float] = []
        while clock and len(times) < READINGS and sum(times) < 0.5:
            times.append(clock())
        if times:
            medians[name] = float(np.median(times))
    return medians


def _parts(
    x: np.ndarray, device: str, threads: int, copies: bool
) -> dict[str, Callable[[], object]]:
    """Return the calls timed beside rungs: bare arithmetic on a processor, bare copies on a GPU."""
    if device == "cpu":
        return {ARITHMETIC: multiply_adds(len(x) * MACS, threads)}
    return _copies(x) if copies else {}


def _copies(images: np.ndarray) -> dict[str, Callable[[], object]]:
    """The bare way to the device, which no run from such images can be quicker than, for bytes
    and for float32, page-locked and not; and the way from logits on the host to labels."""

    def copy(dtype: type, pinned: bool) -> Callable[[], None]:
        host = streams.pinned(images.shape, dtype) if pinned else np.empty(images.shape, dtype)
        device = cuda.empty(images.shape, dtype)
        host[...] = images

        def run() -> None:
            streams.upload(device, host)
            streams.current().synchronize()

        return run

    logits = np.random.default_rng(0).standard_normal((len(images), CLASSES), np.float32)
    return {
        BYTES: copy(np.uint8, True),
        COPY: copy(np.float32, True),
        f"{COPY}, pageable": copy(np.float32, False),
        "labels from logits": partial(logits.argmax, axis=1),
    }


def lenet_records(device: str = "gpu", kind: str | Path = "lenet") -> list[LenetComparison]:
    """Return the records of a device's rungs, the newest first, without the RTX 2060's."""
    return [
        LenetComparison.from_dict(record)
        for record in load_records(kind)
        if record.get("device") == device
    ]


@cache
def _published() -> dict:
    return load(RECORDS / "lenet" / "rtx-2060.json")


def rtx_2060() -> LenetComparison:
    """Return the published times of eight programs on an RTX 2060, the ladder's first rungs."""
    source = _published()
    return LenetComparison(
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
