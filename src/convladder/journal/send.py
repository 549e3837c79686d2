"""Events go to the class's board in the background, if the learner shares with one.

A thread of the kernel reads what the journal has gained and sends it: verdicts and predictions,
never code. It keeps nobody waiting and never fails. Whatever does not arrive stays in the journal
and goes later; the board knows an event again by its uid.
"""

from __future__ import annotations

import os
import random
import re
import threading
from contextlib import suppress
from pathlib import Path

from . import sharing
from .event import RUNG, Event, parsed
from .post import BoardError, request
from .sharing import VARIABLE, Sharing

GATHER = 0.15  # seconds in which events are gathered before they are sent together
BATCH = 30  # events in one request at most: a board takes 64 KiB
PIECE = 2**18  # bytes of the journal that are read at once
LONGEST = 15.0  # seconds between two tries, while the board is down
SENT = (
    "uid time kind notebook cell exercise stage misconception case what prediction measured unit"
).split()
WHAT_IS_SENT = (
    "The board of your class gets which notebooks you open, the verdicts of your checks with the "
    "mistake or the smallest failing case, and the numbers you predict, from now on. It never gets "
    "your code or your output, and it is not for grades. You can look with `journal.shared()`, "
    "delete with `journal.unshare()` and stop with `journal.leave()`. All of it is deleted after "
    "14 days."
)
HINT = (
    "(Your class has a board. Nothing is sent unless you join: "
    "`from convladder import journal; journal.join()` says what it gets, and asks you.)"
)
_NOTEBOOK = re.compile(r"(course|labs|solutions)/\d\d_\w{1,60}", re.ASCII)


class Sender:
    """The thread of one process that sends what one journal holds."""

    def __init__(self, journal: Path):
        self.journal = journal
        self.note = ""  # what the learner should know, said once at the next occasion
        self._refused = False
        self._more = threading.Event()
        threading.Thread(target=self._run, name="convladder-board", daemon=True).start()

    def wake(self) -> None:
        """Signal that there is more to send; returns at once."""
        self._more.set()

    def _run(self) -> None:
        failures = 0
        while True:
            self._more.wait()
            self._more.clear()
            _PAUSE.wait(GATHER)
            with suppress(Exception):  # whatever it is, no learner is to see a thread fail
                failures = self._round(failures)

    def _round(self, failures: int) -> int:
        """Send until all is sent; return how many times in a row it failed."""
        try:
            while (left := deliver(self.journal)) > 0:
                failures = 0
            if left < 0:  # another notebook is sending: look again whether it had this too
                self._more.set()
            return 0
        except BoardError as error:
            pause = error.wait or min(LONGEST, 0.5 * 2 ** min(failures, 10))
            if error.status in (401, 403):
                pause = LONGEST
                if not self._refused:
                    self.note = f"(The board of your class takes nothing from you now: {error}.)"
                self._refused = True
        except OSError:  # the journal or its cursor cannot be read or written
            pause = LONGEST
        _PAUSE.wait(min(60.0, pause) * random.uniform(1.0, 1.3))  # not all at once
        self._more.set()
        return failures + 1


def deliver(journal: Path) -> int:
    """Send the next events of a journal; return how many bytes of it were done with, 0 where
    nothing is left, -1 while another notebook is sending. Raises BoardError, OSError."""
    with sharing.held(journal, 0.0) as mine:
        if not mine:
            return -1
        known = sharing.read(journal)
        if known is None or known.left:
            return 0
        start = sharing.begin(journal, known)
        found, end, tail = gained(journal, start)
        kept = [each for each in found if each.time >= known.since and each.kind != RUNG]
        if kept:
            post(known, [payload(event) for event in kept])
        if end > start or start != known.sent:
            sharing.advance(journal, known, end, tail)
        return end - start


def post(known: Sharing, events: list[dict[str, object]]) -> None:
    """Send events. What the board refuses for good is left out. Raises BoardError."""
    try:
        request(known.board, "/api/events", known.token, data={"events": events})
    except BoardError as error:
        if error.status not in (400, 413):
            raise
        half = len(events) // 2
        for part in (events[:half], events[half:]) if half else ():
            post(known, part)


def gained(journal: Path, start: int) -> tuple[list[Event], int, str]:
    """Return the whole events from byte `start` on, `BATCH` at most; where they end; the digest of
    what is before that. A line that is still being written is left for the next time."""
    found: list[Event] = []
    if not journal.is_file():
        return found, start, ""
    with journal.open("rb") as file:
        left = max(0, file.seek(0, os.SEEK_END) - start)
        file.seek(start)
        data = file.read(min(PIECE, left))  # which takes memory for as much as it is asked for
        full = len(data) == PIECE
        lines = data.split(b"\n")
        at = start
        for index, line in enumerate(lines):
            last = index == len(lines) - 1
            event = parsed(line.decode("utf-8", "replace"))
            if last and event is None and not (full and index == 0):
                break
            at += len(line) + (not last)
            if event is not None:
                found.append(event)
                if len(found) == BATCH:
                    break
        return found, at, sharing.tail_of(file, at)


def payload(event: Event) -> dict[str, object]:
    """Return the part of an event that is sent. It has no text of the learner's but predictions."""
    data = {name: getattr(event, name) for name in SENT}
    if not _NOTEBOOK.fullmatch(event.notebook):
        data["notebook"] = ""
    return {
        name: value[:200] if isinstance(value, str) else value
        for name, value in data.items()
        if value not in ("", None)
    }


def share(journal: Path, event: Event) -> None:
    """Have an event sent, if this learner shares. Prints what they must know, once. Never waits."""
    sender = _senders.get(os.getpid())
    if sender is None or sender.journal != journal:
        try:
            if not _shares(journal, event):
                return
        except OSError:  # what cannot be noted beside the journal is not begun; the next time it is
            return
        sender = _senders[os.getpid()] = Sender(journal)
    if sender.note:
        print(sender.note)
        sender.note = ""
    sender.wake()


def address(text: str) -> str:
    """Return a board's address without its key, with one slash at its end."""
    return text.partition("#")[0].strip().rstrip("/") + "/"


def _shares(journal: Path, event: Event) -> bool:
    """Return whether the learner has joined. Where a hub names a board, they are told so once."""
    known = sharing.read(journal)
    invitation = os.environ.get(VARIABLE, "").strip()
    if known is None and invitation:
        sharing.write(journal, Sharing(address(invitation), event.time, left=True))
        print(HINT)
    return known is not None and not known.left and bool(known.token)


_senders: dict[int, Sender] = {}  # by process: a thread does not survive a fork
_PAUSE = threading.Event()  # never set
