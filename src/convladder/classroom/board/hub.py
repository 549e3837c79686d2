"""The board as a service of JupyterHub: `service` and `roles` for its configuration, and the
program that it starts.

The hub says who looks (HubOAuth) and whose notebook sends (the token of the learner's own server,
with the scope to reach this service and no other). Whoever is the hub's admin, or in its group
"instructors", sees the board; everybody else what is their own.
"""

from __future__ import annotations

import argparse
import asyncio
import hashlib
import os
import sys
from collections import OrderedDict
from pathlib import Path
from typing import TYPE_CHECKING, Any
from urllib.parse import urlsplit

if TYPE_CHECKING:
    from .handler import Visitor

NAME = "board"
INSTRUCTORS = "instructors"
REACH = f"access:services!service={NAME}"


def service(
    folder: Path | str,
    url: str = "http://127.0.0.1:8188",
    *,
    names: bool = False,
    plan: Path | str | None = None,
    day: int = 1,
    database: str = "",
) -> dict[str, Any]:
    """Return the entry for `c.JupyterHub.services`: the hub starts the board, and again if it ends.

    folder: where its data lie, only read by whoever runs the hub. url: where it listens; the hub
    shows it at /services/board/. names: show learners' names, not pseudonyms, in lessons that begin
    from now on. plan: a syllabus; day: which of its sessions. database: an address of SQLAlchemy,
    for another than SQLite.
    """
    command = [sys.executable, "-m", "convladder.classroom.board.hub", str(Path(folder).resolve())]
    command += ["--names"] if names else []
    command += ["--plan", str(Path(plan).resolve()), "--day", str(day)] if plan else []
    environment = {"CONVLADDER_BOARD_DATABASE": database} if database else {}
    return {
        "name": NAME,
        "url": url,
        "command": command,
        "environment": environment,
        "oauth_no_confirm": True,
        "display": True,
    }


def roles() -> list[dict[str, Any]]:
    """Return the entries for `c.JupyterHub.load_roles`: every user may reach the board, and so may
    the token of their server."""
    return [
        {"name": "user", "scopes": ["self", REACH]},
        {"name": "server", "scopes": ["users:activity!user", "access:servers!server", REACH]},
    ]


class HubMixin:
    """Says who asks, by the hub. Made a handler's by `_mixin`, with HubOAuthenticated."""

    async def _model(self) -> dict[str, Any] | None:
        model = await self.hub_auth.get_user(self, sync=False)
        if (
            model
            and model.get("kind", "user") == "user"
            and self.hub_auth.check_scopes(self.hub_auth.access_scopes, model)
        ):
            return model
        return None

    async def visitor(self) -> Visitor | None:
        """Return who is logged in; a token in a header or an address is no login."""
        from .handler import Visitor

        if self.hub_auth.get_token(self, in_cookie=False):
            return None
        model = await self._model()
        if model is None:
            return None
        teaches = bool(model.get("admin")) or INSTRUCTORS in model.get("groups", ())
        return Visitor(model["name"], model["name"], teaches)

    async def sender(self, token: str) -> Visitor | None:
        """Return whose server has this token. Raises Refused where unknown ones come too fast."""
        from .board import Refused
        from .handler import Visitor

        known: OrderedDict[str, None] = self.settings["known"]
        digest = hashlib.sha256(token.encode()).hexdigest()
        if digest not in known:
            wait = self.settings["strangers"].take("", 1)
            if wait:
                raise Refused(429, "too many notebooks that are not known", wait)
        model = await self._model()
        if model is None:
            known.pop(digest, None)
            return None
        known[digest] = None
        while len(known) > 5_000:
            known.popitem(last=False)
        return Visitor(model["name"], model["name"])

    def page(self, learner: Visitor) -> str:
        """Return where the learner's page is, below the hub's address: notebooks may reach the
        board by another one than browsers do."""
        return f"{self.settings['prefix']}mine"

    def welcome(self) -> None:
        """Send to the hub's login."""
        self.redirect(self.get_login_url())


def _mixin() -> type:
    from jupyterhub.services.auth import HubOAuthenticated

    return type("HubHandler", (HubMixin, HubOAuthenticated), {})


def main(arguments: list[str] | None = None) -> int:
    """Run the service, as the hub starts it; return the exit code."""
    parser = argparse.ArgumentParser(prog="convladder-board-service")
    parser.add_argument("folder", type=Path)
    parser.add_argument("--names", action="store_true")
    parser.add_argument("--plan", type=Path)
    parser.add_argument("--day", type=int, default=1)
    args = parser.parse_args(arguments)
    from .serve import BoardStartError

    try:
        asyncio.run(_serve(args))
    except BoardStartError as error:
        print(f"convladder board: {error}", file=sys.stderr)
        return 2
    except KeyboardInterrupt:
        pass
    return 0


async def _serve(args: argparse.Namespace) -> None:
    from jupyterhub.services.auth import HubOAuthCallbackHandler

    from .limits import Buckets
    from .pages import application, quiet
    from .serve import listen, open_board

    where = urlsplit(os.environ["JUPYTERHUB_SERVICE_URL"])
    prefix = os.environ["JUPYTERHUB_SERVICE_PREFIX"]
    board = open_board(
        os.environ.get("CONVLADDER_BOARD_DATABASE") or args.folder / "board.sqlite",
        named=args.names,
        plan=args.plan,
        day=args.day,
    )
    app = application(
        board,
        _mixin(),
        prefix,
        [(f"{prefix}oauth_callback", HubOAuthCallbackHandler)],
        cookie_secret=os.urandom(32),
        log_function=quiet,
        known=OrderedDict(),
        strangers=Buckets(100, 10.0),
    )
    await listen(board, app, where.port, where.hostname, parent=os.getppid())


if __name__ == "__main__":
    sys.exit(main())
