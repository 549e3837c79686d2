"""The cost of right values: bytes of workspace, traffic of a kernel, barriers in its text."""

from __future__ import annotations

import copy
import linecache
import re
from collections.abc import Callable
from contextlib import suppress

from ..cuda.emulator.preprocess import masked
from ..exercises.exercise import Exercise
from ..measure import RESOLUTION, workspace
from ..measure.memory_by_line import memory_by_line
from .compare import Symptom
from .kernel import KernelCall
from .sandbox import guarded, own_globals
from .threads import limited

COUNTS = (
    "global_load_requests global_load_sectors global_store_requests global_store_sectors "
    "shared_requests shared_conflicts global_atomics"
).split()
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
    own = own_globals(function)
    result, taken = memory_by_line(function, args, own)
    size = getattr(result, "nbytes", 0)
    others = {line: most for line, most in taken.items() if abs(most - size) > 2**14}
    line = max(others, key=others.get, default=None)
    if not line or others[line] < least:
        return ""
    text = linecache.getline(line.file, line.number, own).strip()
    ours = (getattr(function, "__name__", ""), "<lambda>", "<genexpr>", "<listcomp>")
    helper = f" (in `{line.function}`)" if line.function not in ours else ""
    return f"line {line.number}{helper}, `{text}`" if text else ""
