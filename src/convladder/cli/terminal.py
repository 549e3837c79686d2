"""Messages on the terminal: the progress of a long run, and why a request cannot be met."""

from __future__ import annotations

import argparse
import os
import sys
from pathlib import Path

from ..journal import course_root

WIDTH = 24
WRITTEN = {".json", ".jsonl", ".png"}  # a former one is replaced


class Bar:
    """A bar of `total` steps (None: nobody knows how many) on standard error, if a terminal."""

    def __init__(self, total: int | None = None):
        self._total, self._done = total, 0

    def step(self, what: str) -> None:
        """Begin the next step."""
        self._done += 1
        if self._total is None:
            self._draw(f"[{self._done}] {what}")
            return
        filled = WIDTH * min(self._done - 1, self._total) // self._total
        self._draw(f"[{'#' * filled}{'.' * (WIDTH - filled)}] {what}")

    def __enter__(self) -> Bar:
        return self

    def __exit__(self, *error: object) -> None:
        self.close()

    def close(self) -> None:
        """Clear the line."""
        self._draw("")

    def _draw(self, text: str) -> None:
        if sys.stderr.isatty() and os.environ.get("TERM") != "dumb":
            print(f"\r\033[K{text}", end="", file=sys.stderr, flush=True)


class CommandError(Exception):
    """The request cannot be met; the text says what was wrong and what to do."""


def course_folder() -> Path:
    """Return the folder that holds the course. Raises `CommandError` where there is none."""
    try:
        return course_root()
    except LookupError as error:
        raise CommandError(error) from error


def port(text: str) -> int:
    """Return the number of a port, as argparse's `type`."""
    if text.isdecimal() and 0 < int(text) < 65536:
        return int(text)
    raise argparse.ArgumentTypeError(f"{text} is not a valid port: there are 1 to 65535")


def must_be_writable(*paths: Path | None) -> None:
    """Raise `CommandError` for a file that cannot be written, or holds something else than what
    commands write, such as a notebook: before minutes of measuring. None is passed over."""
    for path in filter(None, paths):
        if not path.resolve().parent.is_dir():
            raise CommandError(f"{path}: there is no folder {path.parent} to write to; make it")
        if path.is_dir() or not os.access(
            path if path.exists() else path.resolve().parent, os.W_OK
        ):
            raise CommandError(f"{path} cannot be written; name another file")
        if path.exists() and path.suffix not in WRITTEN:
            raise CommandError(f"{path} is there already; name another file")
