"""Opens a board and serves it until it is ended."""

from __future__ import annotations

import asyncio
import os
import signal
from contextlib import suppress
from pathlib import Path
from typing import Any

from ...journal import course_root
from .board import Board, Refused
from .catalogue import catalogue
from .database import Database, StoreError
from .plan import PlanError, read_plan
from .wire import LARGEST_BODY

HOURLY = 3600.0
WAIT = 6  # seconds for the port, while a board whose hub was killed ends


class BoardStartError(Exception):
    """A board that cannot begin; the text says why and what to do."""


def open_board(
    database: Path | str,
    *,
    named: bool = False,
    plan: Path | None = None,
    day: int = 1,
    stuck: int = 3,
) -> Board:
    """Return the board of a database, with the course of this folder. Raises BoardStartError."""
    os.umask(0o077)
    try:
        course = course_root()
    except LookupError as error:
        raise BoardStartError(error) from error
    known = catalogue(course)
    try:
        return Board(
            Database(database),
            known,
            named=named,
            stuck=stuck,
            plan=read_plan(plan, known, day) if plan else None,
        )
    except (StoreError, PlanError) as error:
        raise BoardStartError(error) from error


async def listen(
    board: Board, app: Any, port: int, address: str, tls: Any = None, parent: int | None = None
) -> None:
    """Serve until SIGTERM or Ctrl-C. Raises BoardStartError where the port is taken.

    parent: the hub's process, whose proxy says who asks. When it is gone, so is this board: a hub
    that was killed starts another.
    """
    from tornado.httpserver import HTTPServer

    server = HTTPServer(
        app,
        xheaders=bool(parent),
        max_body_size=2 * LARGEST_BODY,
        ssl_options=tls,
        idle_connection_timeout=60,
    )
    for second in range(WAIT if parent else 1):
        try:
            server.listen(port, address)
            break
        except OSError as error:
            if parent and second < WAIT - 1:
                await asyncio.sleep(1)
                continue
            raise BoardStartError(
                f"{address}:{port} cannot be used ({error.strerror}); --port takes another"
            ) from error
    ended = asyncio.Event()
    loop = asyncio.get_running_loop()
    for name in (signal.SIGTERM, signal.SIGINT):
        loop.add_signal_handler(name, ended.set)
    beside = [asyncio.create_task(_expire(board))]
    if parent:
        beside.append(asyncio.create_task(_orphaned(parent, ended)))
    try:
        await ended.wait()
    finally:
        for task in beside:
            task.cancel()
        server.stop()
        await server.close_all_connections()
        board.close()


async def _expire(board: Board) -> None:
    while True:
        await asyncio.sleep(HOURLY)
        with suppress(Refused):  # told on the page; the next hour may be better
            await board.expire()


async def _orphaned(parent: int, ended: asyncio.Event) -> None:
    while os.getppid() == parent:
        await asyncio.sleep(1)
    ended.set()
