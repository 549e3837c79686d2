"""The bytes that a function really allocates besides its result."""

from __future__ import annotations

import ctypes
import gc
import re
import sys
import threading
import time
import tracemalloc
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from ..core.text import bytes_text

# Python's own small objects (views, tuples, numbers) are counted with the arrays: a method of
# NumPy calls has one to four kilobytes of them. Measured workspace is exact to this many bytes.
RESOLUTION = 8192
MOST_READINGS = 5
SAME = 1024  # bytes by which two readings that agree may differ
LONG = 0.1  # seconds, after which they may differ by `RESOLUTION`


@dataclass(frozen=True)
class Memory:
    """Bytes that one call took at its peak.

    `workspace`: all that Python was told of, less the result. Exact to `RESOLUTION`.
    `result`: the buffer of the array that it returned, 0 if that array only views an argument, or
    was there before.
    `resident`: by how much the process grew in physical memory, result included; None where the
    system does not tell (elsewhere than Linux).
    """

    workspace: int
    result: int
    resident: int | None

    @property
    def hidden(self) -> int | None:
        """Return growth that Python was not told of, exact to a few MiB; None where `resident` is.

        Here is the copy that `np.matmul` makes, by plain malloc (NumPy 2.3 and later), of an
        operand that BLAS cannot take as it lies; and what any other library takes for itself,
        unless it has kept it since an earlier call. Huge pages round large arrays up.
        """
        if self.resident is None:
            return None
        return max(0, self.resident - self.workspace - self.result)

    def __str__(self) -> str:
        grown = "" if self.resident is None else f"; the process grew by {mib(self.resident)}"
        return f"{mib(self.workspace)} of workspace besides a result of {mib(self.result)}{grown}"


def workspace(fn: Callable, *args) -> Memory:
    """Measure the memory of `fn(*args)`, which is called twice: once before, uncounted.

    NumPy and Numba report their arrays to `tracemalloc`, from all threads; for what C code takes
    besides them see `Memory.hidden`. A thread that is none of `fn`'s, such as those that send a
    notebook's output, would be counted as well: where another one ran meanwhile, `fn` is measured
    again, until none did, or until the two smallest readings agree: others can only add to one. A
    larger buffer of which the result is a view counts as workspace beyond the result's own bytes.
    The garbage collector rests meanwhile, so that the answer does not depend on when it runs. An
    error in `fn` passes through.
    """
    fn(*args)  # compiles, imports and fills caches, which are not the method's workspace
    readings: list[Memory] = []
    begin = time.perf_counter()
    for _ in range(MOST_READINGS):
        before = _others_ran()
        reading = traced(fn, *args)
        if before is not None and before == _others_ran():
            return reading
        readings = sorted([*readings, reading], key=lambda memory: memory.workspace)
        near = SAME if time.perf_counter() - begin <= LONG else RESOLUTION
        if len(readings) > 1 and readings[1].workspace - readings[0].workspace <= near:
            break
    return readings[0]


def _others_ran() -> dict[int, str] | None:
    """How often and for how long the system ran each other Python thread; None if not told."""
    others = {thread.native_id for thread in threading.enumerate()} - {threading.get_native_id()}
    if None in others:  # about to begin, or stopped as it began
        return None
    try:
        return {
            number: Path(f"/proc/self/task/{number}/schedstat").read_text()
            for number in sorted(others)
        }
    except OSError:  # elsewhere than on Linux, or a thread has ended just now
        return None


def traced(fn: Callable, *args) -> Memory:
    """Return `workspace` without the call before: for a function that has run already."""
    collecting, tracing = gc.isenabled(), tracemalloc.is_tracing()
    gc.collect(1)  # what calls before have left; older objects would cost half a second a call
    gc.disable()
    if not tracing:
        tracemalloc.start()
    try:
        resident = _restart_resident_peak()
        tracemalloc.reset_peak()
        start, _ = tracemalloc.get_traced_memory()
        y = fn(*args)
        _, peak = tracemalloc.get_traced_memory()
        grown = None if resident is None else max(0, _status("VmHWM") - resident)
        size = y.nbytes if isinstance(y, np.ndarray) else 0
        # Where somebody else traces as well, no trace says that it was made meanwhile.
        made = _no_arguments(y, args) if tracing else _made_meanwhile(y)
        held, _ = tracemalloc.get_traced_memory()
        del y
        freed = held - tracemalloc.get_traced_memory()[0]
    finally:
        if not tracing:
            tracemalloc.stop()
        if collecting:
            gc.enable()
    # A view of an argument frees nothing when it goes; nor does what is still referred to, as by a
    # recursive function within `fn`, which refers to itself.
    result = size if made or freed > size / 2 else 0
    return Memory(max(0, peak - start - result), result, grown)


def _made_meanwhile(y: object) -> bool:
    """Return whether the memory of an array was allocated since `tracemalloc` was started."""
    while isinstance(base := getattr(y, "base", None), np.ndarray) or hasattr(base, "base"):
        y = base  # of a view, or what `as_strided` puts between
    return (
        isinstance(y, np.ndarray)
        and y.flags.owndata
        and tracemalloc.get_object_traceback(y) is not None
    )


def _no_arguments(y: object, args: tuple) -> bool:
    """Return whether `y` is an array, and none of `args` in another view."""
    return isinstance(y, np.ndarray) and not any(
        np.may_share_memory(y, arg) for arg in args if isinstance(arg, np.ndarray)
    )


def _restart_resident_peak() -> int | None:
    """Forget the peak of resident memory so far; bytes resident now, None if not told."""
    if sys.platform != "linux":
        return None
    try:
        # Freed memory that malloc still holds would be used again and hide the growth.
        ctypes.CDLL(None).malloc_trim(0)
    except AttributeError:
        pass  # musl has no such call, and gives memory back by itself
    try:
        Path("/proc/self/clear_refs").write_text("5")  # proc(5): resets VmHWM to VmRSS
    except OSError:
        return None
    return _status("VmRSS") if _status("VmHWM") is not None else None


def _status(field: str) -> int | None:
    match = re.search(rf"{field}:\s+(\d+) kB", Path("/proc/self/status").read_text())
    return int(match[1]) * 1024 if match else None


def mib(size: float) -> str:
    """Return bytes as `27.14 MiB`."""
    return f"{size / 2**20:,.2f} MiB"


def workspace_text(count: int) -> str:
    """Return `bytes_text`, but "none" for what is no more than Python's own small objects."""
    return bytes_text(count) if count > RESOLUTION else "none"
