"""The pages of the board, and the application that they make."""

from __future__ import annotations

import asyncio
import json
from pathlib import Path
from typing import Any

from tornado.iostream import StreamClosedError
from tornado.web import Application, RequestHandler, StaticFileHandler

from .board import Board, Refused
from .handler import Handler
from .notebooks import Events, Notebook, NotebookMine

STATIC = Path(__file__).with_name("static")
FILES = r"static/([a-z]+\.(?:css|js|svg))"
OFTEN = 0.4  # seconds between two states that a page is sent, at least
PULSE = 10.0  # seconds after which a page hears something in any case
MOST_STREAMS = 60


class Page(Handler):
    """The board for the instructor and the projector; others are sent to what is theirs."""

    async def get(self) -> None:
        """Show it."""
        found = await self.visitor()
        if found is None:
            self.welcome()
        elif found.teaches:
            self.render("board.html", xsrf=self.xsrf_token.decode())
        else:
            self.redirect(self.application.settings["prefix"] + "mine")


class State(Handler):
    """The page's content, once: for whoever has no stream."""

    async def get(self) -> None:
        """Answer with it."""
        await self.teacher()
        self.answer(self.board.view(self.get_query_argument("chapter", "")))


class Stream(Handler):
    """The page's content whenever something is new, as server-sent events."""

    open = 0

    async def get(self) -> None:
        """Send states until the page is closed."""
        await self.teacher()
        if Stream.open >= MOST_STREAMS:
            raise Refused(429, "too many pages are open", 30.0)
        chapter = self.get_query_argument("chapter", "")
        self.set_header("Content-Type", "text/event-stream")
        self.set_header("X-Accel-Buffering", "no")
        Stream.open += 1
        try:
            while not self.request.connection.stream.closed():
                sent = self.board.version
                self.write(f"data: {json.dumps(self.board.view(chapter))}\n\n")
                await self.flush()
                await asyncio.sleep(OFTEN)
                if self.board.version == sent:
                    await self.board.news(PULSE)
        except StreamClosedError:
            pass
        finally:
            Stream.open -= 1


class Act(Handler):
    """What the instructor opens, starts or ends."""

    async def post(self) -> None:
        """Do it."""
        await self.teacher()
        await self.board.act(self.body())
        self.answer({})


class Mine(Handler):
    """What the board holds of a learner, for them alone."""

    async def get(self) -> None:
        """Show it."""
        found = await self.visitor()
        if found is None:
            self.welcome()
            return
        self.render("mine.html", xsrf=self.xsrf_token.decode(), **await self.board.mine(found.id))


class MineDelete(Handler):
    """The button below it."""

    async def post(self) -> None:
        """Delete all of it."""
        found = await self.visitor()
        if found is None:
            raise Refused(403, "nobody is logged in")
        await self.board.forget(found.id)
        self.redirect(self.application.settings["prefix"] + "mine")


ROUTES = {
    "": Page,
    "state": State,
    "stream": Stream,
    "act": Act,
    "mine": Mine,
    "mine/delete": MineDelete,
    "api/events": Events,
    "api/mine": NotebookMine,
}


def application(
    board: Board, mixin: type, prefix: str = "/", more: list | None = None, **settings: Any
) -> Application:
    """Return the application below `prefix`. mixin: says who asks (`visitor`, `sender`, `welcome`,
    and more where it likes); more: routes besides."""
    routes = [(prefix + path, _made(mixin, handler)) for path, handler in ROUTES.items()]
    routes += [(prefix + FILES, StaticFileHandler, {"path": str(STATIC)})]
    return Application(
        [*(more or []), *routes],
        board=board,
        prefix=prefix,
        template_path=str(STATIC),
        xsrf_cookies=True,
        compiled_template_cache=True,
        **settings,
    )


def _made(mixin: type, handler: type) -> type:
    """Return the handler with what the mixin says; a notebook is asked for no XSRF token by any."""
    own = {"check_xsrf_cookie": handler.check_xsrf_cookie} if issubclass(handler, Notebook) else {}
    return type(handler.__name__, (mixin, handler), own)


def quiet(handler: RequestHandler) -> None:
    """Log a request only where the server failed: its line would hold keys, and who was here."""
    from tornado.log import access_log

    if handler.get_status() >= 500 and handler.get_status() != 503:
        access_log.error(
            "%d %s %s", handler.get_status(), handler.request.method, handler.request.path
        )
