"""A line below a cell that says what is being measured, and is gone when that is done."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from html import escape
from time import perf_counter

from ...bench.rounds import Progress


@contextmanager
def progress(what: str) -> Iterator[Progress]:
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
