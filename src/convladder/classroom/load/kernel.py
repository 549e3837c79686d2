"""A kernel of a learner's server, over the websocket that a notebook in a browser opens."""

from __future__ import annotations

import json
import time
from dataclasses import dataclass, field
from typing import Any
from uuid import uuid4

import websocket

from .browser import Browser, LoadError

CELL_PATIENCE = 180.0  # seconds without a word from a kernel
IDLE_PATIENCE = 5.0  # of a kernel that has replied
BACK, BACK_PATIENCE = 3, 20.0  # how often a page connects again, after so many seconds
TRIES = 30  # to connect, a second apart: a proxy may be starting again
GONE = ("restarting", "dead")  # what a server says of a kernel that has ended by itself
SLICE = 10.0  # seconds: the server's pings, every 30, are no word from a kernel


@dataclass
class Ran:
    """What came of a cell: seconds until it was done, what it printed, the error's name or "".

    dropped: how often the connection was lost meanwhile, and taken up again as a page does.
    """

    seconds: float = 0.0
    text: str = ""
    error: str = ""
    dropped: int = 0
    values: dict[str, str] = field(default_factory=dict)


class LiveKernel:
    """A kernel that runs for a notebook; `close` leaves it running, as a closed laptop does."""

    def __init__(self, browser: Browser, notebook: str):
        self.browser, self.session = browser, uuid4().hex
        made = browser.ask(
            "POST",
            "api/sessions",
            path=notebook,
            type="notebook",
            name=notebook.rpartition("/")[2],
            kernel={"name": "python3"},
        )
        self.id, self._made, self._socket = made["kernel"]["id"], made["id"], None
        self.connect()

    def connect(self) -> None:
        """Open the websocket. Raises LoadError."""
        address = self.browser.at(f"api/kernels/{self.id}/channels?session_id={self.session}")
        address = "ws" + address.removeprefix("http")
        cookies = "; ".join(
            f"{each.name}={each.value}"
            for each in self.browser.http.cookies
            if self.browser.at("").split("/", 3)[3].startswith(each.path.strip("/"))
        )
        for attempt in range(TRIES):
            try:
                self._socket = websocket.create_connection(
                    address, timeout=CELL_PATIENCE, cookie=cookies, origin=self.browser.url
                )
                return
            except (OSError, websocket.WebSocketException) as error:
                if attempt == TRIES - 1:
                    said = str(error).partition(" -+-+-")[0]  # without the page behind it
                    raise LoadError(f"{self.browser.user}: no websocket: {said}") from error
                time.sleep(1)

    def close(self) -> None:
        """Lose the connection."""
        self._socket.close()

    def shut_down(self) -> None:
        """End the kernel, as "Close and Shut Down Notebook" does. Raises LoadError."""
        self.close()
        self.browser.ask("DELETE", f"api/sessions/{self._made}")

    def send(self, code: str, **values: str) -> str:
        """Ask for a cell to be run; return the message's id. values: names -> expressions."""
        number = uuid4().hex
        self._socket.send(
            json.dumps(
                {
                    "header": {
                        "msg_id": number,
                        "msg_type": "execute_request",
                        "version": "5.3",
                        "username": self.browser.user,
                        "session": self.session,
                        "date": time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime()),
                    },
                    "parent_header": {},
                    "metadata": {},
                    "channel": "shell",
                    "content": {
                        "code": code,
                        "silent": False,
                        "store_history": True,
                        "user_expressions": values,
                        "allow_stdin": False,
                        "stop_on_error": False,
                    },
                }
            )
        )
        return number

    def result(self, number: str, patience: float = CELL_PATIENCE) -> Ran:
        """Wait until a cell is done. Raises LoadError where the connection is lost, the kernel has
        died, or nothing is heard from it for `patience` seconds."""
        begun = heard = time.monotonic()
        ran, left = Ran(), {"idle", "reply"}
        while left:  # "idle" is lost where a connection comes back in between
            until = heard + (IDLE_PATIENCE if left == {"idle"} else patience)
            self._socket.settimeout(min(max(until - time.monotonic(), 0.01), SLICE))
            try:
                message = json.loads(self._socket.recv())
            except websocket.WebSocketTimeoutException as error:
                if time.monotonic() < until:
                    continue
                if left == {"idle"}:
                    break
                raise LoadError(
                    f"{self.browser.user}: no answer from the kernel within {patience:g} s"
                ) from error
            except websocket.WebSocketConnectionClosedException as error:
                ran.dropped += 1
                if ran.dropped > BACK:
                    raise LoadError(
                        f"{self.browser.user}: the connection was lost "
                        f"{ran.dropped} times in one cell"
                    ) from error
                self.connect()  # the server has kept what the kernel said meanwhile
                continue
            except (OSError, ValueError, websocket.WebSocketException) as error:
                raise LoadError(
                    f"{self.browser.user}: no answer from the kernel: "
                    f"{error or type(error).__name__}"
                ) from error
            heard = time.monotonic()
            if message["content"].get("execution_state") in GONE:
                raise LoadError(
                    f"{self.browser.user}: the kernel died "
                    f"({message['content']['execution_state']})"
                )
            if message.get("parent_header", {}).get("msg_id") == number:
                left -= _noted(ran, message["msg_type"], message["content"])
        ran.seconds = time.monotonic() - begun
        return ran

    def run(self, code: str, **values: str) -> Ran:
        """Run a cell and wait for it. Raises LoadError."""
        return self.result(self.send(code, **values))

    def come_back(self, name: str) -> str:
        """Connect again, and return what `name` is in the kernel. Raises LoadError."""
        for attempt in range(BACK, -1, -1):
            self.connect()
            try:
                return self.result(self.send("", it=name), BACK_PATIENCE).values.get("it", "")
            except LoadError:  # as who sees that nothing comes, and loads the page again
                self.close()
                if not attempt:
                    raise
        return ""


def _noted(ran: Ran, kind: str, content: dict[str, Any]) -> set[str]:
    """Note a message in `ran`; return what needs no more waiting for."""
    if kind == "stream":
        ran.text += content["text"]
    elif kind in ("execute_result", "display_data"):
        ran.text += content["data"].get("text/plain", "") + "\n"
    elif kind == "error":
        ran.error = f"{content['ename']}: {content['evalue']}"
    elif kind == "status" and content["execution_state"] == "idle":
        return {"idle"}
    elif kind == "execute_reply":
        for name, given in content.get("user_expressions", {}).items():
            ran.values[name] = given.get("data", {}).get("text/plain", "").strip("'")
        return {"reply"}
    return set()
