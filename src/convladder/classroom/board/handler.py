"""What all answers of the board have in common. A mixin, of a hub or alone, says who asks.

Pages know a visitor by a cookie, and what they change asks for a token against XSRF. Notebooks have
a token of their own in a header, and no cookie counts for them.
"""

from __future__ import annotations

import json
from dataclasses import dataclass
from typing import Any

from tornado.web import RequestHandler

from .board import Board, Refused
from .wire import LARGEST_BODY

HEADERS = {
    "Content-Security-Policy": "default-src 'none'; style-src 'self'; script-src 'self'; "
    "connect-src 'self'; img-src 'self'; base-uri 'none'; "
    "form-action 'self'; frame-ancestors 'none'",
    "X-Content-Type-Options": "nosniff",
    "Referrer-Policy": "no-referrer",
    "Cache-Control": "no-store",
}


@dataclass(frozen=True)
class Visitor:
    """Who asks: `id` tells learners apart, `name` is for people. teaches: sees the whole board."""

    id: str
    name: str
    teaches: bool = False


class Handler(RequestHandler):
    """What all have in common."""

    @property
    def board(self) -> Board:
        """Return the board."""
        return self.application.settings["board"]

    def set_default_headers(self) -> None:
        """Forbid scripts and styles from elsewhere, and frames around the page."""
        for name, value in HEADERS.items():
            self.set_header(name, value)

    async def visitor(self) -> Visitor | None:
        """Return who a cookie says it is, None without one."""
        raise NotImplementedError

    async def sender(self, token: str) -> Visitor | None:
        """Return whose token it is, None if nobody's."""
        raise NotImplementedError

    def welcome(self) -> None:
        """Send a visitor without a cookie where they get one, or tell them how."""
        raise NotImplementedError

    async def teacher(self) -> Visitor:
        """Return the instructor who asks. Raises Refused."""
        found = await self.visitor()
        if found is None or not found.teaches:
            raise Refused(403, "this is the instructor's")
        return found

    def body(self) -> Any:
        """Return what JSON the request carries. Raises Refused."""
        if len(self.request.body) > LARGEST_BODY:
            raise Refused(413, f"{LARGEST_BODY} bytes at most")
        try:
            return json.loads(self.request.body)
        except (ValueError, RecursionError):
            raise Refused(400, "this is not JSON") from None

    def answer(self, data: Any) -> None:
        """Answer with JSON."""
        self.set_header("Content-Type", "application/json")
        self.write(json.dumps(data))

    def log_exception(self, kind: Any, error: Any, trace: Any) -> None:
        """Log what is no answer of ours."""
        if not isinstance(error, Refused):
            super().log_exception(kind, error, trace)

    def write_error(self, status_code: int, **more: Any) -> None:
        """Answer with a sentence, and never with a traceback."""
        error = more.get("exc_info", (None, None))[1]
        text = str(error) if isinstance(error, Refused) else f"{status_code}: {self._reason}"
        self.set_default_headers()
        if isinstance(error, Refused) and error.wait:
            self.set_header("Retry-After", str(max(1, round(error.wait))))
        self.answer({"message": text})

    def send_error(self, status_code: int = 500, **more: Any) -> None:
        """Answer with the status that a refusal has."""
        error = more.get("exc_info", (None, None))[1]
        super().send_error(error.status if isinstance(error, Refused) else status_code, **more)
