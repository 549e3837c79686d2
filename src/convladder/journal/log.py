"""The journal's file: a line an event, added whole or not at all, by any number of notebooks.

Each line is one write to the end of the file, and begins with the end of the one before it: where
a crash or a full disk left half a line, the next one still stands on its own. A lock keeps writers
apart where a file system does not (home directories on a network).
"""

from __future__ import annotations

import os
import time
from contextlib import contextmanager
from functools import cache
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from typing import Any
from uuid import uuid4

from .event import Event, number, parsed
from .location import VARIABLE, journal_path
from .notebook_context import notebook_cell
from .send import share

try:
    import fcntl
except ImportError:  # Windows, whose own files know no such lock
    fcntl = None

WAIT = 0.001  # seconds for the lock at most: no check waits for another notebook
_SHOWN: set[str] = set()  # what was said already


def tell(kind: str, **said: Any) -> Event | None:
    """Add an event of the running cell; return it, or None where nothing was kept.

    said: fields of `Event`. Never raises: a journal that cannot be written is told once, in a
    sentence. Where the learner shares with a class's board, it is sent in the background.
    """
    try:
        path = journal_path()
        if path is None:
            return None
        notebook, cell = notebook_cell()
        cell = said.pop("cell", cell)
        for name in ("prediction", "measured"):
            if name in said:
                said[name] = number(said[name])
        event = Event(kind, notebook, cell, session=_session(os.getpid()), course=_course(), **said)
        append(path, event)
        share(path, event)
        return event
    except OSError as error:
        _say_once(
            f"(Your progress is not being kept: {error.strerror or error}. "
            f"All else works; {VARIABLE} may name another file.)"
        )
    except Exception as error:  # whatever it is, the cell of the learner goes on
        _say_once(f"(Your progress is not being kept: {type(error).__name__}: {error}.)")
    return None


def append(path: Path, event: Event) -> None:
    """Add an event at the end of `path`, in one write. Raises OSError."""
    data = b"\n" + event.line().encode()
    flags = os.O_APPEND | os.O_CREAT | os.O_WRONLY
    try:
        file = os.open(path, flags, 0o600)
    except FileNotFoundError:
        path.parent.mkdir(parents=True, exist_ok=True)
        file = os.open(path, flags, 0o600)
    try:
        with _locked(file):
            written = os.write(file, data)
    finally:
        os.close(file)
    if written != len(data):
        raise OSError(0, "there is no room left on the disk")


def events(path: Path | None = None) -> list[Event]:
    """Return the journal's events in the order of writing, each once; [] where there is none.

    Lines that are not whole, or of a later version, are passed over. Raises OSError for a file
    that cannot be read.
    """
    path = path or journal_path()
    if path is None or not path.is_file():
        return []
    found: dict[str, Event] = {}
    for line in path.read_text(encoding="utf-8", errors="replace").splitlines():
        event = parsed(line)
        if event is not None:
            found.setdefault(event.uid, event)
    return list(found.values())  # a clock may have been wrong for a while


def export(target: Path) -> int:
    """Write the journal's events to `target`, a line each; return how many. Raises OSError."""
    kept = events()
    target.write_text("".join(event.line() + "\n" for event in kept), encoding="utf-8")
    return len(kept)


def forget() -> Path | None:
    """Begin anew: put the journal aside, under a name with the time. Return that; None where there
    was none. Raises OSError."""
    path = journal_path()
    if path is None or not path.is_file():
        return None
    aside = path.with_name(f"{path.stem}-{time.strftime('%Y-%m-%d-%H%M%S')}{path.suffix}")
    os.replace(path, aside)
    return aside


@contextmanager
def _locked(file: int):
    """Hold the file's lock, if it is to be had at once; a write is whole on most systems anyway."""
    until = time.perf_counter() + WAIT
    while fcntl is not None:
        try:
            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
            break
        except BlockingIOError:
            if time.perf_counter() > until:
                break
            time.sleep(WAIT / 20)
        except OSError:  # a file system without locks
            break
    yield  # closing the file lets go


@cache
def _session(process: int) -> str:
    return uuid4().hex[:12]


@cache
def _course() -> str:
    try:
        return version("convladder")
    except PackageNotFoundError:
        return ""


def _say_once(text: str) -> None:
    if "note" not in _SHOWN:
        _SHOWN.add("note")
        print(text)
