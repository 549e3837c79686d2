"""Rungs of LeNet-5 and libraries on the same images: judged first, then timed in turns."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from time import perf_counter

import numpy as np

from .. import cuda
from ..core.progress import Progress, report_progress
from ..cuda import streams
from ..measure import compare
from ..measure.cuda.timing import gpu_lock_name
from ..measure.machine_lock import machine_lock
from ..measure.peak import multiply_adds
from ..measure.pinning import thread_count
from ..measure.quick import quick, smaller
from ..networks.lenet.digits import images, labels, weights
from ..networks.lenet.network import CLASSES, MACS
from ..networks.lenet.reference import judge, logits, shipped_logits
from ..networks.lenet.rungs import FLOAT32, Rung
from .lenet_times import ARITHMETIC, BYTES, COPY, LenetComparison
from .libraries import Library
from .libraries.lenet import peers
from .rounds import judge_then_time

READINGS = 25
LOOSE = 0.1  # precision granted to a library, in logits: on a GPU it may use TF32


def compare_rungs(
    rungs: Sequence[Rung],
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
    measurements are to be short, rungs are timed with a quarter of the images. Raises `ValueError`
    for rungs of two devices or for threads.
    """
    devices = {rung.device for rung in rungs}
    if len(devices) != 1:
        raise ValueError(f"rungs are of {len(devices)} devices; take those of one")
    device, number = devices.pop(), thread_count(threads)
    x, truth = images()[:count], labels()[:count]
    timed = device == "cpu" or cuda.backend() == "gpu"
    ways = {rung.name: rung for rung in rungs}
    if with_peers and timed:
        ways |= {way.name: way for way in peers(x, weights(), device, number)}
    expected = shipped_logits() if count is None else logits(x, weights())  # once for all
    runs, clocks, issues, judgements = {}, {}, {}, {}

    def decide(name: str, way: Rung | Library) -> bool:
        if isinstance(way, Library):
            precision, runs[name] = LOOSE if device == "gpu" else FLOAT32, way.run
            if by_parts and way.device_seconds is not None:
                clocks[name] = way.device_seconds
        else:
            session = way.session(x)
            precision, runs[name] = way.precision, session.run
            if by_parts and device == "gpu":
                clocks[name] = partial(streams.device_seconds, session.compute)
                issues[name] = partial(_issue, session.compute)
        judgements[name] = judge(runs[name](), precision, x, truth, expected)
        if quick() and isinstance(way, Rung):
            runs[name] = way.session(x[: smaller(len(x))]).run
        return judgements[name].ok

    def time(right: Sequence[str]) -> tuple:
        if not timed:
            return None, {}, {}
        progress("timing")
        parts = _parts(x, device, number, with_copies)
        for part in parts.values():
            part()  # as the others have been called by the judge
        calls = {name: runs[name] for name in right} | parts
        with machine_lock(gpu_lock_name() if device == "gpu" else None):
            return (
                compare(calls, budget=budget, threads=threads, warm=False) if calls else None,
                *(
                    {name: _seconds(each[name]) for name in each if name in right}
                    for each in (clocks, issues)
                ),
            )

    libraries = {name: way.package for name, way in ways.items() if isinstance(way, Library)}
    (comparison, on_device, issued), absent = judge_then_time(
        ways, decide, time, optional=libraries, progress=progress
    )
    present = {name: of for name, of in libraries.items() if name not in absent}
    return LenetComparison(
        device, len(x), judgements, comparison, on_device, present, absent, issued
    )


def _parts(
    x: np.ndarray, device: str, threads: int, copies: bool
) -> dict[str, Callable[[], object]]:
    """What is timed beside rungs: bare arithmetic on a processor, bare copies on a GPU."""
    if device == "cpu":
        return {ARITHMETIC: multiply_adds(len(x) * MACS, threads)}
    return _copies(x) if copies else {}


def _seconds(clock: Callable[[], float]) -> float:
    """Median of some readings: enough for half a second."""
    times = []
    while len(times) < READINGS and sum(times) < 0.5:
        times.append(clock())
    return float(np.median(times))


def _issue(work: Callable[[], None]) -> float:
    """Until `work()` is back, from a device that has nothing to do."""
    cuda.synchronize()
    begin = perf_counter()
    work()
    seconds = perf_counter() - begin
    cuda.synchronize()
    return seconds


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
