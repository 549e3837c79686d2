"""The board without a hub: an address with a key for the instructor, one for the room.

Keys lie in a file beside the database, so that a board that was ended and started again knows its
room. A learner who joins gets a token of their own; it counts for this lesson.
"""

from __future__ import annotations

import hashlib
import hmac
import json
import os
import secrets
import ssl
import time
from dataclasses import asdict, dataclass
from datetime import UTC, datetime
from pathlib import Path
from urllib.parse import urlsplit

from tornado.web import Application, Finish

from .board import Board, Refused
from .limits import Buckets
from .handler import Handler, Visitor
from .pages import application, quiet
from .serve import BoardStartError, listen, open_board

COOKIE = "convladder-board"
LOCAL = ("localhost", "127.0.0.1", "::1")
TICKET = 600  # seconds for which the address of a learner's page holds
_WELCOME = (
    "Open the address that `convladder board` printed, or, as a learner, the one that "
    "journal.shared() shows."
)


@dataclass(frozen=True)
class Keys:
    """teach: opens the board; room: lets a notebook join; sign: makes learners' tokens; cookie:
    signs cookies."""

    teach: str
    room: str
    sign: str
    cookie: str

    def token(self, lesson: str, learner: str) -> str:
        """Return a learner's token."""
        return f"{learner}.{self._mark('token', lesson, learner)}"

    def learner(self, lesson: str, token: str) -> str | None:
        """Return whose token it is, None if it is not of this lesson or forged."""
        learner, _, mark = token.partition(".")
        sure = hmac.compare_digest(mark, self._mark("token", lesson, learner))
        return learner if sure else None

    def ticket(self, lesson: str, learner: str, now: float) -> str:
        """Return what opens a learner's page for a few minutes."""
        until = str(int(now) + TICKET)
        return f"{learner}.{until}.{self._mark('ticket', lesson, learner, until)}"

    def ticket_of(self, lesson: str, ticket: str, now: float) -> str | None:
        """Return whose ticket it is, None if it is too late or forged."""
        learner, _, rest = ticket.partition(".")
        until, _, mark = rest.partition(".")
        sure = hmac.compare_digest(mark, self._mark("ticket", lesson, learner, until))
        return learner if sure and until.isdecimal() and int(until) >= now else None

    def _mark(self, *parts: str) -> str:
        return hmac.new(
            self.sign.encode(), "\0".join(parts).encode("utf-8", "replace"), hashlib.sha256
        ).hexdigest()


def keys_of(folder: Path) -> Keys:
    """Return the keys of a folder, made the first time. Raises BoardStartError."""
    path = folder / "keys.json"
    try:
        folder.mkdir(parents=True, exist_ok=True, mode=0o700)
        if path.exists():
            return Keys(**json.loads(path.read_text(encoding="utf-8")))
        keys = Keys(*(secrets.token_urlsafe(24) for _ in range(4)))
        with os.fdopen(os.open(path, os.O_CREAT | os.O_EXCL | os.O_WRONLY, 0o600), "w") as file:
            json.dump(asdict(keys), file)
        return keys
    except OSError as error:
        raise BoardStartError(
            f"{error.filename or path}: {error.strerror}; --folder names another folder"
        ) from error
    except (ValueError, TypeError) as error:
        raise BoardStartError(
            f"{path} does not hold a board's keys; delete it, and the room joins anew"
        ) from error


class AloneMixin:
    """Says who asks, by keys."""

    @property
    def keys(self) -> Keys:
        """Return the keys."""
        return self.settings["keys"]

    @property
    def lesson(self) -> str:
        """Return what tells this lesson from others, and no key of it."""
        return hashlib.sha256(self.board.session.key.encode()).hexdigest()

    def prepare(self) -> None:
        """Refuse a page of elsewhere that calls this machine by a name of its own."""
        allowed = self.settings["hosts"]
        host = urlsplit(f"//{self.request.host}").hostname
        if allowed and host not in allowed:
            raise Refused(403, f"this board is not called {host}")

    async def visitor(self) -> Visitor | None:
        """Return who has a key in the address or in a cookie."""
        key = self.get_query_argument("key", "")
        ticket = self.get_query_argument("ticket", "")
        if key and hmac.compare_digest(key.encode(), self.keys.teach.encode()):
            self._keep("teach")
        elif ticket and (learner := self.keys.ticket_of(self.lesson, ticket, time.time())):
            self._keep(f"learn {self.lesson[:16]} {learner}")
        return self._who((self.get_signed_cookie(COOKIE, max_age_days=1) or b"").decode())

    def _who(self, said: str) -> Visitor | None:
        what, _, rest = said.partition(" ")
        if what == "teach":
            return Visitor("", "instructor", True)
        lesson, _, learner = rest.partition(" ")
        return Visitor(learner, "") if what == "learn" and lesson == self.lesson[:16] else None

    def _keep(self, said: str) -> None:
        """Set the cookie, and go on without the key in the address, which a projector shows."""
        self.set_signed_cookie(
            COOKIE,
            said,
            expires_days=1,
            httponly=True,
            samesite="Lax",
            secure=self.request.protocol == "https",
        )
        self.redirect(self.request.path)
        raise Finish

    async def sender(self, token: str) -> Visitor | None:
        """Return whose token it is."""
        learner = self.keys.learner(self.lesson, token)
        return Visitor(learner, "") if learner else None

    def page(self, learner: Visitor) -> str:
        """Return the learner's page with a ticket."""
        return f"mine?ticket={self.keys.ticket(self.lesson, learner.id, time.time())}"

    def welcome(self) -> None:
        """Say what to open."""
        raise Refused(403, _WELCOME)


class Join(AloneMixin, Handler):
    """Where a notebook joins, with the room's key."""

    def check_xsrf_cookie(self) -> None:
        """Ask for none: a cookie does not count here."""

    async def post(self) -> None:
        """Answer with a token."""
        wait = self.settings["joins"].take(self.request.remote_ip or "", 1)
        if wait:
            raise Refused(429, f"too many join at once; try again in {wait:.0f} s", wait)
        data = self.body()
        key, name = (data.get("key"), data.get("name", "")) if isinstance(data, dict) else ("", "")
        if not isinstance(key, str) or not hmac.compare_digest(
            key.encode("utf-8", "replace"), self.keys.room.encode()
        ):
            raise Refused(
                403,
                "this is not the room's key: copy the whole address, with what stands behind the #",
            )
        learner = secrets.token_hex(12)
        person = await self.board.enter(learner, str(name), datetime.now(UTC).isoformat())
        self.answer({"token": self.keys.token(self.lesson, learner), "shown": person.shown})


def encryption(certificate: Path | None, key: Path | None) -> ssl.SSLContext | None:
    """Return what serves over TLS, None without a certificate. Raises BoardStartError."""
    if certificate is None:
        return None
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    try:
        context.load_cert_chain(certificate, key)
    except (OSError, ssl.SSLError) as error:
        raise BoardStartError(f"{certificate} is no certificate with its key: {error}") from error
    return context


def made(board: Board, keys: Keys, local: bool) -> Application:
    """Return the application of a board. local: it answers to this machine's own name only."""
    return application(
        board,
        AloneMixin,
        "/",
        [("/api/join", Join)],
        keys=keys,
        cookie_secret=keys.cookie,
        hosts=LOCAL if local else None,
        joins=Buckets(120, 2.0),
        log_function=quiet,
        # Cookies know no ports: a JupyterLab on this machine has an `_xsrf` too.
        xsrf_cookie_name=f"{COOKIE}-xsrf",
        xsrf_cookie_kwargs={"httponly": True, "samesite": "Strict"},
    )


async def serve(
    folder: Path,
    port: int,
    address: str,
    tls: ssl.SSLContext | None,
    database: str = "",
    new: bool = False,
    named: bool | None = None,
    **board_settings,
) -> None:
    """Run the board until it is ended. named: None leaves it as it is in the lesson that is going
    on. board_settings: as `open_board` takes them. Raises BoardStartError."""
    keys = keys_of(folder)
    board = open_board(database or folder / "board.sqlite", named=bool(named), **board_settings)
    changed = named is not None and named != board.session.named
    if changed and board.people and not new:
        raise BoardStartError(
            f"the lesson that is going on shows "
            f"{'names' if board.session.named else 'pseudonyms'}; --new begins "
            "another, and deletes this one"
        )
    if new or changed:
        await board.begin()
    app = made(board, keys, local=address in LOCAL)
    base = f"{'https' if tls else 'http'}://{'localhost' if address in LOCAL else address}:{port}/"
    print(
        f"The board (yours alone; open it on the projector):  {base}?key={keys.teach}\n"
        f"Learners, in a notebook:  from convladder import journal; "
        f'journal.join("{base}#{keys.room}")\nCtrl-C ends it.',
        flush=True,
    )
    await listen(board, app, port, address, tls)
