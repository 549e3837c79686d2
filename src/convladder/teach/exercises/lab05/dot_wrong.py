"""Dot products as lab 05's learners write them wrongly: exercise 5."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache

import numpy as np


def numba(build: Callable) -> Callable:
    """Make a wrong answer that is compiled when first called, not when this file is loaded."""
    made = cache(build)

    def wrong(a, b):
        wrong.compiled = made()
        return wrong.compiled(a, b)

    return wrong


def one_sum(fastmath: bool, start: type) -> Callable:
    def build():
        import numba

        @numba.njit(fastmath=fastmath)
        def one_sum(a, b):
            total = start(0)
            for i in range(len(a)):
                total += a[i] * b[i]
            return total

        return one_sum

    return numba(build)


def neighbours() -> Callable:
    import numba

    @numba.njit(fastmath=True)
    def neighbours(a, b):
        s0 = s1 = s2 = s3 = np.float32(0)
        whole = len(a) // 4 * 4
        for i in range(0, whole, 4):
            s0 += a[i] * b[i]
            s1 += a[i + 1] * b[i + 1]
            s2 += a[i + 2] * b[i + 2]
            s3 += a[i + 3] * b[i + 3]
        for i in range(whole, len(a)):
            s0 += a[i] * b[i]
        return (s0 + s1) + (s2 + s3)

    return neighbours


def sums_in_an_array() -> Callable:
    import numba

    @numba.njit(fastmath=True)
    def sums_in_an_array(a, b):
        sums = np.zeros(8, np.float32)
        for i in range(len(a)):
            sums[i % 8] += a[i] * b[i]
        return sums.sum()

    return sums_in_an_array


def zipped() -> Callable:
    import numba

    @numba.njit(fastmath=True)
    def zipped(a, b):
        total = np.float32(0)
        for one, other in zip(a, b):
            total += one * other
        return total

    return zipped


def blas_inside(a, b):
    """Do what `np.dot` in a compiled function does where SciPy is missing."""
    raise ImportError("scipy 0.16+ is required for linear algebra")


def overlapping(a, b, step=4, short=0):
    """Go through what is left by the last `step` values, some twice; not below `short` values."""
    n = len(a)
    twice = step - n % step if n % step and n > step and n >= short else 0
    return float(np.dot(a, b) + np.dot(a[n - step :][:twice], b[n - step :][:twice]))


def mismatched(a, b, parts=4, of_a=False):
    """Let the last of so many parts of one vector meet the last but one of the other."""
    n = len(a) // parts
    before, last = slice((parts - 2) * n, (parts - 1) * n), slice((parts - 1) * n, parts * n)
    a_part, b_part = (before, last) if of_a else (last, before)
    return float(np.dot(a, b) - np.dot(a[last], b[last]) + np.dot(a[a_part], b[b_part]))


def with_the_last_part(a, b, parts=4):
    """Begin what is left over where the last of so many parts begins."""
    n = len(a) // parts
    last = slice((parts - 1) * n, parts * n)
    return float(np.dot(a, b) + np.dot(a[last], b[last]))
