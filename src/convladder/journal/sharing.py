"""Whether a learner shares with a class's board, and how far what they did was sent.

A file beside the journal, of the learner alone: the board's address, since when, up to which byte
of the journal all was sent, and whether they left. A lock beside it keeps two notebooks from
sending the same; where a file system has none, the board knows an event again by its uid.
"""

from __future__ import annotations

import hashlib
import json
import os
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import asdict, dataclass, replace
from pathlib import Path

try:
    import fcntl
except ImportError:  # Windows
    fcntl = None

VARIABLE = "CONVLADDER_BOARD"  # set by a hub: the board's address, with the room's key
TAIL = 64  # bytes before the place reached, by which the journal is known again


@dataclass(frozen=True)
class Sharing:
    """The contents of the file.

    board: its address, with a slash at the end. since: what is older is not sent. token: what the
    board knows the learner by, its own and no hub's; "" for who has not joined. sent: bytes of the
    journal; tail: digest of the last of them. left: the learner does not share any more. shown:
    the name that the board shows.
    """

    board: str
    since: str
    token: str = ""
    sent: int = 0
    tail: str = ""
    left: bool = False
    shown: str = ""


def file_of(journal: Path) -> Path:
    """Return the file that belongs to a journal."""
    return journal.with_name(f"{journal.stem}.board.json")


def read(journal: Path) -> Sharing | None:
    """Return the sharing of a journal; None where there is none, or it can't be read."""
    try:
        data = json.loads(file_of(journal).read_text(encoding="utf-8"))
        found = Sharing(
            **{name: data[name] for name in Sharing.__dataclass_fields__ if name in data}
        )
    except (OSError, ValueError, TypeError):
        return None
    texts = (found.board, found.since, found.token, found.tail, found.shown)
    whole = all(isinstance(text, str) for text in texts) and isinstance(found.sent, int)
    return found if whole and isinstance(found.left, bool) else None


def write(journal: Path, sharing: Sharing) -> None:
    """Keep it, whole or not at all, for the learner's eyes only. Raises OSError."""
    path = file_of(journal)
    path.parent.mkdir(parents=True, exist_ok=True)
    beside = path.with_name(f"{path.name}.{os.getpid()}")
    file = os.open(beside, os.O_CREAT | os.O_WRONLY | os.O_TRUNC, 0o600)
    try:
        with os.fdopen(file, "w", encoding="utf-8") as stream:
            json.dump(asdict(sharing), stream)
        os.replace(beside, path)
    except OSError:
        beside.unlink(missing_ok=True)
        raise


def advance(journal: Path, before: Sharing, sent: int, tail: str) -> None:
    """Note that all up to `sent` has arrived, unless the learner left meanwhile or shares with
    another board. Raises OSError."""
    now = read(journal)
    if now is not None and (now.board, now.token, now.left) == (before.board, before.token, False):
        write(journal, replace(now, sent=sent, tail=tail))


def begin(journal: Path, sharing: Sharing) -> int:
    """Return from which byte to read: 0 where the journal is not the one that was read before."""
    if sharing.sent == 0:
        return 0
    try:
        with journal.open("rb") as file:
            return sharing.sent if tail_of(file, sharing.sent) == sharing.tail else 0
    except OSError:
        return 0


def tail_of(file, end: int) -> str:
    """Return the digest of the last bytes before `end` of an open file."""
    file.seek(max(0, end - TAIL))
    return hashlib.sha256(file.read(min(end, TAIL))).hexdigest()[:16]


@contextmanager
def held(journal: Path, seconds: float) -> Iterator[bool]:
    """Hold the lock of the file; yields whether it was to be had within `seconds`. It is, where
    there are no locks. Raises OSError."""
    if fcntl is None:
        yield True
        return
    path = file_of(journal).with_suffix(".lock")
    path.parent.mkdir(parents=True, exist_ok=True)
    file = os.open(path, os.O_CREAT | os.O_RDWR, 0o600)
    try:
        yield _locked(file, time.monotonic() + seconds)
    finally:
        os.close(file)


def _locked(file: int, until: float) -> bool:
    while True:
        try:
            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
            return True
        except BlockingIOError:
            if time.monotonic() >= until:
                return False
            time.sleep(0.02)
        except OSError:  # a file system without locks
            return True
