"""A learner's choices: to share with a class's board, to look, to delete, to leave."""

from __future__ import annotations

import os
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from ..core.text import Sentence
from . import sharing
from .location import VARIABLE as PROGRESS
from .location import journal_path
from .post import BoardError, request
from .send import WHAT_IS_SENT, address
from .sharing import VARIABLE, Sharing

PATIENCE = 6.0  # seconds for the lock: longer than a request may take


class Shared(list):
    """A board's entries on a learner: a dictionary per event, oldest first; shown a line each."""

    def __init__(self, shown: str, events: list[dict[str, Any]]):
        super().__init__(events)
        self.shown = shown

    def __repr__(self) -> str:
        count = f"{len(self)} event{'s' * (len(self) != 1)}"
        first = f"The board shows you as {self.shown!r} and holds {count} of yours."
        return "\n".join([first, *(_line(each) for each in self)])


def join(invitation: str = "", name: str | None = None, agree: bool | None = None) -> Sentence:
    """Share what you check and predict from now on with the board of your class.

    It says what would be sent, and asks once whether you agree and how you want to be called.

    invitation: the address on the wall, with its #key; where a hub names a board, none. name,
    agree: the answers, given beforehand. Never raises: the sentence says what happened.
    """
    journal = journal_path()
    if journal is None:
        return Sentence(f"There is no journal here to share from ({PROGRESS}).")
    base, _, key = (invitation or os.environ.get(VARIABLE, "")).strip().partition("#")
    if not base:
        return Sentence('Join with the address on the wall: journal.join("http://…/#…").')
    try:
        if agree is None:
            print(WHAT_IS_SENT)
            agree = input("Send this to the board? [y/N] ").strip().lower() in ("y", "yes")
        if not agree:
            return Sentence("You have not joined, and nothing is sent.")
        if name is None:
            name = input("Your name on the board (or nothing): ")
        now = datetime.now(UTC).isoformat(timespec="microseconds")
        answer = request(base, "/api/join", data={"key": key, "name": str(name)})
        token, shown = str(answer["token"]), str(answer["shown"])
        with sharing.held(journal, PATIENCE):
            sharing.write(journal, Sharing(address(base), now, token=token, shown=shown))
    except KeyError:
        return Sentence(f"What answers at {base} is not a board.")
    except (BoardError, OSError) as error:
        return Sentence(f"You have not joined: {error}.")
    except (RuntimeError, EOFError):  # nobody there to ask
        return Sentence("You have not joined: say journal.join(…, agree=True) to agree.")
    return Sentence(f"You have joined as {shown!r}. `journal.leave()` ends it.")


def leave() -> Sentence:
    """End sharing. What was sent stays until you call `unshare`, or for 14 days."""
    journal = journal_path()
    known = sharing.read(journal) if journal else None
    if journal is None or known is None or not known.token:
        return Sentence("You share with no board.")
    try:
        with sharing.held(journal, PATIENCE):
            sharing.write(journal, replace(sharing.read(journal) or known, left=True))
    except OSError as error:
        return Sentence(f"That cannot be noted: {error.strerror or error}. Nothing has changed.")
    return Sentence(
        "You share nothing from now on. `journal.unshare()` deletes what was sent, "
        "`journal.join(…)` begins again."
    )


def shared() -> Shared | Sentence:
    """Return the board's entries about you."""
    known = _known()
    if known is None:
        return Sentence("You share with no board.")
    try:
        answer = request(known.board, "/api/events", known.token, "GET")
        return Shared(answer["shown"], answer["events"])
    except (BoardError, KeyError) as error:
        return Sentence(f"The board does not say: {error}.")


def unshare() -> Sentence:
    """Delete on the board all that it holds of you."""
    known = _known()
    if known is None:
        return Sentence("You share with no board.")
    try:
        gone = request(known.board, "/api/events", known.token, "DELETE")["deleted"]
    except (BoardError, KeyError) as error:
        return Sentence(f"Nothing was deleted: {error}. Try again, or ask your instructor.")
    rest = "" if known.left else " What you do from now on is sent; `journal.leave()` ends that."
    return Sentence(f"{gone} event{'s' * (gone != 1)} of yours deleted on the board.{rest}")


def board_of(journal: Path | None) -> str:
    """Return the address of the board that a journal is shared with; "" where with none."""
    known = journal and sharing.read(journal)
    return known.board if known and not known.left else ""


def _known() -> Sharing | None:
    journal = journal_path()
    known = sharing.read(journal) if journal is not None else None
    return known if known and known.token else None


def _line(event: dict[str, Any]) -> str:
    moment = datetime.fromtimestamp(event.get("at", 0), UTC)
    said = [event.get(name) for name in ("kind", "part", "exercise", "stage", "mistake", "case")]
    values = [
        f"{name} {event[name]:g}"
        for name in ("prediction", "measured")
        if isinstance(event.get(name), int | float)
    ]
    return "  ".join([f"{moment:%Y-%m-%d %H:%M:%S}", *(text for text in said if text), *values])
