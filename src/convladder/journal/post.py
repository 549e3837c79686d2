"""One request to a board. No redirect is followed, no proxy asked: a token goes nowhere else."""

from __future__ import annotations

import json
from typing import Any
from urllib.parse import urlsplit

TIMEOUT = 5.0  # seconds
LARGEST = 2**20  # bytes of an answer that are read


class BoardError(Exception):
    """A board that did not do as asked: `status` of HTTP, 0 where it was not reached at all.

    wait: seconds that it asks to wait.
    """

    def __init__(self, status: int, text: str, wait: float = 0.0):
        super().__init__(text)
        self.status, self.wait = status, wait


def request(
    board: str, path: str, token: str = "", method: str = "POST", data: Any = None
) -> dict[str, Any]:
    """Return the answer of the board at `board`, a JSON object. Raises BoardError."""
    from http.client import HTTPConnection, HTTPException, HTTPSConnection

    try:
        where = urlsplit(board)
    except ValueError:
        where = urlsplit("")
    if where.scheme not in ("http", "https") or not where.hostname:
        raise BoardError(0, f"{board} is not the address of a board")
    kind = HTTPSConnection if where.scheme == "https" else HTTPConnection
    headers = {"Content-Type": "application/json"}
    if token:
        headers["Authorization"] = f"token {token}"
    connection = None
    try:
        connection = kind(where.hostname, where.port, timeout=TIMEOUT)
        asked = None if data is None else json.dumps(data, ensure_ascii=False)
        body = None if asked is None else asked.encode("utf-8", "replace")
        connection.request(method, where.path.rstrip("/") + path, body, headers)
        answer = connection.getresponse()
        text = answer.read(LARGEST)
    except (OSError, HTTPException, ValueError) as error:
        raise BoardError(
            0,
            f"the board at {board} cannot be reached: {getattr(error, 'strerror', None) or error}",
        ) from error
    finally:
        if connection is not None:
            connection.close()
    return _answer(answer.status, text, answer.headers.get("Retry-After", ""))


def _answer(status: int, text: bytes, wait: str) -> dict[str, Any]:
    try:
        found = json.loads(text)
    except ValueError:
        found = None
    if status == 200 and isinstance(found, dict):
        return found
    said = found.get("message") if isinstance(found, dict) else None
    raise BoardError(
        status if status != 200 else 502,
        str(said or f"the board answers {status}"),
        float(wait) if wait.isdigit() else 0.0,
    )
