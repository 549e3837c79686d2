"""A bar on the terminal that says how far a long run is, and what it does."""

import sys

WIDTH = 24


class Bar:
    """Of `total` steps. Drawn on standard error, and only where that is a terminal."""

    def __init__(self, total: int):
        self._total, self._done = total, 0

    def step(self, what: str) -> None:
        """Begin the next step."""
        filled = WIDTH * min(self._done, self._total) // self._total
        self._done += 1
        self._draw(f"[{'#' * filled}{'.' * (WIDTH - filled)}] {what}")

    def close(self) -> None:
        """Clear the line."""
        self._draw("")

    def _draw(self, text: str) -> None:
        if sys.stderr.isatty():
            print(f"\r\033[K{text}", end="", file=sys.stderr, flush=True)
