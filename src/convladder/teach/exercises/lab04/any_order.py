"""Whether an answer with a pool of its own is right in whatever order its tasks run."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from concurrent import futures
from contextlib import contextmanager
from inspect import unwrap
from unittest.mock import patch

import numpy as np

from ....cpu import im2col
from ....problem import ConvProblem
from ...grading.compare import same
from ...grading.exercise import Flaw
from ....exercises.mocks.thread_pool import RehearsalPool

LAYER, THREADS = ConvProblem(1, 5, 6, 1, 2, 3, 2), 3
ORDER = "right by luck of the order"
NOBODY_WAITS = "returned before all tasks are done"


def tasks_in_order(answer: Callable) -> Flaw | None:
    """Return what is wrong with `answer(x, w, problem, n)` where its last task comes first.

    Or that it does not wait for all of them.
    None as well for what raises, or makes threads without a `ThreadPoolExecutor`.
    """
    x = np.arange(1, 31, dtype=np.float32).reshape(LAYER.input_shape)
    w = np.arange(-4, 8, dtype=np.float32).reshape(LAYER.kernel_shape)
    with _rehearsed(answer) as pools:
        try:
            got = answer(x.copy(), w.copy(), LAYER, THREADS)
        except Exception:
            return None
        left = any(pool.left_alone for pool in pools)
    if left:
        return Flaw(
            NOBODY_WAITS,
            "only if its tasks are quick enough. Nothing waits for all of "
            "them: it may go on, or return, before they have written.",
        )
    if same(im2col.im2col(x, w, LAYER), got):
        return None
    return Flaw(
        ORDER,
        "only if its tasks begin in the order in which they were submitted. Nothing "
        "promises that: begun in another order, some read what others have not "
        "written yet.",
    )


class _Pool(RehearsalPool):
    @property
    def left_alone(self) -> bool:
        """Return whether there is a task that nobody has waited for."""
        return bool(self._waiting) or self.half_waited


@contextmanager
def _rehearsed(answer: Callable) -> Iterator[list[_Pool]]:
    """Put other pools in place of `ThreadPoolExecutor`, where `answer` finds it; give them, too.

    They begin nothing before somebody waits, and then the last task first. One worker alone takes
    tasks as they come.
    """
    made: list[_Pool] = []

    def pool(max_workers: int | None = None, *_: object, **__: object) -> futures.Executor:
        if max_workers == 1:
            return futures.thread.ThreadPoolExecutor(1)
        made.append(_Pool(max_workers or THREADS))
        return made[-1]

    real, own = futures.ThreadPoolExecutor, getattr(unwrap(answer), "__globals__", {})
    names = [name for name, value in own.items() if value is real]
    with patch.object(futures, "ThreadPoolExecutor", pool):
        try:
            own.update(dict.fromkeys(names, pool))
            yield made
        finally:
            own.update(dict.fromkeys(names, real))
