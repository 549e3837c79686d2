"""Progress of a long computation, for any listener, such as a notebook's line below the cell.

Any package may report it. Nobody listens in tests, in scripts, or where the caller of a benchmark
asked for its progress itself.
"""

from __future__ import annotations

from collections.abc import Callable

Progress = Callable[[str], object]  # is told what begins
listeners: list[Progress] = []


def report_progress(what: str) -> None:
    """Report the step that begins now: "im2col", "image 2,000 of 8,000"."""
    for listener in listeners:
        listener(what)
