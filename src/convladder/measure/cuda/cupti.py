"""CUPTI, by which NVIDIA's own profilers see what a GPU does, within this very process.

Kernels, copies and the calls that the host makes become `profile.Activity`s.
"""

from __future__ import annotations

import ctypes
import re
from collections.abc import Callable
from functools import cache
from importlib import metadata
from importlib.util import find_spec
from time import perf_counter
from typing import Any

from ...core.install import install_text
from .gpu_info import cupy_cuda
from .profile import Activity, Profile, outermost, profile_of

BUFFER_BYTES = 64 << 20  # so large that Python is seldom called while something is measured
SLOW = 0.1  # seconds of a run that is not done a second time only to have CUPTI take its buffers
WARM = 3  # runs that do not count
MOST = 20  # runs that do
LONGEST_NAME = 60
COPIED = {1: ("upload", "HtoD"), 2: ("download", "DtoH"), 8: ("copy", "DtoD")}
MEMORY = {1: "pageable", 2: "pinned", 3: "device", 5: "managed"}


def missing() -> str | None:
    """Return why nothing can be profiled on this machine, in a sentence, or None."""
    from ... import cuda

    if not cuda.gpu():
        return (
            "there is no NVIDIA GPU that CuPy sees, and only one can be profiled; chapter 13 "
            "shows the recorded profiles of one"
        )
    if cupy_cuda() == 12:
        return (
            "live profiles need CUDA 13, which has a driver from 580 on; chapter 13 shows the "
            "recorded profiles of another GPU"
        )
    if find_spec("cupti") is None:
        return "cupti-python is not installed, which reads the GPU's activities: " + install_text(
            "gpu"
        )
    return None


def version() -> str:
    """Return the version of cupti-python. Raises `PackageNotFoundError` without it."""
    return metadata.version("cupti-python")


class Recorder:
    """From its making on, CUPTI notes what the GPU does; `take` hands it over.

    One a process: see `cupti_session`. Graphs must be recorded and launched after it is made.
    """

    def __init__(self) -> None:
        from cupti import cupti

        self._cupti, self._noted = cupti, []
        cupti.activity_register_callbacks(lambda: (BUFFER_BYTES, 0), self._note)
        kinds = cupti.ActivityKind
        for kind in (
            kinds.CONCURRENT_KERNEL,
            kinds.MEMCPY,
            kinds.MEMSET,
            kinds.RUNTIME,
            kinds.DRIVER,
        ):
            cupti.activity_enable(kind)

    def now(self) -> int:
        """Return CUPTI's clock, in nanoseconds."""
        return self._cupti.get_timestamp()

    def stir(self) -> None:
        """Give the GPU something small to do and wait for it, so that CUPTI takes its buffers."""
        from ... import cuda

        cuda.empty(1).fill(0)
        cuda.synchronize()

    def take(self) -> list[Activity]:
        """Return all noted since the last time, once the GPU has done what was put on it."""
        from ... import cuda

        cuda.synchronize()
        self._cupti.activity_flush_all(1)
        noted, self._noted = self._noted, []
        return activities_of(noted, self._called)

    def _note(self, records: list) -> None:
        """CUPTI's own thread calls this; its records last only as long as the call."""
        self._noted.extend(plain(record) for record in records)

    def _called(self, kind: int, number: int) -> str:
        domain = self._cupti.CallbackDomain
        return self._cupti.get_callback_name(
            domain.DRIVER_API if kind == DRIVER else domain.RUNTIME_API, number
        )


KERNELS, MEMCPY, MEMSET, DRIVER, RUNTIME = (3, 10), 1, 2, 4, 5  # CUpti_ActivityKind


def plain(record: Any) -> tuple | None:
    """Return the fields of one of CUPTI's records that count; None for a kind that is not ours."""
    kind = record.kind
    if kind in KERNELS:
        return (kind, record.start, record.end, record.stream_id, record.name)
    if kind == MEMCPY:
        return (
            kind,
            record.start,
            record.end,
            record.stream_id,
            record.copy_kind,
            record.src_kind,
            record.dst_kind,
            record.bytes,
        )
    if kind == MEMSET:
        return (kind, record.start, record.end, record.stream_id, record.bytes)
    if kind in (DRIVER, RUNTIME):
        return (kind, record.start, record.end, record.thread_id, record.cbid)
    return None


def activities_of(noted: list[tuple | None], called: Callable[[int, int], str]) -> list[Activity]:
    """Return the activities that `plain` kept, in order of time; of nested calls the outermost.

    `called(kind, number)` names a function of the driver or the runtime. Streams are numbered from
    1 as they appear.
    """
    there = [each for each in noted if each is not None]
    calls = [each for each in there if each[0] in (DRIVER, RUNTIME)]
    found = [
        Activity("call", function_name(called(calls[n][0], calls[n][4])), *calls[n][1:3])
        for n in outermost((thread, start, end) for _, start, end, thread, _ in calls)
    ]
    streams: dict[int, int] = {}
    device = [each for each in there if each[0] not in (DRIVER, RUNTIME)]
    for kind, start, end, stream, *rest in sorted(device, key=lambda each: each[1]):
        row = streams.setdefault(stream, len(streams) + 1)
        if kind in KERNELS:
            found.append(Activity("kernel", kernel_name(rest[0]), start, end, row))
        elif kind == MEMSET:
            found.append(Activity("set", "[CUDA memset]", start, end, row, rest[0]))
        else:
            way, source, target, size = rest
            what, letters = COPIED.get(way, ("copy", "other"))
            host = MEMORY.get(target if what == "download" else source, "unknown")
            name = f"[CUDA memcpy {letters}{'' if what == 'copy' else ', ' + host}]"
            found.append(Activity(what, name, start, end, row, size))
    return sorted(found, key=lambda a: (a.start, a.end))


def profiled(
    work: Callable[[], object],
    wall: tuple[float, float, float],
    budget: float = 1.0,
    most: int = MOST,
) -> Profile:
    """Run `work` under CUPTI for about `budget` seconds, after `WARM` runs that do not count.

    `wall`: quartiles of runs without CUPTI, which a profile keeps beside its own. `work` must wait
    for what it started. One run at least, `most` at most.
    """
    recorder = cupti_session()
    warm: list[float] = []
    while len(warm) < WARM and sum(warm) < budget:
        warm.append(_seconds(work))
    recorder.take()
    runs, seconds = [], []
    while not runs or (len(runs) < most and sum(seconds) < budget):
        # CUPTI takes new buffers for those that the last `take` gave back, which holds up the host
        # for some ten milliseconds: not within what is seen.
        (work if warm[-1] < SLOW else recorder.stir)()
        begin = recorder.now()
        seconds.append(_seconds(work))
        end = recorder.now()
        runs.append([a for a in recorder.take() if begin <= a.start <= end])
    return profile_of(runs, seconds, wall)


def _seconds(work: Callable[[], object]) -> float:
    start = perf_counter()
    work()
    return perf_counter() - start


@cache
def cupti_session() -> Recorder:
    """Return the recorder of this process. Raises `RuntimeError` where `missing` says why."""
    if reason := missing():
        raise RuntimeError(reason)
    return Recorder()


def function_name(name: str) -> str:
    """Return `cudaLaunchKernel` for `cudaLaunchKernel_v7000`."""
    return re.sub(r"(_ptsz|_ptds)?(_v\d+)?$", "", name)


@cache
def kernel_name(name: str) -> str:
    """Return a kernel's name as in its source: no return type, parameters, long instances."""
    name = _demangled(name).replace("(anonymous namespace)::", "").removeprefix("void ")
    depth = 0
    for place, letter in enumerate(name):
        depth += (letter == "<") - (letter == ">")
        if letter == "(" and depth == 0:
            name = name[:place]
            break
    if len(name) > LONGEST_NAME:
        name = name.partition("<")[0]
    return name if len(name) <= LONGEST_NAME else name[: LONGEST_NAME - 1] + "…"


def _demangled(name: str) -> str:
    """By the C++ library's own function where it is to be had."""
    if not name.startswith("_Z"):
        return name
    try:
        library = ctypes.CDLL("libstdc++.so.6")
    except OSError:
        return name
    library.__cxa_demangle.restype = ctypes.c_void_p
    status = ctypes.c_int()
    place = library.__cxa_demangle(name.encode(), None, None, ctypes.byref(status))
    if not place:
        return name
    plain_name = ctypes.string_at(place).decode()
    ctypes.CDLL(None).free(ctypes.c_void_p(place))
    return plain_name
