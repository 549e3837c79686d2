"""Opens a board and serves it until it is ended."""

from __future__ import annotations

import asyncio
import os
import signal
from pathlib import Path
from typing import Any

from ...outline import root
from .board import Board, Refused
from .catalogue import catalogue
from .database import Database, StoreError
from .plan import PlanError, read_plan
from .wire import LARGEST_BODY

HOURLY = 3600.0


class BoardStartError(Exception):
    """A board that cannot begin; the text says why and what to do."""


def open_board(database: Path | str, *, named: bool = False, plan: Path | None = None,
               day: int = 1, stuck: int = 3) -> Board:
    """Return the board of a database, with the course of this folder. Raises BoardStartError."""
    os.umask(0o077)
    course = root()
    if course is None:
        raise BoardStartError("there is no course here; `convladder get` writes one")
    known = catalogue(course)
    try:
        return Board(Database(database), known, named=named, stuck=stuck,
                     plan=read_plan(plan, known, day) if plan else None)
    except (StoreError, PlanError) as error:
        raise BoardStartError(error) from error


async def listen(board: Board, app: Any, port: int, address: str, tls: Any = None) -> None:
    """Serve until SIGTERM or Ctrl-C. Raises BoardStartError where the port is taken."""
    from tornado.httpserver import HTTPServer

    server = HTTPServer(app, xheaders=True, max_body_size=2 * LARGEST_BODY, ssl_options=tls,
                        idle_connection_timeout=60)
    try:
        server.listen(port, address)
    except OSError as error:
        raise BoardStartError(f"{address}:{port} cannot be used ({error.strerror}); "
                              "--port takes another") from error
    ended = asyncio.Event()
    loop = asyncio.get_running_loop()
    for name in (signal.SIGTERM, signal.SIGINT):
        loop.add_signal_handler(name, ended.set)
    try:
        while not ended.is_set():
            try:
                await asyncio.wait_for(ended.wait(), HOURLY)
            except TimeoutError:
                try:
                    await board.expire()
                except Refused:  # told on the page; the next hour may be better
                    continue
    finally:
        server.stop()
        await server.close_all_connections()
        board.close()
