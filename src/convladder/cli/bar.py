"""A bar on the terminal that says how far a long run is, and what it does."""

from __future__ import annotations

import sys

WIDTH = 24


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
        if sys.stderr.isatty():
            print(f"\r\033[K{text}", end="", file=sys.stderr, flush=True)
