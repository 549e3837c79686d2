"""The board's server: one process, its own keys, one page for the instructor.

Whoever has the instructor's key sees the board, by a cookie. Whoever has the room's key may join
and gets a token of their own, which sends for them alone. No token of a hub is asked for.
"""

from __future__ import annotations

import asyncio
import hmac
import json
import os
import resource
import signal
import socket
import sqlite3
import ssl
import time
from pathlib import Path
from typing import Any

from tornado.httpserver import HTTPServer
from tornado.ioloop import PeriodicCallback
from tornado.web import Application, RequestHandler, StaticFileHandler

from .course import CourseParts
from .event import cleaned, line
from .room import Learner, Room
from .store import Store

STATIC = Path(__file__).with_name("static")
COOKIE = "convladder-board"
LARGEST_BODY = 2**16  # bytes of a request
LEARNERS, EVENTS = 500, 5_000  # at most: of a board, and of a learner
BURST, RATE = 1_000, 10.0  # events of a learner at once, and a second
READING = 100  # what reading or deleting all of one's events counts for
JOINS, JOIN_RATE = 60, 1.0  # tries to join from one address at once, and a second
HEADERS = {
    "Content-Security-Policy": "default-src 'self'; base-uri 'none'; frame-ancestors 'none'",
    "X-Content-Type-Options": "nosniff",
    "Referrer-Policy": "no-referrer",
    "Cache-Control": "no-store",
}


class BoardStartError(Exception):
    """A board that cannot begin; the text says why and what to do."""


class RequestRefused(Exception):
    """A request that is not done: the status of HTTP, a sentence, and seconds to wait."""

    def __init__(self, status: int, text: str, wait: float = 0.0) -> None:
        super().__init__(text)
        self.status, self.wait = status, wait


class Buckets:
    """A bucket of `size` for each sender, which fills with `rate` a second."""

    def __init__(self, size: float, rate: float) -> None:
        self.size, self.rate = size, rate
        self.left: dict[Any, tuple[float, float]] = {}

    def take(self, sender: Any, amount: float) -> None:
        """Take an amount. Raises Refused where there is less, and takes nothing."""
        now = time.monotonic()
        if len(self.left) > 5_000:  # full buckets are as good as none
            full = [k for k, (left, at) in self.left.items() if now - at > self.size / self.rate]
            for key in full or list(self.left)[:1_000]:
                del self.left[key]
        left, at = self.left.get(sender, (self.size, now))
        left, need = min(self.size, left + (now - at) * self.rate), min(amount, self.size)
        self.left[sender] = (left - need if left >= need else left, now)
        if left < need:
            raise RequestRefused(429, "slower, please", (need - left) / self.rate)


class Board:
    """The stored events, and the view of them."""

    def __init__(self, store: Store, course: CourseParts) -> None:
        self.store, self.course, self.room = store, course, Room(course)
        self.buckets, self.joins = Buckets(BURST, RATE), Buckets(JOINS, JOIN_RATE)
        self.counts: dict[int, int] = {}
        store.expire(time.time())
        for number, (name, seen) in store.learners().items():
            self._enter(number, name, seen)
        for number, event in store.events():
            if number in self.room.learners and event.part in course.by_key:
                self.room.learners[number].take(event)
                self.counts[number] += 1

    def _enter(self, number: int, name: str, at: float) -> None:
        self.room.learners[number] = Learner(name, at)
        self.counts[number] = 0

    def join(self, name: str) -> dict[str, str]:
        """Add a learner; return their token, and the name that is shown."""
        if len(self.room.learners) >= LEARNERS:
            raise RequestRefused(403, f"this board has {LEARNERS} learners already")
        taken = {each.name for each in self.room.learners.values()}
        wanted = line(name, 40) or "guest"
        names = [wanted, *(f"{wanted} ({n})" for n in range(2, LEARNERS + 2))]
        shown = next(each for each in names if each not in taken)
        number, token = self.store.join(shown, now := time.time())
        self._enter(number, shown, now)
        return {"token": token, "shown": shown}

    def take(self, learner: int, found: list[Any]) -> dict[str, int]:
        """Keep events; return how many were kept or known, and how many refused for good."""
        self.buckets.take(learner, len(found) or 1)
        now = time.time()
        events = [event for each in found if (event := cleaned(each, self.course, now))]
        events = events[: max(0, EVENTS - self.counts[learner])]
        for event in self.store.add(learner, events, now):
            self.room.learners[learner].take(event)
            self.counts[learner] += 1
        self.room.learners[learner].at = now
        return {"kept": len(events), "refused": len(found) - len(events)}

    def forget(self, learner: int) -> int:
        """Delete a learner's events; return how many there were."""
        gone = self.store.clear(learner, now := time.time())
        self._enter(learner, self.room.learners[learner].name, now)
        return gone

    def remove(self, learners: list[int]) -> None:
        """Delete learners with all of theirs."""
        self.store.remove(learners)
        for each in learners:
            self.room.learners.pop(each, None)

    def expire(self) -> None:
        """Delete who was not seen for 14 days."""
        self.remove(self.store.expire(time.time()))


class Handler(RequestHandler):
    """The common part of all answers."""

    @property
    def board(self) -> Board:
        return self.settings["board"]

    def set_default_headers(self) -> None:
        for name, value in HEADERS.items():
            self.set_header(name, value)

    def teaches(self) -> bool:
        """Return whether the instructor's cookie comes along."""
        kept = self.get_signed_cookie(COOKIE, max_age_days=14) or b""
        return hmac.compare_digest(kept, self.board.store.instructor_key.encode())

    def learner(self) -> int:
        """Return whose notebook asks, by the token in its header; no cookie counts."""
        kind, _, token = self.request.headers.get("Authorization", "").partition(" ")
        found = self.board.store.whose(token) if kind == "token" and token else None
        if found is None:
            raise RequestRefused(401, "it does not know this notebook; join once more")
        return found

    def body(self) -> dict[str, Any]:
        """Return the JSON object of the request."""
        try:
            data = json.loads(self.request.body)
        except (ValueError, RecursionError):
            data = None
        if not isinstance(data, dict):
            raise RequestRefused(400, "this is not what a notebook sends")
        return data

    def log_exception(self, kind: Any, error: Any, trace: Any) -> None:
        if not isinstance(error, RequestRefused | sqlite3.Error):
            super().log_exception(kind, error, trace)

    def write_error(self, status_code: int, **more: Any) -> None:
        """Answer with a sentence, and never with a traceback."""
        error = more.get("exc_info", (None, None))[1]
        text, wait = f"{status_code}: {self._reason}", 0.0
        if isinstance(error, RequestRefused):
            status_code, text, wait = error.status, str(error), error.wait
        elif isinstance(error, sqlite3.Error):  # a full disk: the notebook sends it again
            status_code, text, wait = 503, f"the board cannot store this now: {error}", 5.0
        self.set_status(status_code)
        if wait:
            self.set_header("Retry-After", str(max(1, round(wait))))
        self.finish({"message": text})


class BoardPage(Handler):
    """The board for the instructor. To others, how to join."""

    def get(self) -> None:
        key = self.get_query_argument("key", "")
        if hmac.compare_digest(key.encode(), self.board.store.instructor_key.encode()):
            # The page goes on without the key, which a projector would show.
            self.set_signed_cookie(
                COOKIE,
                key,
                expires_days=14,
                httponly=True,
                samesite="Strict",
                secure=self.request.protocol == "https",
            )
            self.redirect(self.request.path)
        else:
            page = "board.html" if self.teaches() else "join.html"
            self.finish((STATIC / page).read_text(encoding="utf-8"))


class State(Handler):
    """The page's state. The page asks again and again; the same state is answered by 304."""

    def get(self) -> None:
        if not self.teaches():
            raise RequestRefused(403, "this is the instructor's")
        found = self.board.room.view(self.get_query_argument("chapter", ""), time.time())
        self.finish({**found, "invitation": self.settings["invitation"]})


class Remove(Handler):
    """Where the instructor removes a learner, or, without a number, all."""

    def post(self) -> None:
        # A page of elsewhere cannot set a header of its own without asking first.
        if not self.teaches() or self.request.headers.get("X-Board") != "1":
            raise RequestRefused(403, "this is the instructor's")
        number = self.body().get("learner")
        self.board.remove([number] if isinstance(number, int) else list(self.board.room.learners))
        self.finish({})


class Join(Handler):
    """Where a notebook joins, with the room's key."""

    def post(self) -> None:
        self.board.joins.take(self.request.remote_ip, 1)
        data = self.body()
        key = str(data.get("key", "")).encode("utf-8", "replace")
        if not hmac.compare_digest(key, self.board.store.room_key.encode()):
            raise RequestRefused(
                403, "this is not the room's key: give the whole address, with its #"
            )
        self.finish(self.board.join(str(data.get("name", ""))))


class Events(Handler):
    """Where events arrive, are shown to their learner, and are deleted."""

    def post(self) -> None:
        learner, found = self.learner(), self.body().get("events")
        if not isinstance(found, list) or len(found) > 200:
            raise RequestRefused(400, "`events` is a list of 200 at most")
        self.finish(self.board.take(learner, found))

    def get(self) -> None:
        learner = self.learner()
        self.board.buckets.take(learner, READING)
        events = [event._asdict() for _, event in self.board.store.events(learner)]
        self.finish({"shown": self.board.room.learners[learner].name, "events": events})

    def delete(self) -> None:
        learner = self.learner()
        self.board.buckets.take(learner, READING)
        self.finish({"deleted": self.board.forget(learner)})


def server_of(
    board: Board, invitation: str = "", prefix: str = "/", tls: ssl.SSLContext | None = None
) -> HTTPServer:
    """Return the server of a board, whose pages lie below `prefix`."""
    routes = {
        "": BoardPage,
        "state": State,
        "remove": Remove,
        "api/join": Join,
        "api/events": Events,
    }
    files = (prefix + r"static/([a-z]+\.(?:css|js))", StaticFileHandler, {"path": str(STATIC)})
    pages = Application(
        [*((prefix + path, handler) for path, handler in routes.items()), files],
        board=board,
        invitation=invitation,
        cookie_secret=board.store.cookie_key,
        log_function=lambda handler: None,  # its lines would hold keys, and who was here
    )
    return HTTPServer(
        pages,
        max_body_size=LARGEST_BODY,
        ssl_options=tls,
        idle_connection_timeout=60,
        body_timeout=10,  # nobody keeps a connection by half a request
    )


async def serve(
    folder: Path,
    root: Path,
    address: str,
    port: int,
    room_key: str = "",
    tls: ssl.SSLContext | None = None,
) -> None:
    """Run the board of the course at `root` until SIGTERM or Ctrl-C. Raises BoardStartError."""
    try:
        board = Board(Store(folder, room_key), CourseParts(root))
    except (OSError, sqlite3.Error) as error:
        raise BoardStartError(f"{folder}: {error}; --folder names another folder") from error
    prefix = os.environ.get("JUPYTERHUB_SERVICE_PREFIX", "/")  # a hub's proxy keeps it
    base = f"{'https' if tls else 'http'}://{_reached_at(address)}:{port}{prefix}"
    invitation = f"{base}#{board.store.room_key}"
    server = server_of(board, invitation, prefix, tls)
    try:
        server.listen(port, "" if address == "0.0.0.0" else address)
    except OSError as error:
        text = f"{address}:{port} cannot be used ({error.strerror}); --port takes another"
        raise BoardStartError(text) from error
    print(
        f"For you alone:  {base}?key={board.store.instructor_key}\n"
        f"For the wall:   {invitation}\n"
        f'Learners run:   from convladder import journal; journal.join("{invitation}")\n'
        "Ctrl-C ends it.",
        flush=True,
    )
    most = resource.getrlimit(resource.RLIMIT_NOFILE)[1]
    resource.setrlimit(resource.RLIMIT_NOFILE, (most, most))  # connections, as many as allowed
    ended, loop = asyncio.Event(), asyncio.get_running_loop()
    for name in (signal.SIGTERM, signal.SIGINT):
        loop.add_signal_handler(name, ended.set)
    expiry = PeriodicCallback(board.expire, 3_600_000)
    expiry.start()
    await ended.wait()
    expiry.stop()
    server.stop()
    await server.close_all_connections()
    board.store.close()


def _reached_at(address: str) -> str:
    """Return the name by which others reach this machine."""
    if address != "0.0.0.0":
        return address
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as probe:
        try:
            probe.connect(("192.0.2.1", 9))  # sends nothing; asks which of our addresses would
            return probe.getsockname()[0]
        except OSError:
            return "localhost"
