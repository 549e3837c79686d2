"""Exceptions that end a learner's thread, or a task of a pool, and come no further."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from concurrent.futures import Future
from contextlib import contextmanager
from typing import Any


@contextmanager
def overheard() -> Iterator[list[BaseException]]:
    """Yield a list, to which exceptions in threads and tasks are added as they come.

    They are printed nowhere meanwhile.
    """
    lost: list[BaseException] = []
    hook, set_exception = threading.excepthook, Future.set_exception

    def ended(told: Any) -> None:
        if told.exc_value is not None and not isinstance(told.exc_value, SystemExit):
            lost.append(told.exc_value)

    def failed(future: Future, error: BaseException | None) -> None:
        if error is not None:
            lost.append(error)
        set_exception(future, error)

    threading.excepthook, Future.set_exception = ended, failed
    try:
        yield lost
    finally:
        threading.excepthook, Future.set_exception = hook, set_exception
