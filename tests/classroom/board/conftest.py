"""A small course, a room of it, and a board that answers on a port of its own."""

import asyncio
import threading
import time
import uuid
from datetime import UTC, datetime

import pytest

from convladder.classroom.board.catalogue import Catalogue, Mistake, Part, Question, Task
from convladder.journal.post import request

EXERCISES = ("size", "lower", "multiply")


def part(number: str, key: str) -> Part:
    """A chapter with three exercises and two questions; the second's words are a pattern."""
    tasks = tuple(
        Task(
            f"{key}_{name}",
            key,
            f"Do {name}.",
            {
                each: Mistake(
                    each, f"It shows {each}.", f"The idea of {each}.", f"The line of {each}."
                )
                for each in ("flipped", "one too few")
            },
        )
        for name in EXERCISES
    )
    asked = (
        Question(f"{key}-1", key, "times faster", "gain", "×", "gain", "aaaaaaaa", "bbbbbbbb", 8.0),
        Question(
            f"{key}-2", key, "MiB", "matrix of …", "MiB", "matrix of .*", "cccccccc", "dddddddd"
        ),
    )
    return Part(key, number, key.upper(), tasks, asked)


@pytest.fixture
def course() -> Catalogue:
    return Catalogue((part("01", "gemm"), part("02", "mec")))


def told(kind: str, **said) -> dict:
    """An event as a notebook sends it."""
    return {"uid": uuid.uuid4().hex, "time": datetime.now(UTC).isoformat(), "kind": kind, **said}


def checked(exercise: str, stage: str = "passed", misconception: str = "") -> dict:
    return told("checked", exercise=exercise, stage=stage, misconception=misconception)


class Served:
    """A board without a hub, in a thread of its own."""

    def __init__(self, folder, course, **settings):
        pytest.importorskip("sqlalchemy", reason="the extra `classroom` is not installed")
        pytest.importorskip("tornado", reason="the extra `classroom` is not installed")
        from convladder.classroom.board.alone import keys_of

        self.folder, self.course, self.settings = folder, course, settings
        self.keys = keys_of(folder)
        self.start()

    def start(self, port: int = 0) -> None:
        self._ready = threading.Event()
        self._thread = threading.Thread(target=lambda: asyncio.run(self._serve(port)), daemon=True)
        self._thread.start()
        assert self._ready.wait(20)

    async def _serve(self, port):
        from tornado.httpserver import HTTPServer
        from tornado.testing import bind_unused_port

        from convladder.classroom.board.alone import made
        from convladder.classroom.board.board import Board
        from convladder.classroom.board.database import Database

        self.board = Board(Database(self.folder / "board.sqlite"), self.course, **self.settings)
        self.server = HTTPServer(made(self.board, self.keys, local=True))
        if port:
            self.server.listen(port, "127.0.0.1")
            self.port = port
        else:
            socket, self.port = bind_unused_port()
            self.server.add_sockets([socket])
        self.address = f"http://127.0.0.1:{self.port}/"
        self.loop, self._ended = asyncio.get_running_loop(), asyncio.Event()
        self._ready.set()
        await self._ended.wait()
        self.server.stop()
        await self.server.close_all_connections()
        self.board.close()

    def stop(self) -> None:
        self.loop.call_soon_threadsafe(self._ended.set)
        self._thread.join(20)

    def join(self, name: str = "") -> str:
        """Return a learner's token."""
        data = {"key": self.keys.room, "name": name}
        return request(self.address, "/api/join", data=data)["token"]

    def send(self, token: str, *events: dict) -> dict:
        return request(
            self.address,
            "/api/events",
            token,
            data={"told": "2026-11-22T10:00:00", "events": list(events)},
        )

    def view(self, chapter: str = "") -> dict:
        from convladder.classroom.board.view import view

        return view(self.board.room, self.board.lesson, chapter, time.time())


@pytest.fixture
def serve(tmp_path, course):
    """Return a function that starts boards on one folder; all are ended."""
    boards = []

    def start(**settings):
        boards.append(Served(tmp_path / "board", course, **settings))
        return boards[-1]

    yield start
    for each in boards:
        if each._thread.is_alive():
            each.stop()


@pytest.fixture
def board(serve):
    return serve()
