"""Rungs and libraries on the same images: judged first, then timed in turns."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from functools import partial
from time import perf_counter

import numpy as np

from .. import cuda
from ..cuda import streams
from ..lenet.digits import images, labels, weights
from ..lenet.network import CLASSES, MACS
from ..lenet.reference import Judgement, judge
from ..lenet.rungs import FLOAT32, Rung
from ..measure import Comparison, compare
from ..measure.peak import multiply_adds
from ..measure.pinning import thread_count
from .lenet_times import ARITHMETIC, BYTES, COPY
from .libraries.lenet import peers

READINGS = 25
LOOSE = 0.1  # precision granted to a library, in logits: on a GPU it may use TF32


@dataclass(frozen=True)
class Contest:
    """What came of it. All is by name, rungs first, then libraries, then bare parts of a run.

    `comparison` times runs from images in host memory to labels there; None where no GPU ran.
    `device_seconds` are a GPU's, for its own work, `issue_seconds` the host's until it has given
    that work away. `libraries` maps contestants of a library to its name, `judgements` has all but
    the bare parts. `absent` says why a library's way did not run.
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
        """Arithmetic of the network over the median time of a run."""
        return 2 * MACS * self.images / self.comparison.timings[name].median

    def of_the_peak(self, name: str) -> float:
        """What part of a run's time its multiply-adds alone would take, in the same rounds."""
        return self.comparison.ratio(ARITHMETIC, name)

    def best_of(self, library: str) -> str | None:
        """The quickest of a library's ways, None if it was not there."""
        ways = [name for name, of in self.libraries.items() if of == library]
        return min(ways, key=lambda name: self.comparison.timings[name].median, default=None)


def contest(
    rungs: Sequence[Rung],
    *,
    count: int | None = None,
    threads: int | None = None,
    with_peers: bool = False,
    budget: float = 0.5,
    progress: Callable[[str], None] = lambda what: None,
) -> Contest:
    """Judge `rungs` of one device on the first `count` test images (default: all), then time those
    that were right, `budget` seconds each; with libraries and copies if asked for.

    On the emulator nothing is timed. On the CPU the bare arithmetic runs beside them. Raises
    `ValueError` for rungs of two devices or for threads.
    """
    devices = {rung.device for rung in rungs}
    if len(devices) != 1:
        raise ValueError(f"rungs are of {len(devices)} devices; take those of one")
    device, number = devices.pop(), thread_count(threads)
    x, truth = images()[:count], labels()[:count]
    runs, clocks, issues, judgements = {}, {}, {}, {}
    for rung in rungs:
        progress(rung.name)
        session = rung.session(x)
        judgements[rung.name] = judge(session.run(), rung.precision, x, truth)
        runs[rung.name] = session.run
        if device == "gpu":
            clocks[rung.name] = partial(streams.device_seconds, session.compute)
            issues[rung.name] = partial(_issue, session.compute)
    timed = device == "cpu" or cuda.backend() == "gpu"
    libraries, absent = {}, {}
    if with_peers and timed:
        progress("libraries")
        for peer in peers(x, weights(), device, number):
            try:
                answer = peer.run()
            except Exception as error:  # a compiler that is not there, memory: not our contest's
                absent[peer.name] = f"{type(error).__name__}: {error}".splitlines()[0]
                continue
            precision = LOOSE if device == "gpu" else FLOAT32
            judgements[peer.name] = judge(answer, precision, x, truth)
            runs[peer.name], libraries[peer.name] = peer.run, peer.library
            if peer.device_seconds is not None:
                clocks[peer.name] = peer.device_seconds
        if device == "gpu":
            runs |= _parts(x)
    if device == "cpu":
        runs[ARITHMETIC] = multiply_adds(len(x) * MACS, number)
    right = {name: run for name, run in runs.items()
             if name not in judgements or judgements[name].ok}
    if timed:
        progress("timing")
    return Contest(
        device, len(x), judgements,
        compare(right, budget=budget, threads=threads) if timed and right else None,
        {name: _seconds(clock) for name, clock in clocks.items() if timed and name in right},
        libraries, absent,
        {name: _seconds(issue) for name, issue in issues.items() if timed and name in right},
    )  # fmt: skip


def _seconds(clock: Callable[[], float]) -> float:
    """The median of some readings: enough for half a second."""
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


def _parts(images: np.ndarray) -> dict[str, Callable[[], object]]:
    """The bare way to the device, which no run from such images can be quicker than, for bytes
    and for float32, page-locked and not; and the way from logits on the host to labels."""

    def copy(dtype: type, pinned: bool) -> Callable[[], None]:
        host = streams.pinned(images.shape, dtype) if pinned else np.empty(images.shape, dtype)
        room = cuda.empty(images.shape, dtype)
        host[...] = images

        def run() -> None:
            streams.upload(room, host)
            streams.current().synchronize()

        return run

    logits = np.random.default_rng(0).standard_normal((len(images), CLASSES), np.float32)
    return {
        BYTES: copy(np.uint8, True),
        COPY: copy(np.float32, True),
        f"{COPY}, pageable": copy(np.float32, False),
        "labels from logits": partial(logits.argmax, axis=1),
    }
