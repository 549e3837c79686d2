"""Stand-ins for a thread pool and for a library's thread limit that show a race every time.

With real threads a mistake shows now and then: a task that nobody waits for has mostly finished
all the same. The stand-ins do only what the real ones promise, and of the orders that these
allow they take the unkindest, always the same.
"""

from __future__ import annotations

import copy
import threading
from collections.abc import Callable, Iterator
from concurrent.futures import Executor, Future
from contextlib import contextmanager
from typing import Any

from ...core.text import count_text


class OneAtATime(Exception):
    """Somebody waited when too few tasks had been submitted to keep the threads busy."""


class NotAFunction(TypeError):
    """The submitted object is not a function."""


class InsideAWorker(Exception):
    """A limit that holds for the whole process was set by one of several threads."""


class LimitTakenBack(Exception):
    """A task ran after the limit that was meant for it had ended."""


class LimitTooLate(Exception):
    """A task had been submitted before the limit that was meant for it began."""


class OutsideThePool(Exception):
    """A task was run by the thread that should have submitted it."""


class PlannedFuture(Future):
    """A future whose pool begins as soon as anybody asks for it, in whatever way."""

    def __init__(self, pool: RehearsalPool, number: int) -> None:
        self._pool, self._number, self.waited_for = pool, number, False
        self._asked = False
        super().__init__()

    def __hash__(self) -> int:
        return self._number  # `as_completed` goes through a set: with this, the last comes first

    def done(self) -> bool:
        """Return whether it is: never at once, so that whoever asks only once has not waited."""
        if not self._asked and self._state == "PENDING":
            self._asked = True
            return False
        return super().done()

    # `result`, `wait`, `as_completed` and all others take this lock before they look.
    @property
    def _condition(self) -> threading.Condition:
        self._pool.begin()
        self.waited_for = True
        return self._lock

    @_condition.setter
    def _condition(self, lock: threading.Condition) -> None:
        self._lock = lock


class RehearsalPool(Executor):
    """In place of `ThreadPoolExecutor(workers)`: begins nothing before it must.

    No task begins until somebody waits. Then all begin, the last first, in `workers` threads.

    tasks: with fewer than these submitted, the first wait raises `OneAtATime`.
    only: the number of the one task that runs; the others' results are None.
    limit: tasks must be submitted under it, not only run, since a real pool may begin them at once.
    """

    def __init__(
        self,
        workers: int,
        tasks: int = 1,
        only: int | None = None,
        limit: RehearsalLimit | None = None,
    ) -> None:
        self.workers, self.tasks, self.only, self.limit = workers, tasks, only, limit
        self.submitted = 0
        self._waiting: list[tuple[PlannedFuture, Callable[[], Any]]] = []
        self._futures: list[PlannedFuture] = []
        self._shut = False
        if limit is not None:
            limit.pools.append(self)

    def submit(self, fn: Callable, /, *args: Any, **kwargs: Any) -> Future:
        if not callable(fn):
            raise NotAFunction(
                f"`submit` was given {fn!r} and not a function, so no thread has anything to call"
            )
        number = self.submitted
        future = PlannedFuture(self, number)
        self.submitted += 1
        self._futures.append(future)
        early = self.limit is not None and not self.limit.held

        def call() -> Any:
            if early and self.limit.held:
                raise LimitTooLate(
                    "a task had been submitted when the limit began: a pool may "
                    "begin it at once, with a BLAS thread for every core"
                )
            return fn(*args, **kwargs) if self.only in (None, number) else None

        self._waiting.append((future, call))
        return future

    def begin(self) -> None:
        """Run all tasks submitted so far, and come back when they are done."""
        waiting, self._waiting = self._waiting, []
        if not waiting:
            return
        if len(waiting) < self.tasks:
            raise OneAtATime(f"tasks submitted when you first waited: {len(waiting)}, for {self!r}")

        count = min(self.workers, len(waiting))
        together = threading.Barrier(count)

        def member(own: list) -> None:
            together.wait()
            for future, call in own:
                try:
                    done, value = future.set_result, call()
                except BaseException as error:
                    done, value = future.set_exception, error
                before = future.waited_for
                done(value)  # takes the lock, as whoever waits does
                future.waited_for = before

        waiting.reverse()
        team = [threading.Thread(target=member, args=(waiting[i::count],)) for i in range(count)]
        for thread in team:
            thread.start()
        for thread in team:
            thread.join()

    def shutdown(self, wait: bool = True, *, cancel_futures: bool = False) -> None:
        self._shut = True
        if wait:
            self.begin()
            for future in self._futures:
                future.waited_for = True

    def objection(self) -> str | None:
        """Return the check's objection to an answer that used no task, or waited for some alone."""
        if not self.submitted:
            return "did not give a single task to the pool that it was handed."
        if self._waiting:
            return (
                "waited for none of its tasks: nothing promises that any has begun when it returns."
            )
        if self.half_waited:
            return (
                "waited for some of its tasks, not for all: nothing promises that the others "
                "are done when it returns."
            )
        if self.limit is not None and self.limit.left_early:
            return (
                "left the limit before it had waited for all of its tasks: those may still "
                "run, or begin, with a BLAS thread for every core."
            )
        if self._shut:
            return (
                "shut down the pool that it was handed: whoever made it can use it no more. "
                "(`with pool:` does that at its end.) Wait for each task's `result()`."
            )
        return None

    @property
    def unfinished(self) -> bool:
        """Return whether there is a task that nobody has waited for."""
        return bool(self._waiting) or self.half_waited

    @property
    def half_waited(self) -> bool:
        """Return whether somebody has waited for a task, and not for all of them."""
        return len({future.waited_for for future in self._futures}) == 2

    def __deepcopy__(self, memo: dict) -> RehearsalPool:
        return RehearsalPool(self.workers, self.tasks, limit=copy.deepcopy(self.limit, memo))

    def __eq__(self, other: object) -> bool:
        return isinstance(other, RehearsalPool) and self.workers == other.workers

    def __repr__(self) -> str:
        return f"a pool of {self.workers} thread{'s' * (self.workers > 1)}"


class RehearsalLimit:
    """In place of `measure.threads`: `with limit(n):` holds a library to `n` threads.

    As with a real library there is one number for the whole process: `threads`, at first `cores`.
    """

    def __init__(self, cores: int) -> None:
        self.cores = self.threads = cores
        self.taken_back = self.held = self.left_early = False
        self.pools: list[RehearsalPool] = []  # under this limit
        self.caller = threading.get_ident()

    @contextmanager
    def __call__(self, n: int) -> Iterator[int]:
        if not isinstance(n, int):
            raise TypeError(f"limit({n!r}): a number of threads is a whole number")
        if not 1 <= n <= self.cores:
            raise ValueError(f"limit({n}): there are 1 to {self.cores} threads to choose from")
        if threading.get_ident() != self.caller:
            raise InsideAWorker(
                f"`limit({n})` was called inside a worker, but it holds for the whole process"
            )
        before, self.threads, self.held = self.threads, n, True
        try:
            yield n
        finally:
            self.threads, self.held = before, False
            self.taken_back = True
            self.left_early |= any(pool.half_waited for pool in self.pools)

    def __deepcopy__(self, memo: dict) -> RehearsalLimit:
        return memo.setdefault(id(self), RehearsalLimit(self.cores))

    def __eq__(self, other: object) -> bool:
        return isinstance(other, RehearsalLimit) and self.threads == other.threads

    def __repr__(self) -> str:
        return f"a limit, at {self.threads}"


class RehearsalTask:
    """A task that says who it is and how many threads its library would use: `(name, threads)`."""

    def __init__(self, name: int, limit: RehearsalLimit) -> None:
        self.name, self.limit = name, limit

    def __call__(self) -> tuple[int, int]:
        if threading.get_ident() == self.limit.caller:
            raise OutsideThePool(f"task {self.name} was run by the thread that calls `run_all`")
        if self.limit.taken_back and self.limit.threads == self.limit.cores:
            raise LimitTakenBack(
                f"when task {self.name} ran, the limit had ended: "
                f"{count_text(self.limit.threads, 'thread')}"
            )
        return self.name, self.limit.threads

    def __eq__(self, other: object) -> bool:
        return isinstance(other, RehearsalTask) and self.name == other.name

    def __repr__(self) -> str:
        return f"task {self.name}"
