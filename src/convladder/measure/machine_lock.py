"""One measurement at a time where learners share a machine.

`CONVLADDER_ROOM` names a folder with one file for each shared resource, `processor` and `gpu`. A
measurement that needs all of it locks the file. Where the variable is not set, nothing is opened.
One thread takes no lock: its own clock does not count the other learners.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from threading import local
from time import perf_counter, sleep

try:
    import fcntl
except ImportError:  # Windows
    fcntl = None

VARIABLE = "CONVLADDER_ROOM"
PROCESSOR, GPU = "processor", "gpu"
LONGEST_WAIT = 20.0  # seconds for one figure: then it is measured beside the others
NAP = 0.005

_held = local()  # the names that this thread has locked
_reported: set[Path] = set()


def shared_folder() -> Path | None:
    """Return the folder of the locks, None where nobody shares the machine."""
    folder = os.environ.get(VARIABLE)
    return Path(folder) if folder else None


@contextmanager
def machine_lock(name: str | None) -> Iterator[bool]:
    """Lock `name` for a measurement; yield whether it runs beside others: the wait was too long.

    Nothing is locked for None, alone on a machine, or where this thread already has the lock. A
    lock ends with its block, and with its process. A folder without the file is reported once.
    """
    folder, held = shared_folder(), _held.__dict__.setdefault("names", set())
    if name is None or folder is None or name in held:
        yield False
        return
    try:
        file = os.open(folder / name, os.O_RDONLY | os.O_CLOEXEC)
    except OSError as error:
        _report(folder / name, error)
        yield False
        return
    held.add(name)
    try:
        yield not _locked(file)
    finally:
        held.discard(name)
        if fcntl:
            fcntl.flock(file, fcntl.LOCK_UN)  # also of the copies that forked children have
        os.close(file)


def _locked(file: int) -> bool:
    """Wait for the lock; return whether it came in time."""
    if fcntl is None:
        return False
    until = perf_counter() + LONGEST_WAIT
    while True:
        try:
            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
            return True
        except BlockingIOError:
            if perf_counter() >= until:
                return False
            sleep(NAP)


def _report(path: Path, error: OSError) -> None:
    if path not in _reported:
        _reported.add(path)
        print(
            f"{VARIABLE}={path.parent}: cannot lock {path.name!r} ({error.strerror or error}), "
            "so figures on several threads or the GPU are measured beside the other learners. "
            "Make an empty file of that name, which learners need only read.",
            file=sys.stderr,
        )
