"""A line below a cell that takes long: how long it has run, and what it is doing.

Any computation that says its steps by `convladder.steps` appears in it; the line is gone when the
cell has ended. Nothing is shown for a cell that is quick.
"""

from __future__ import annotations

from html import escape
from time import perf_counter
from typing import Any

from ...journal import place
from ...steps import LISTENERS

PATIENCE = 2.0  # seconds without a word
EVERY = 0.2  # seconds between two changes of the line


class BusyLine:
    """The line of the cell that is running; made when a step is told late enough."""

    def __init__(self) -> None:
        self._begun = self._changed = perf_counter()
        self._line: Any = None

    def begin(self, info: object = None) -> None:
        """Start a cell."""
        self._begun, self._changed, self._line = perf_counter(), 0.0, None

    def step(self, what: str) -> None:
        """Say what the cell does now."""
        now = perf_counter()
        if now - self._begun < PATIENCE or now - self._changed < EVERY or place() is None:
            return  # a page that nobody waits for stays as it is stored
        from IPython.display import HTML, display

        self._changed = now
        text = HTML(f"<i>{now - self._begun:.0f} s: {escape(what)}</i>")
        if self._line is None:
            self._line = display(text, display_id=True)
        else:
            self._line.update(text)

    def end(self, result: object = None) -> None:
        """End the cell: the line goes."""
        if self._line is not None:
            from IPython.display import HTML

            self._line.update(HTML(""))
            self._line = None


def listen(shell: Any) -> BusyLine:
    """Let cells of this kernel show what they do."""
    line = BusyLine()
    shell.events.register("pre_run_cell", line.begin)
    shell.events.register("post_run_cell", line.end)
    LISTENERS.append(line.step)
    return line
