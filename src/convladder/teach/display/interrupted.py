"""An interrupt (■) of a cell: one sentence, in place of all the calls that it came through."""

from __future__ import annotations

import linecache
from traceback import walk_tb
from types import TracebackType
from typing import Any


def listen(shell: Any) -> None:
    """Let this kernel tell an interrupt in a sentence. The cells behind it do not run, as ever."""
    shell.set_custom_exc((KeyboardInterrupt,), _tell)


def _tell(
    shell: Any,
    kind: type,
    error: KeyboardInterrupt,
    trace: TracebackType | None,
    tb_offset: int | None = None,
) -> None:
    if not hasattr(error, "_render_traceback_"):  # that of a check has its own words
        words = sentence(trace, shell.user_ns)
        error._render_traceback_ = lambda: [words]
    shell.showtraceback((kind, error, trace))


def sentence(trace: TracebackType | None, names: dict[str, Any]) -> str:
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
