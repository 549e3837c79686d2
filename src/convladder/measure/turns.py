"""In a room of learners who share a machine: who measures on all of it, or on its GPU, and when.

`CONVLADDER_ROOM` names a folder with a file for each thing that is shared, `processor` and `gpu`,
at which measurements take turns (see tickets.py). Where it is not set nobody waits for anybody, and
nothing is opened. On one thread there is no turn: the thread's own clock does not count the others.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from math import ceil
from pathlib import Path
from threading import local
from time import perf_counter, sleep

from .tickets import NAP, Ticket

VARIABLE = "CONVLADDER_ROOM"
PROCESSOR, GPU = "processor", "gpu"
LONGEST_WAIT = 20.0  # seconds in the queue for one figure: then it is taken anyway
LONGEST_TURN = 0.5  # seconds, while others wait
TELL_AFTER = 0.5  # of waiting, and again and again
ORDINALS = {1: "1st", 2: "2nd", 3: "3rd"}

_mine = local()  # what this thread has a turn at
_complained: set[str] = set()


def room() -> Path | None:
    """Return the folder of the room, None for who measures alone."""
    folder = os.environ.get(VARIABLE)
    return Path(folder) if folder else None


class Turn:
    """One figure's claim to `what`. `late`: it has waited too long, and is measured beside others.

    Alone, or inside a turn at the same thing, it has no ticket and waits for nobody.
    """

    def __init__(self, path: Path | None, what: str, expected: float):
        self.late = False
        self._path, self._what, self._left = path, what, expected
        self._ticket, self._begun, self._waited = None, 0.0, 0.0

    def begin(self) -> None:
        """Wait for the turn. Errors, an interrupt among them, pass through, out of the queue."""
        if self._path is None or self.late:
            return
        try:
            self._ticket = Ticket(self._path, min(self._left, LONGEST_TURN))
        except OSError as error:
            _complain(self._path, error)
            self._path = None
            return
        begun = told = perf_counter()
        try:
            while not self._ticket.is_next():
                now = perf_counter()
                if self._waited + now - begun >= LONGEST_WAIT:
                    self.late = True
                    break
                if now - told >= TELL_AFTER:
                    told = now
                    _tell(self._place())
                sleep(NAP if len(self._ticket.ahead()) == 1 else 10 * NAP)
        except BaseException:
            self.end()
            raise
        finally:
            if told != begun:
                _tell("")
        self._begun = perf_counter()
        self._waited += self._begun - begun
        if self.late:
            self.end()

    def go_on(self) -> None:
        """Let others have a turn, where some wait and this one has lasted; then wait for mine."""
        lasted = perf_counter() - self._begun
        if self._ticket is not None and lasted > LONGEST_TURN and not self._ticket.is_last():
            self._left = max(0.0, self._left - lasted)
            self.end()
            self.begin()

    def end(self) -> None:
        """Let the next one begin."""
        if self._ticket is not None:
            self._ticket.give_back()
        self._ticket = None

    def _place(self) -> str:
        ahead = self._ticket.ahead()
        rounds = max(1, ceil(self._left / LONGEST_TURN))
        return (
            f"{ORDINALS.get(len(ahead) + 1, f'{len(ahead) + 1}th')} in the queue for the "
            f"{self._what}, about {max(1, round(rounds * sum(ahead)))} s"
        )


@contextmanager
def turn_at(what: str | None, expected: float) -> Iterator[Turn]:
    """Hold a turn at `what` (None: at nothing) for a figure of about `expected` seconds.

    It ends with the block, however that is left; `turn.go_on()` between two parts of a figure
    lets others in. Inside a turn of this thread at the same thing there is nothing to wait for.
    """
    taken = _mine.__dict__.setdefault("taken", set())
    if what is None or what in taken or room() is None:
        yield Turn(None, what or "", expected)
        return
    turn = Turn(room() / what, what, expected)
    taken.add(what)
    try:
        turn.begin()
        yield turn
    finally:
        turn.end()
        taken.discard(what)


def _tell(text: str) -> None:
    """Write one line over the last; "" takes it away. Programs that read our output see none."""
    stream = sys.stdout if "ipykernel" in sys.modules else sys.stderr
    if "ipykernel" in sys.modules or stream.isatty():
        stream.write(f"\r{text:<60}" if text else f"\r{'':<60}\r")
        stream.flush()


def _complain(path: Path, error: OSError) -> None:
    if str(path) not in _complained:
        _complained.add(str(path))
        print(
            f"{VARIABLE}={path.parent}: no turns at {path.name!r} ({error.strerror or error}), "
            "so what takes several threads or the GPU is measured beside the others. Whoever "
            "runs the room makes its files with convladder.classroom.turn.prepare(folder).",
            file=sys.stderr,
        )
