"""A queue at a file that everybody may only read: who comes first is served first.

A ticket is a lock of an open file description (Linux) on bytes of the file behind those of the
last in the queue, as many bytes as the milliseconds that its turn is expected to last. The locks
before mine are the queue. The system takes a lock away when its process ends, however it ends, so
nobody waits for the dead; and since such a lock needs no right to write, the file may be root's.
"""

from __future__ import annotations

import os
import struct
import weakref
from collections.abc import Iterator
from pathlib import Path
from time import perf_counter, sleep

try:
    import fcntl
except ImportError:  # Windows
    fcntl = None

NAP = 0.005
MOMENT = 1.0  # second in which a ticket is drawn, unless somebody holds up the drawing
STRIDE = 2**20  # bytes from one ticket to the next
ALL = 2**62
LAYOUT = "hhqqi4x"  # struct flock of 64-bit Linux: type, whence, start, length, process

_open: weakref.WeakSet[Ticket] = weakref.WeakSet()


class Ticket:
    """A place in the queue at the file `path`, for a turn of about `expected` seconds.

    Raises `OSError` where the file cannot be read, or this system has no such locks.
    """

    def __init__(self, path: Path, expected: float):
        if not hasattr(fcntl, "F_OFD_SETLK"):
            raise OSError("this system has no locks of open files")
        self._file = os.open(path, os.O_RDONLY | os.O_CLOEXEC)
        _open.add(self)
        try:
            self._draw(min(STRIDE, max(1, round(1000 * expected))))
        except BaseException:
            self.give_back()
            raise

    def _draw(self, length: int) -> None:
        until = perf_counter() + MOMENT
        while True:  # one at a time: whoever draws at the same moment would get the same number
            try:
                fcntl.flock(self._file, fcntl.LOCK_EX | fcntl.LOCK_NB)
                break
            except BlockingIOError:
                if perf_counter() > until:
                    raise
                sleep(NAP / 10)
        self.start = 0
        while last := self._lock_in(self.start, ALL):
            self.start = last[0] + STRIDE
        self._call(fcntl.F_OFD_SETLK, fcntl.F_RDLCK, self.start, length)
        fcntl.flock(self._file, fcntl.LOCK_UN)

    def ahead(self) -> list[float]:
        """Return the expected seconds of each turn before this one; with none, it is its turn."""
        return [length / 1000 for _, length in self._locks_in(0, self.start)]

    def is_next(self) -> bool:
        """Return whether nobody is before it."""
        return self._lock_in(0, self.start) is None

    def is_last(self) -> bool:
        """Return whether nobody waits behind it."""
        return self._lock_in(self.start + STRIDE, ALL) is None

    def give_back(self) -> None:
        """Leave the queue, or end the turn."""
        if self._file is not None:
            os.close(self._file)
        self._file = None
        _open.discard(self)

    def _locks_in(self, start: int, end: int) -> Iterator[tuple[int, int]]:
        # The system names any one of the locks there: look on both sides of it.
        if found := self._lock_in(start, end):
            yield found
            yield from self._locks_in(start, found[0])
            yield from self._locks_in(found[0] + STRIDE, end)

    def _lock_in(self, start: int, end: int) -> tuple[int, int] | None:
        if start >= end:
            return None
        kind, _, found, length, _ = self._call(fcntl.F_OFD_GETLK, fcntl.F_WRLCK, start, end - start)
        return None if kind == fcntl.F_UNLCK else (found, length)

    def _call(self, command: int, kind: int, start: int, length: int) -> tuple:
        asked = struct.pack(LAYOUT, kind, os.SEEK_SET, start, length, 0)
        return struct.unpack(LAYOUT, fcntl.fcntl(self._file, command, asked))


def _after_fork() -> None:
    for ticket in list(_open):
        ticket.give_back()  # the child's copy: a lock lasts as long as any copy of its file


if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=_after_fork)
