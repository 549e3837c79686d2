"""A board of this course, that answers on a port of its own."""

import asyncio
import http.client
import json
import threading
import uuid
from datetime import UTC, datetime
from functools import cache
from pathlib import Path

import pytest

from convladder.classroom.board.course import CourseParts
from convladder.classroom.board.server import Board, server_of
from convladder.classroom.board.store import Store
from convladder.journal.post import request

ROOT = Path(__file__).parents[3]
course = cache(lambda: CourseParts(ROOT))


def event(kind="checked", **said):
    """What a notebook sends of one event."""
    if kind == "checked":
        said = {"exercise": "mec_lower", "stage": "passed", **said}
    now = datetime.now(UTC).isoformat()
    return {"uid": uuid.uuid4().hex, "time": now, "kind": kind, **said}


class Served:
    """A board in a thread. `ask` is a browser with its cookies."""

    def __init__(self, folder):
        self.folder, self.cookies, self.port = folder, {}, 0
        self.start()

    def start(self):
        begun = threading.Event()

        async def run():
            self.board = Board(Store(self.folder), course())
            server = server_of(self.board, "http://wall/#key")
            server.listen(self.port, "127.0.0.1")
            self.port = next(iter(server._sockets.values())).getsockname()[1]
            self.loop, self.ended = asyncio.get_running_loop(), asyncio.Event()
            begun.set()
            await self.ended.wait()
            server.stop()
            await server.close_all_connections()
            self.board.store.close()

        self.thread = threading.Thread(target=lambda: asyncio.run(run()))
        self.thread.start()
        assert begun.wait(20)
        self.address = f"http://127.0.0.1:{self.port}/"

    def stop(self):
        self.loop.call_soon_threadsafe(self.ended.set)
        self.thread.join()

    def join(self, name="Ada"):
        key = self.board.store.room_key
        return request(self.address, "/api/join", data={"key": key, "name": name})["token"]

    def send(self, token, *events):
        return request(self.address, "/api/events", token, data={"events": list(events)})

    def ask(self, path, method="GET", body=None, **headers):
        connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=10)
        cookie = "; ".join(f"{name}={value}" for name, value in self.cookies.items())
        connection.request(method, "/" + path, body, {"Cookie": cookie, **headers})
        answer = connection.getresponse()
        text = answer.read().decode()
        for each in answer.headers.get_all("Set-Cookie") or []:
            assert "HttpOnly" in each and "SameSite=Strict" in each
            name, _, rest = each.partition("=")
            self.cookies[name] = rest.partition(";")[0]
        connection.close()
        return answer.status, text

    def teach(self):
        assert self.ask(f"?key={self.board.store.instructor_key}")[0] == 302

    def state(self, chapter="mec"):
        status, text = self.ask(f"state?chapter={chapter}")
        assert status == 200
        return json.loads(text)


@pytest.fixture
def board(tmp_path):
    served = Served(tmp_path / "board")
    yield served
    served.stop()
