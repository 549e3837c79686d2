"""The memory that each line of a function takes at its peak, by Python's own tracer."""

from __future__ import annotations

import sys
import threading
import tracemalloc
from collections.abc import Callable
from types import FrameType
from typing import Any, NamedTuple


class CodeLine(NamedTuple):
    """A line of a file, within a function."""

    file: str
    number: int
    function: str


def memory_by_line(
    function: Callable, args: tuple, own: dict[str, Any]
) -> tuple[Any, dict[CodeLine, int]]:
    """Return `function(*args)`, and the bytes that lines took beyond those in use as they began.

    own: the globals of the functions whose lines count, on all threads. A line that runs several
    times has its largest number. Errors pass through.
    """
    taken: dict[CodeLine, int] = {}
    line, before = None, 0  # that runs, and the bytes in use as it began

    def in_line(frame: FrameType, event: str, _: Any) -> Callable:
        nonlocal line, before
        now, peak = tracemalloc.get_traced_memory()
        if line:
            taken[line] = max(taken.get(line, 0), peak - before)
        tracemalloc.reset_peak()
        code, before = frame.f_code, now
        ended = event == "return"
        line = None if ended else CodeLine(code.co_filename, frame.f_lineno, code.co_name)
        return in_line

    def called(frame: FrameType, event: str, _: Any) -> Callable | None:
        return in_line(frame, event, None) if frame.f_globals is own else None

    tracing = tracemalloc.is_tracing()
    if not tracing:
        tracemalloc.start()
    former = sys.gettrace(), threading.gettrace()
    sys.settrace(called)
    threading.settrace(called)
    try:
        return function(*args), taken
    finally:
        sys.settrace(former[0])
        threading.settrace(former[1])
        if not tracing:
            tracemalloc.stop()
