"""Which strips each task of a pool writes, found by running one task at a time."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from ....cpu import mec
from ....problem import ConvProblem
from ...grading.exercise import Flaw
from ....exercises.mocks.thread_pool import RehearsalPool

LAYER, THREADS = ConvProblem(1, 4, 9, 1, 2, 2, 1), 3  # eight strips
SHARED = "all strips in every task"


def strips_shared(answer: Callable) -> Flaw | None:
    """Return what is wrong with how `answer(x, problem, n, pool)` shares its strips.

    Called while `np.empty` gives NaN. None as well for an answer whose tasks do not write into the
    one result: by itself a task then gives nothing to look at.
    """
    x = np.arange(1, 37, dtype=np.float32).reshape(LAYER.input_shape)
    expected, wrote, task = mec.lower(x, LAYER), [], 0
    while True:
        pool = RehearsalPool(THREADS, THREADS, only=task)
        try:
            L = np.array(answer(x.copy(), LAYER, THREADS, pool))
        except Exception:
            return None
        if task >= pool.submitted:
            break
        if L.shape != expected.shape:
            return None
        wrote.append((L == expected).all(axis=(0, 2, 3, 4)))
        task += 1
    times = np.sum(wrote, axis=0)
    most = max(int(each.sum()) for each in wrote)
    if times.max() > 1 or most == LAYER.o_w:
        return Flaw(
            SHARED,
            f"with {LAYER.o_w} strips and {THREADS} threads, a task of yours "
            f"lowers {most}, and {int((times > 1).sum())} strips are lowered "
            "more than once. Each strip belongs to one task.",
        )
    return None
