"""Threads held to a stated number, because a time without its thread count says nothing."""

from __future__ import annotations

import operator
import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from functools import cache
from pathlib import Path

from ..core.processor import performance_cores


def available_cores() -> int:
    """Return how many logical cores this process may use: fewer than the machine has if it is
    bound, if its container has a quota, or if `NUMBA_NUM_THREADS` holds compiled code to fewer.
    Of a Mac its fast cores count: work in equal parts would wait for the slow ones.
    """
    try:
        cores = len(os.sched_getaffinity(0))
    except AttributeError:  # macOS and Windows cannot tell
        cores = performance_cores() or os.cpu_count() or 1
    held = os.environ.get("NUMBA_NUM_THREADS", "")
    return max(1, min(cores, cpu_quota() or cores, int(held) if held.isdigit() else cores))


@cache
def cpu_quota(root: Path = Path("/")) -> int | None:
    """Return the cores' worth of time that the control groups of this process have, rounded up;
    None without a quota. Linux tells it, looked up once."""
    try:
        groups = (root / "proc/self/cgroup").read_text().splitlines()
    except OSError:
        return None
    quotas = []
    for line in groups:
        _, controllers, name = line.split(":", 2)
        if controllers and "cpu" not in controllers.split(","):
            continue
        top = root / "sys/fs/cgroup" / ("cpu" if controllers else "")
        # In a container the group's own name is that of the host, and the files are at the top.
        for group in (top / name.lstrip("/"), *(top / name.lstrip("/")).parents):
            if top in (group, *group.parents):
                quotas.append(_quota(group))
    return min(filter(None, quotas), default=None)


def _quota(group: Path) -> int | None:
    """Return the quota of one control group, of version 2 or 1; None where it has none."""
    try:
        if (group / "cpu.max").exists():
            quota, period = (group / "cpu.max").read_text().split()
        else:
            quota, period = (
                (group / f"cpu.cfs_{each}_us").read_text() for each in ("quota", "period")
            )
        return -(-int(quota) // int(period)) if int(quota) > 0 else None
    except (OSError, ValueError):  # "max" is no number
        return None


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
