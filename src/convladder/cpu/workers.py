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
        self._busy = Lock()  # one caller at a time
        for number, todo in enumerate(self._todo, start=1):
            Thread(target=self._serve, args=(number, todo), daemon=True).start()

    def together(self, work: Callable[[int], None]) -> None:
        """Run `work(thread)` in each thread, 0 to `threads`-1; returns when all are done.

        An error in any of them is raised here, once all have stopped. An interrupt may come
        earlier: `work` holds the arrays that it writes to, since some threads are still at it.
        """
        with self._busy:
            done = SimpleQueue()  # of this call alone: the next one does not count its leftovers
            for todo in self._todo:
                todo.put((work, done))
            try:
                work(0)  # the caller would only wait
            finally:
                errors = [done.get() for _ in self._todo]
        for error in errors:
            if error is not None:
                raise error

    def _serve(self, number: int, todo: SimpleQueue) -> None:
        while True:
            (work, done), error = todo.get(), None
            try:
                work(number)
            except BaseException as caught:  # the caller's to handle
                error = caught
            del work  # and the arrays that it holds
            done.put(error)
            del done, error


@cache
def workers(threads: int) -> Workers:
    """Return the workers, started at the first call, then kept."""
    return Workers(threads)
