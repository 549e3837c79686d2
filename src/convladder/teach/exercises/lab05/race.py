"""Whether an answer whose iterations are shared among threads is right every time."""

from __future__ import annotations

import inspect
import time
from collections.abc import Callable

import numpy as np

from ....problem import ConvProblem
from ....reference import random_arrays
from ....registry import get_method
from ...grading.compare import same
from ...grading.exercise import Flaw

LAYER = ConvProblem(2, 34, 30, 16, 3, 3, 16, padding=1)
MOST, ENOUGH_TIME = 60, 1.0  # calls, and seconds for all of them
RACE = "right now and then"


def race(answer: Callable) -> Flaw | None:
    """Return what is wrong with `answer(x, w, problem)` if a race shows in some of many calls.

    None as well where nothing is compiled with `parallel=True`. A function in another process, of
    which that cannot be seen, is called all the same.
    """
    own = _globals(answer)
    if own is not None and not any(map(_in_parallel, (answer, *own.values()))):
        return None
    x, w = random_arrays(LAYER)
    expected = get_method("loops_numba").run(x, w, LAYER)
    end, calls, wrong = time.perf_counter() + ENOUGH_TIME, 0, 0
    while calls < MOST and time.perf_counter() < end:
        calls += 1
        wrong += not same(expected, np.asarray(answer(x.copy(), w.copy(), LAYER)))
    if not wrong:
        return None
    return Flaw(
        RACE,
        f"not each time: of {calls} more calls on one layer, {wrong} gave something "
        "else. Iterations of `prange` run at once. What several of them add to is "
        "read by one while another writes it: let each have outputs of its own.",
    )


def _in_parallel(value: object) -> bool:
    options = getattr(value, "targetoptions", None)
    return isinstance(options, dict) and bool(options.get("parallel"))


def _globals(answer: Callable) -> dict | None:
    function = inspect.unwrap(getattr(answer, "py_func", answer))
    return getattr(function, "__globals__", None)
