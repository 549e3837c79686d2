"""A pool's tasks run in any order: an answer may not count on one."""

from concurrent.futures import ThreadPoolExecutor, wait

import numpy as np
import pytest

from convladder.cpu import mec
from convladder.teach.exercises.lab04.any_order import NOBODY_WAITS, ORDER, tasks_in_order


def in_two_halves(workers, waits, make=lambda: ThreadPoolExecutor):
    """Make an answer that lowers and then multiplies, strip by strip and row by row."""

    def answer(x, w, problem, n):
        strips, y = mec.lower(x, problem), np.empty(problem.output_shape, np.float32)
        L = np.full_like(strips, np.nan)

        def lower(at):
            L[:, at] = strips[:, at]

        def multiply(h):
            y[:, h] = mec.partition(L, h, problem) @ w.reshape(-1, problem.k_c)

        with make()(workers) as pool:
            first = [pool.submit(lower, at) for at in range(problem.o_w)]
            if waits:
                wait(first)
            for h in range(problem.o_h):
                pool.submit(multiply, h)
        return y

    return answer


def found_inside():
    from concurrent import futures

    return futures.ThreadPoolExecutor


@pytest.mark.parametrize("make", [lambda: ThreadPoolExecutor, found_inside])
def test_what_nobody_waits_for_may_come_last(make):
    flaw = tasks_in_order(in_two_halves(3, waits=False, make=make))
    assert flaw is not None and flaw.name == ORDER


@pytest.mark.parametrize("workers, waits", [(3, True), (None, True), (1, False)])
def test_tasks_that_are_waited_for_or_taken_in_turn_are_in_order(workers, waits):
    assert tasks_in_order(in_two_halves(workers, waits)) is None


def test_the_real_pool_is_back_afterwards():
    real = ThreadPoolExecutor
    tasks_in_order(in_two_halves(3, waits=False))
    assert ThreadPoolExecutor is real and found_inside() is ThreadPoolExecutor


def test_a_task_that_nobody_waits_for_is_told_of_whatever_it_writes():
    def last_alone(x, w, problem, n):
        pool = ThreadPoolExecutor(n)
        y = mec.mec_rows(x, w, problem)
        futures = [pool.submit(y.copy) for _ in range(n)]
        futures[-1].result()
        return y

    flaw = tasks_in_order(last_alone)
    assert flaw is not None and flaw.name == NOBODY_WAITS
