"""What a learner decides: to share with a class's board, to look, to delete, to leave."""

from __future__ import annotations

import os
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from . import sharing
from .place import VARIABLE as PROGRESS
from .place import place
from .post import BoardError, request
from .send import TOLD, address
from .sharing import VARIABLE, Sharing

PATIENCE = 6.0  # seconds for the lock: longer than a request may take


class Sentence(str):
    """Words that a notebook shows without quotation marks."""

    __slots__ = ()
    __repr__ = str.__str__


class Shared(list):
    """What a board holds of a learner: a dictionary an event, oldest first; shown a line each."""

    def __init__(self, shown: str, page: str, events: list[dict[str, Any]]):
        super().__init__(events)
        self.shown, self.page = shown, page

    def __repr__(self) -> str:
        lines = [
            f"The board shows you as {self.shown!r} and holds {len(self)} "
            f"event{'s' * (len(self) != 1)} of yours.",
            f"Its page for you: {self.page}",
        ]
        return "\n".join([*lines, *(_line(each) for each in self)])


def join(invitation: str = "", name: str = "") -> Sentence:
    """Share what you check and predict from now on with the board of your class.

    invitation: the address that the instructor gives, with its key; none on a hub. name: how you
    want to be called where the board shows names. Never raises: the sentence says what happened.
    """
    journal = place()
    if journal is None:
        return Sentence(f"There is no journal here to share from ({PROGRESS}).")
    hub = os.environ.get(VARIABLE, "").strip()
    base, _, key = invitation.strip().partition("#")
    if not base and not hub:
        return Sentence(
            'Join with the address that your instructor gives: journal.join("http://…/#…").'
        )
    now = datetime.now(UTC).isoformat(timespec="microseconds")
    try:
        found = Sharing(address(base or hub), now)
        if base and address(base) != address(hub or "-"):
            answer = request(base, "/api/join", data={"key": key, "name": str(name)})
            found = replace(found, token=str(answer["token"]), shown=str(answer["shown"]))
        with sharing.held(journal, PATIENCE):
            sharing.write(journal, found)
    except KeyError:
        return Sentence(f"What answers at {base} is not a board.")
    except (BoardError, OSError) as error:
        return Sentence(f"You have not joined: {error}.")
    called = f"You have joined as {found.shown!r}. " if found.shown else "You have joined. "
    return Sentence(called + TOLD)


def leave() -> Sentence:
    """End sharing. What was sent stays until you call `unshare`, or for 14 days."""
    journal = place()
    known = journal and sharing.read(journal)
    hub = os.environ.get(VARIABLE, "").strip()
    if journal is None or known is None and not hub:
        return Sentence("You share with no board.")
    now = datetime.now(UTC).isoformat(timespec="microseconds")
    try:
        with sharing.held(journal, PATIENCE):
            known = sharing.read(journal) or Sharing(address(hub), now)
            sharing.write(journal, replace(known, left=True))
    except OSError as error:
        return Sentence(
            f"That cannot be noted ({error.strerror or error}); without the variable "
            f"{VARIABLE} nothing is sent."
        )
    again = "journal.join()" if hub else 'journal.join("…")'
    return Sentence(
        "You share nothing from now on. `journal.unshare()` deletes what was sent, "
        f"`{again}` begins again."
    )


def shared() -> Shared | Sentence:
    """Return what the board holds of you, and the address of its page for you."""
    try:
        known = _known()
        if known is None:
            return Sentence("You share with no board.")
        answer = request(known.board, "/api/mine", _token(known), "GET")
        page = answer["page"]
        page = f"{page} at the hub's own address" if page.startswith("/") else known.board + page
        return Shared(answer["shown"], page, answer["events"])
    except (BoardError, KeyError) as error:
        return Sentence(f"The board does not say: {error}.")


def unshare() -> Sentence:
    """Delete on the board all that it holds of you."""
    try:
        known = _known()
        if known is None:
            return Sentence("You share with no board.")
        gone = request(known.board, "/api/mine", _token(known), "DELETE")["deleted"]
    except (BoardError, KeyError) as error:
        return Sentence(f"Nothing was deleted: {error}. Try again, or ask your instructor.")
    rest = "" if known.left else " What you do from now on is sent; `journal.leave()` ends that."
    return Sentence(f"{gone} event{'s' * (gone != 1)} of yours deleted on the board.{rest}")


def board_of(journal: Path | None) -> str:
    """Return the address of the board that a journal is shared with; "" where with none."""
    known = journal and sharing.read(journal)
    return known.board if known and not known.left else ""


def _known() -> Sharing | None:
    journal = place()
    return sharing.read(journal) if journal is not None else None


def _token(known: Sharing) -> str:
    return known.token or os.environ.get("JUPYTERHUB_API_TOKEN", "")


def _line(event: dict[str, Any]) -> str:
    said = [event.get(name) for name in ("kind", "exercise", "stage", "misconception", "what")]
    values = [
        f"{name} {event[name]:g}"
        for name in ("prediction", "measured")
        if isinstance(event.get(name), (int, float))
    ]
    return "  ".join([str(event.get("time", ""))[:19], *(text for text in said if text), *values])
