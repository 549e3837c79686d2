"""What a learner's notebook asks, with a token in a header; no cookie counts here."""

from __future__ import annotations

import re

from .board import Refused
from .handler import Handler, Visitor
from .wire import MOST_EVENTS

_TOKEN = re.compile(r"(?:token|bearer)\s+(\S{8,500})", re.IGNORECASE)


class Notebook(Handler):
    """What a learner's notebook asks, with its token."""

    def check_xsrf_cookie(self) -> None:
        """Ask for none: a cookie does not count here."""

    async def learner(self) -> Visitor:
        """Return whose notebook it is. Raises Refused."""
        found = _TOKEN.fullmatch(self.request.headers.get("Authorization", ""))
        visitor = await self.sender(found[1]) if found else None
        if visitor is None:
            raise Refused(401, "it does not know this notebook; ask for the address to join with")
        return visitor


class Events(Notebook):
    """Where events arrive."""

    async def post(self) -> None:
        """Keep them."""
        learner = await self.learner()
        data = self.body()
        if (
            isinstance(data, dict)
            and isinstance(data.get("events"), list)
            and len(data["events"]) > MOST_EVENTS
        ):
            raise Refused(413, f"{MOST_EVENTS} events at most")
        self.answer(await self.board.take(learner.id, learner.name, data))


class NotebookMine(Notebook):
    """The same as the learner's page, for `journal.shared()` and `journal.unshare()`."""

    def page(self, learner: Visitor) -> str:
        """Return where the page is, seen from the board's address; with a slash, from the hub's."""
        return "mine"

    async def get(self) -> None:
        """Answer with what is held."""
        learner = await self.learner()
        self.answer({**await self.board.mine(learner.id), "page": self.page(learner)})

    async def delete(self) -> None:
        """Delete it."""
        learner = await self.learner()
        self.answer({"deleted": await self.board.forget(learner.id)})
