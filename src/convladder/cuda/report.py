"""The memory traffic of a traced launch, counted as Nsight Compute counts it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, fields
from typing import Any

from .faults import Fault, array_names, faults_of
from .launch_checks import Shape

WHOLE = 2**32 - 1  # the mask of a warp's 32 lanes


@dataclass
class Traffic:
    """Counts of one line, or of all.

    A request is one instruction of one warp; a sector is 32 bytes of global memory. `bytes` are
    those that the lanes asked for. `conflicts`: passes through shared memory beyond those that the
    width of the access needs. `branches` are pieces of code that a warp began, `divergent` those
    begun by a part of its running lanes. `global_atomics` and `shared_atomics` are operations, a
    lane's each; their `turns` add up, for each request, how many go one after the other: the
    most of its lanes that want one place in global memory, or one bank of shared memory, where
    those that add one to the same word count once. `asynchronous_bytes`: of those stored to shared
    memory, such as came by asynchronous copies; `overlapped_bytes`: while their thread read shared
    memory.
    """

    global_load_requests: int = 0
    global_load_sectors: int = 0
    global_load_bytes: int = 0
    global_store_requests: int = 0
    global_store_sectors: int = 0
    global_store_bytes: int = 0
    shared_load_requests: int = 0
    shared_load_conflicts: int = 0
    shared_store_requests: int = 0
    shared_store_conflicts: int = 0
    atomic_requests: int = 0
    branches: int = 0
    divergent: int = 0
    shared_load_bytes: int = 0
    shared_store_bytes: int = 0
    global_atomics: int = 0
    shared_atomics: int = 0
    global_atomic_turns: int = 0
    shared_atomic_turns: int = 0
    asynchronous_bytes: int = 0
    overlapped_bytes: int = 0

    def add(self, other: Traffic) -> None:
        for entry in fields(Traffic):
            setattr(self, entry.name, getattr(self, entry.name) + getattr(other, entry.name))

    @property
    def shared_requests(self) -> int:
        return self.shared_load_requests + self.shared_store_requests

    @property
    def shared_conflicts(self) -> int:
        return self.shared_load_conflicts + self.shared_store_conflicts

    @property
    def exposed_bytes(self) -> int:
        """Return the bytes brought into shared memory while their threads did nothing else."""
        return self.shared_store_bytes - self.overlapped_bytes


@dataclass(frozen=True)
class Line:
    """A line of the source and its traffic."""

    number: int
    text: str
    traffic: Traffic


@dataclass(frozen=True)
class Request:
    """One request of the watched warp.

    `kind`: "loads", "stores", "atomics", or with "shared_" before. `array`: the parameter or the
    shared array. `offsets`: of each lane, in bytes from the array's start; None for idle lanes.
    A replay also has kinds "steps", a piece of code begun, and "barriers".
    """

    line: int
    kind: str
    array: str
    size: int
    offsets: tuple[int | None, ...]
    warp: int = 0


@dataclass(repr=False)
class Report(Traffic):
    """One launch's counts: the totals, `lines`, `requests` of the watched warp, and `faults`."""

    kernel: str = ""
    file: str = ""
    shape: Shape | None = None
    lines: list[Line] = field(default_factory=list)
    requests: list[Request] = field(default_factory=list)
    faults: list[Fault] = field(default_factory=list)
    unwatched: int = 0  # requests of the watched warps beyond those that are kept

    @classmethod
    def of(cls, answer: dict, kernel: Any, shape: Shape, arguments: Sequence[object]) -> Report:
        """Make a report from the runtime's answer to a traced launch of `kernel`, an `Emulated`."""
        from .emulator.debug_lines import line_of

        library, text = kernel.library(True), kernel.source.splitlines()
        report = cls(kernel=kernel.name, file=kernel.file, shape=shape)
        by_line: dict[int, Traffic] = {}
        for site in answer["sites"]:
            traffic = _traffic(site)
            report.add(traffic)
            number = line_of(library, kernel.file, site["site"])
            if number is not None and number <= len(text):
                by_line.setdefault(number, Traffic()).add(traffic)
        report.lines = [Line(n, text[n - 1], by_line[n]) for n in sorted(by_line)]
        names = array_names(kernel.parameters, arguments)
        report.requests = [
            _request(told, names, line_of(library, kernel.file, told["site"]) or 0)
            for told in answer["watched"]
        ]
        report.unwatched = answer["unwatched"]
        report.faults = faults_of(answer, kernel, arguments, traced=True)
        return report

    @property
    def ok(self) -> bool:
        """Return whether nothing was found wrong."""
        return not self.faults

    def _faults(self, kind: str) -> list[Fault]:
        return [fault for fault in self.faults if fault.kind == kind]

    @property
    def races(self) -> list[Fault]:
        return self._faults("race")

    @property
    def out_of_bounds(self) -> list[Fault]:
        return self._faults("out of bounds")

    @property
    def uninitialised(self) -> list[Fault]:
        return self._faults("unwritten")

    @property
    def misaligned(self) -> list[Fault]:
        return self._faults("misaligned")

    @property
    def barriers(self) -> list[Fault]:
        return self._faults("barrier")

    @property
    def lanes(self) -> list[Fault]:
        return self._faults("warp")

    @property
    def copies(self) -> list[Fault]:
        return self._faults("copy")

    @property
    def sectors(self) -> int:
        """Return the sectors of loads and stores together."""
        return self.global_load_sectors + self.global_store_sectors

    def __str__(self) -> str:
        from .report_listing import as_text

        return as_text(self)

    __repr__ = __str__

    def _repr_html_(self) -> str:
        from .report_listing import as_html

        return as_html(self)


def _traffic(site: dict) -> Traffic:
    def numbers(kind: str) -> list[int]:  # requests, sectors, bytes, lanes, conflicts, turns
        return site.get(kind, [0] * 6)

    loads, stores = numbers("loads"), numbers("stores")
    shared_loads, shared_stores = numbers("shared_loads"), numbers("shared_stores")
    atomics, shared_atomics = numbers("atomics"), numbers("shared_atomics")
    branches, divergent, _ = site.get("steps", [0] * 3)
    return Traffic(
        loads[0], loads[1], loads[2], stores[0], stores[1], stores[2],
        shared_loads[0], shared_loads[4], shared_stores[0], shared_stores[4],
        atomics[0] + shared_atomics[0], branches, divergent, shared_loads[2], shared_stores[2],
        atomics[3], shared_atomics[3], atomics[5], shared_atomics[5], site.get("copied", 0),
        site.get("overlapped", 0),
    )  # fmt: skip


def _request(told: dict, names: Sequence[str], line: int) -> Request:
    array = told.get("shared") or (names[told["array"]] if told["array"] >= 0 else "")
    lanes, mask = told["offsets"], told["mask"]
    if mask != WHOLE:  # there are thousands, mostly of a whole warp
        lanes = [offset if mask >> lane & 1 else None for lane, offset in enumerate(lanes)]
    return Request(line, told["kind"], array, told["size"], tuple(lanes), told["warp"])
