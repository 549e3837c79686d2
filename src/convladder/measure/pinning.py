"""Threads held to a stated number, because a time without its thread count says nothing."""

from __future__ import annotations

import operator
import sys
from collections.abc import Iterator
from contextlib import contextmanager

from ..core.processor import available_cores


def thread_count(n: int | None) -> int:
    """Return `n` once checked, or all cores for None. Raises `ValueError`, `TypeError`."""
    most = available_cores()
    if n is None:
        return most
    try:
        number = operator.index(n)
    except TypeError:
        raise TypeError(
            f"threads={n!r} is not a whole number; use 1 to {most}, or None for all"
        ) from None
    if not 1 <= number <= most:
        raise ValueError(
            f"threads={number} is out of range: this process may use 1 to {most} "
            "(None for all of them)"
        )
    return number


@contextmanager
def threads(n: int | None = None) -> Iterator[int]:
    """Hold BLAS, OpenMP and Numba to `n` threads inside `with threads(n) as n:`.

    `n` is 1 to the number of cores that this process may use, None for all of them; anything else
    raises `ValueError` (`TypeError` if it is no whole number). What was set before is set again
    on the way out, errors included. A library is held if it is loaded on entry; Numba is not
    imported for it. Apple's Accelerate offers no such control and is left as it is.
    """
    import threadpoolctl

    number = thread_count(n)
    numba = sys.modules.get("numba")
    before = numba and numba.get_num_threads()  # the first time this loads OpenMP, to be held too
    with threadpoolctl.threadpool_limits(limits=number):
        if numba is None:
            yield number
            return
        numba.set_num_threads(min(number, numba.config.NUMBA_NUM_THREADS))
        try:
            yield number
        finally:
            numba.set_num_threads(before)
