"""The cost of right values: bytes of workspace, traffic of a kernel, barriers in its text."""

from __future__ import annotations

import copy
import linecache
import re
import sys
import threading
import tracemalloc
from collections.abc import Callable
from contextlib import suppress
from types import FrameType
from typing import Any

from ..cuda.emulator.preprocess import masked
from ..exercises.exercise import Exercise
from ..measure import RESOLUTION, workspace
from .compare import Symptom
from .kernel import KernelCall
from .sandbox import guarded, own_globals
from .threads import limited

COUNTS = (
    "global_load_requests",
    "global_load_sectors",
    "global_store_requests",
    "global_store_sectors",
    "shared_requests",
    "shared_conflicts",
    "global_atomics",
)
BARRIER = re.compile(r"\b__syncthreads(_\w+)?\s*\(")


def judge_cost(
    exercise: Exercise, answer: Callable, cost: dict[str, int], args: tuple
) -> Symptom | None:
    """Return the count over budget with these arguments, or None. Adds the counts to `cost`."""
    if not exercise.budget:
        return None
    budget = exercise.budget(*copy.deepcopy(args))
    slack = 0
    if isinstance(answer, KernelCall):
        cost |= {
            count: getattr(answer.report, count) for count in {*COUNTS, *budget} - {"barriers"}
        }
        if "barriers" in budget:
            cost["barriers"] = len(BARRIER.findall(masked(answer.source)))
    else:
        with guarded(answer):
            memory = limited(lambda: workspace(answer, *copy.deepcopy(args)))
        own = memory.result if exercise.view else 0  # where a view would do
        cost["workspace"] = memory.workspace + own
        slack = RESOLUTION + memory.result // 100
    over = [count for count, most in budget.items() if cost[count] > most + slack]
    if not over:
        return None
    line = ""
    if isinstance(answer, KernelCall):
        line = _busiest_line(answer, over[0], budget[over[0]])
    else:
        with suppress(Exception), guarded(answer):
            most = budget["workspace"]
            least = max(most + slack, (cost["workspace"] - most) / 2)  # else it may be allowed
            line = limited(lambda: _peak_line(answer, copy.deepcopy(args), least))
    return Symptom("budget", line, {each: (cost[each], budget[each]) for each in over})


def _busiest_line(kernel: KernelCall, count: str, least: int) -> str:
    """Return the line of a kernel with most of a count: "line 9, `y[i] = …`", or ""; "" too where
    it has no more than `least`, which may be allowed."""
    lines = [line for line in kernel.report.lines if getattr(line.traffic, count, 0) > least]
    line = max(lines, key=lambda each: getattr(each.traffic, count), default=None)
    return f"line {line.number}, `{line.text.strip()}`" if line else ""


def _peak_line(function: Callable, args: tuple, least: float) -> str:
    """Return the line of the learner's own that takes most memory besides the result's; "" where
    it takes less than `least` bytes, and so is not what is over the budget."""
    own, taken = own_globals(function), {}
    line, before = None, 0  # that runs (file, number, function), and what was in use as it began

    def in_line(frame: FrameType, event: str, _: Any) -> Callable:
        nonlocal line, before
        now, peak = tracemalloc.get_traced_memory()
        if line:
            taken[line] = max(taken.get(line, 0), peak - before)
        tracemalloc.reset_peak()
        ended = event == "return"
        code = frame.f_code
        line, before = None if ended else (code.co_filename, frame.f_lineno, code.co_name), now
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
        result = getattr(function(*args), "nbytes", 0)
    finally:
        sys.settrace(former[0])
        threading.settrace(former[1])
        if not tracing:
            tracemalloc.stop()
    others = {at: size for at, size in taken.items() if abs(size - result) > 2**14}
    at = max(others, key=others.get, default=None)
    if not at or others[at] < least or not (text := linecache.getline(at[0], at[1], own).strip()):
        return ""
    ours = (getattr(function, "__name__", ""), "<lambda>", "<genexpr>", "<listcomp>")
    helper = f" (in `{at[2]}`)" if at[2] not in ours else ""
    return f"line {at[1]}{helper}, `{text}`"
