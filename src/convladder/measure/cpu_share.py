"""The share of a core that a section received; others had the core for the rest of its time.

Linux counts for each thread how long it ran, and how long it stood in the queue for a core. macOS
does not tell of the queue: there a single thread that was never taken off its core received all,
and of others its processor time over the wall clock is told. Windows tells neither finely enough.
"""

from __future__ import annotations

import os
import threading
from time import perf_counter, process_time, thread_time
from typing import NamedTuple

try:
    import resource
except ImportError:  # Windows
    resource = None

TASKS = "/proc/self/task"
OWN = "/proc/thread-self/schedstat"  # "nanoseconds running, nanoseconds queued, times started"
UPTIME = "/proc/uptime"
SLEPT = 0.1  # of a section: who waits so long of its own accord does not compute on one thread
FOREIGN = 0.05  # of all cores: with less, it is our own threads that stood in each other's way
_WHO = getattr(resource, "RUSAGE_THREAD", getattr(resource, "RUSAGE_SELF", 0))


class Received(NamedTuple):
    """One section: its `wall` seconds, `busy` seconds of processor time, and the `share` of a core.

    `share` is None where the system does not tell. `slept`: whether its one thread waited for
    something else than a core (another thread, a device), so that its own clock is not its time.
    """

    wall: float
    busy: float
    share: float | None
    slept: bool = False


class _Files(threading.local):
    """Open files of each thread, since opening one takes five times as long as reading it."""

    def __init__(self):
        self.own, self.of, self.links = None, {}, 0


class _Opened(int):
    """A descriptor that is closed when nothing holds it any more: with its thread, as a rule."""

    def __del__(self, close=os.close):  # `os` itself may be gone when the interpreter ends
        try:
            close(self)
        except OSError:
            pass


_files = _Files()


def _after_fork() -> None:
    global _files
    _files = _Files()  # those of the parent tell of the parent


if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=_after_fork)


def _queued() -> int | None:
    """Return the nanoseconds for which this thread has waited for a core, None if untold."""
    try:
        if _files.own is None:
            _files.own = _Opened(os.open(OWN, os.O_RDONLY))
        return _second(_files.own)
    except (OSError, IndexError, ValueError):
        return None


def _queued_by_thread() -> dict[str, int] | None:
    """Return the time that each thread of this process was queued."""
    try:
        links = os.stat(TASKS).st_nlink  # grows and shrinks with the number of threads
        if links == _files.links:
            try:
                return {task: _second(file) for task, file in _files.of.items()}
            except ProcessLookupError:  # one has ended, and another has begun
                pass
        return _listed(links)
    except (OSError, IndexError, ValueError):
        return None


def _listed(links: int) -> dict[str, int]:
    queued, files = {}, _files.of
    for task in os.listdir(TASKS):
        try:
            if task not in files:
                files[task] = _Opened(os.open(f"{TASKS}/{task}/schedstat", os.O_RDONLY))
            queued[task] = _second(files[task])
        except (ProcessLookupError, FileNotFoundError):  # it has ended meanwhile
            continue
    for gone in files.keys() - queued.keys():
        del files[gone]
    _files.links = links
    return queued


def _second(file: int) -> int:
    return int(os.pread(file, 64, 0).split(None, 2)[1])


class Section:
    """The clocks read at its begin, `end()` reads them again. Some microseconds each.

    `threads` is how many the section is held to: with one, what this thread received counts, with
    more, that of all threads of the process.
    """

    def __init__(self, threads: int = 1):
        self._threads = threads
        if threads == 1:
            self._queued, self._switches = _queued(), _switches()
            self._busy = thread_time()
        else:
            self._queues = _queued_by_thread()
            self._busy = process_time()
        self._begin = perf_counter()

    def end(self) -> Received:
        """Return the share that the section has received so far."""
        wall = perf_counter() - self._begin
        if self._threads == 1:
            return self._one(wall, thread_time() - self._busy)
        return self._several(wall, process_time() - self._busy)

    def _one(self, wall: float, busy: float) -> Received:
        slept, moved = _switches()
        slept, moved = slept - self._switches[0], moved - self._switches[1]
        queued = None if self._queued is None else 1e-9 * ((_queued() or 0) - self._queued)
        if resource is None:
            return Received(wall, busy, None)
        if queued is None:
            return Received(
                wall,
                busy,
                _quotient(busy, wall) if moved else 1.0,
                slept > 0 and not moved and busy < (1 - SLEPT) * wall,
            )
        # Without a sleep all that is missing was others', the host of a virtual machine among them.
        had = wall - queued if slept else busy
        return Received(
            wall, busy, _quotient(had, wall), slept > 0 and wall - busy - queued > SLEPT * wall
        )

    def _several(self, wall: float, busy: float) -> Received:
        after = None if self._queues is None else _queued_by_thread()
        if after is None:
            return Received(wall, busy, None)
        queued = 1e-9 * sum(after[task] - self._queues.get(task, 0) for task in after)
        # More threads than cores queue behind one another: all cores is all that there is.
        return Received(wall, busy, _quotient(busy, min(busy + queued, wall * _cores())))


class CpuLoad:
    """How much of all cores other programs had, since it was made."""

    def __init__(self):
        self._idle, self._busy, self._begin = _idle(), process_time(), perf_counter()

    def others(self) -> float | None:
        """Return the share of all cores that others had, 0 to 1; None where untold."""
        wall, idle = perf_counter() - self._begin, _idle()
        if idle is None or self._idle is None:
            return None
        used = wall * _cores() - (idle - self._idle) - (process_time() - self._busy)
        return min(1.0, max(0.0, used / (wall * _cores())))


def load() -> float | None:
    """Return how many threads wanted a core in the last minute, None where untold."""
    try:
        return os.getloadavg()[0]
    except (AttributeError, OSError):  # Windows
        return None


def _quotient(part: float, whole: float) -> float:
    return 1.0 if whole <= 0 else min(1.0, max(0.0, part / whole))


def _switches() -> tuple[int, int]:
    """Return how often this thread (on macOS this process) left a core, freely and not."""
    if resource is None:
        return 0, 0
    used = resource.getrusage(_WHO)
    return used.ru_nvcsw, used.ru_nivcsw


def _idle() -> float | None:
    """Return seconds in which cores had nothing to do, since the system began, of all added up."""
    try:
        with open(UPTIME, encoding="ascii") as file:
            return float(file.read().split()[1])
    except (OSError, IndexError, ValueError):
        return None


def _cores() -> int:
    return os.cpu_count() or 1
