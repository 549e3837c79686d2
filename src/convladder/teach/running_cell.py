"""The line below a running cell: how long it has run, its step, and any interruption."""

from __future__ import annotations

import linecache
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from html import escape
from time import perf_counter
from traceback import walk_tb
from types import TracebackType
from typing import Any

from ..core.progress import listeners
from ..journal import journal_path

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
        """Report the cell's current step."""
        now = perf_counter()
        if now - self._begun < PATIENCE or now - self._changed < EVERY or journal_path() is None:
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


def show_progress_line(shell: Any) -> BusyLine:
    """Let cells of this kernel show what they do."""
    line = BusyLine()
    shell.events.register("pre_run_cell", line.begin)
    shell.events.register("post_run_cell", line.end)
    listeners.append(line.step)
    return line


def explain_interrupts(shell: Any) -> None:
    """Let this kernel say in a sentence where an interrupt found it. Later cells do not run."""
    shell.set_custom_exc((KeyboardInterrupt,), _explain)


def _explain(
    shell: Any,
    kind: type,
    error: KeyboardInterrupt,
    trace: TracebackType | None,
    tb_offset: int | None = None,
) -> None:
    if not hasattr(error, "_render_traceback_"):  # that of a check has its own words
        words = interrupt_sentence(trace, shell.user_ns)
        vars(error)["_render_traceback_"] = lambda: [words]
    shell.showtraceback((kind, error, trace))


def interrupt_sentence(trace: TracebackType | None, names: dict[str, Any]) -> str:
    """Return where an interrupt found the notebook, by its own line, and what to do.

    names: the globals of the notebook's cells, by which their lines are known.
    """
    lines = [
        (frame.f_code.co_filename, line)
        for frame, line in walk_tb(trace)
        if frame.f_globals is names
    ]
    text = linecache.getline(*lines[-1]).strip() if lines else ""
    where = f" in line {lines[-1][1]}, `{text}`" if text else ""
    return f"Interrupted{where}. Run the cell again when you like."


@contextmanager
def progress(what: str) -> Iterator[Callable[[str], None]]:
    """Show `what` in a notebook, and each step that the function given back is told of.

    Elsewhere it shows nothing.
    """
    from IPython import get_ipython

    if getattr(get_ipython(), "kernel", None) is None:
        yield lambda now: None
        return
    from IPython.display import HTML, display

    begun, line = perf_counter(), display(HTML(escape(what)), display_id=True)

    def step(now: str) -> None:
        line.update(HTML(f"{escape(what)}, {perf_counter() - begun:.0f} s: {escape(now)}"))

    try:
        yield step
    finally:
        line.update(HTML(""))
