"""Threads that stay: work is handed to them, not made for them."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from queue import SimpleQueue
from threading import Lock, Thread


class Workers:
    """`threads` threads, the caller among them.

    concurrent.futures does the same for 2 KB of objects a task, which would count as workspace.
    """

    def __init__(self, threads: int):
        self._todo = [SimpleQueue() for _ in range(threads - 1)]
        self._done = SimpleQueue()
        self._busy = Lock()  # one caller at a time
        for number, todo in enumerate(self._todo, start=1):
            Thread(target=self._serve, args=(number, todo), daemon=True).start()

    def together(self, work: Callable[[int], None]) -> None:
        """Run `work(thread)` in each thread, 0 to `threads`-1; returns when all are done.

        An error in any of them is raised here, once all have stopped.
        """
        with self._busy:
            for todo in self._todo:
                todo.put(work)
            try:
                work(0)  # the caller would only wait
            finally:
                errors = [self._done.get() for _ in self._todo]
        for error in errors:
            if error is not None:
                raise error

    def _serve(self, number: int, todo: SimpleQueue) -> None:
        while True:
            work, error = todo.get(), None
            try:
                work(number)
            except BaseException as caught:  # the caller's to handle
                error = caught
            del work  # and the arrays that it holds
            self._done.put(error)
            del error


@cache
def workers(threads: int) -> Workers:
    """Return the workers, started at the first call, then kept."""
    return Workers(threads)
