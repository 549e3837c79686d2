"""The instructor's page of the board: how late it shows what learners did, and what it never did."""

from __future__ import annotations

import json
import sqlite3
import threading
import time
from collections.abc import Iterable, Mapping
from contextlib import closing
from pathlib import Path

import requests

from ..roster import INSTRUCTOR
from .browser import Browser, LoadError

PASSWORD = "a long one of who teaches"
DATABASE = "board.sqlite"


class Audience:
    """An open page of the board at `url`, on the chapter `key`; a context. It notes when the page
    has shown how many learners to be done with an exercise."""

    def __init__(self, url: str, code: str, key: str):
        self.key, self.seen = key, {}
        self.browser = Browser(url, INSTRUCTOR)
        self.browser.sign_up(code, PASSWORD)
        self.browser.log_in(PASSWORD)
        self.board = f"{url}/services/board/"
        if not (answer := self.browser.http.get(self.board, timeout=60)).ok:
            raise LoadError(f"the board does not open: {answer.status_code}")

    def __enter__(self) -> Audience:
        """Open the page."""
        self._ended = threading.Event()
        self._thread = threading.Thread(target=self._look, daemon=True)
        self._thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        """Close it."""
        self._ended.set()
        self._thread.join(timeout=30)

    def _look(self) -> None:
        while not self._ended.is_set():
            try:
                with self.browser.http.get(
                    f"{self.board}stream", params={"chapter": self.key}, stream=True, timeout=30
                ) as answer:
                    for line in answer.iter_lines():
                        if line.startswith(b"data: "):
                            self._note(json.loads(line[6:]))
                        if self._ended.is_set():
                            return
            except requests.RequestException:  # a board that is started again
                time.sleep(0.5)

    def _note(self, state: Mapping) -> None:
        now = time.time()
        for exercise in state["exercises"]:
            times = self.seen.setdefault(exercise["name"], [])
            times += [now] * (len(exercise["who"]["done"]) - len(times))

    def delays(self, passed: Iterable[Mapping[str, float]]) -> list[float]:
        """Return, for each exercise that each learner has passed, the seconds until it was shown.

        passed: of each learner, exercise -> clock time. Infinite for what was not shown.
        """
        found: dict[str, list[float]] = {}
        for each in passed:
            for name, at in each.items():
                found.setdefault(name, []).append(at)
        return [
            shown - at
            for name, times in found.items()
            for at, shown in zip(
                sorted(times), [*self.seen.get(name, []), *[float("inf")] * len(times)]
            )
        ]


def kept_events(folder: Path) -> list[str]:
    """Return the number of each event that the board's database in `folder` holds."""
    with closing(sqlite3.connect(f"file:{folder / DATABASE}?mode=ro", uri=True)) as database:
        return [uid for (uid,) in database.execute("SELECT uid FROM event")]


def told_events(journals: Mapping[str, Iterable[Mapping]]) -> dict[str, str]:
    """Return number -> kind of each event that learners' own journals hold."""
    return {event["uid"]: event["kind"] for journal in journals.values() for event in journal}
