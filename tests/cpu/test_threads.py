"""Threads around the GEMMs: which there are, what each does, and that BLAS keeps to one."""

import signal
import threading
import time
import weakref

import numpy as np
import pytest
import threadpoolctl

from convladder import ConvProblem, get_method
from convladder.core.reference import compare, random_arrays
from convladder.cpu import threads
from convladder.cpu.workers import Workers

from ..conftest import ODD_PROBLEMS
from ..python import python
from ..sampling import sampled

NAMES = ("im2col_threads", "mec_threads")


def blas_threads():
    return {
        lib["num_threads"] for lib in threadpoolctl.threadpool_info() if lib["user_api"] == "blas"
    }


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize("count", [1, 2, 5])
@pytest.mark.parametrize("problem", sampled(ODD_PROBLEMS, 6, str))
def test_any_number_of_threads_is_right(name, count, problem, monkeypatch):
    monkeypatch.setattr(threads, "threads_now", lambda: count)
    x, w = random_arrays(problem)
    y = get_method(name).run(x, w, problem)
    assert not (agreement := compare(y, x, w, problem)).reason, agreement.reason


@pytest.mark.parametrize("name", NAMES)
def test_blas_keeps_to_one_thread_meanwhile(name, monkeypatch):
    seen, multiply = [], np.matmul

    def watched(*args, **kwargs):
        seen.append((threading.current_thread().name, blas_threads()))
        return multiply(*args, **kwargs)

    monkeypatch.setattr(np, "matmul", watched)
    monkeypatch.setattr(threads, "threads_now", lambda: 2)
    problem = ConvProblem.parse("9x9x4,3x3x8")
    with threadpoolctl.threadpool_limits(limits=2):
        before = blas_threads()
        if not before:
            pytest.skip("this NumPy's BLAS cannot be held (Accelerate)")
        get_method(name).run(*random_arrays(problem), problem)
        assert blas_threads() == before == {2}
        with pytest.raises(KeyError), threads.blas_alone():
            raise KeyError
        assert blas_threads() == before
    assert len({thread for thread, _ in seen}) == 2
    assert all(held == {1} for _, held in seen)


# --- workers ------------------------------------------------------------------------------------


def test_every_worker_works_and_the_caller_is_one():
    crew, done = Workers(3), {}

    def work(thread):
        done[thread] = threading.get_ident()

    crew.together(work)
    assert sorted(done) == [0, 1, 2] and len(set(done.values())) == 3
    assert done[0] == threading.get_ident()
    gone = weakref.ref(work)
    del work
    assert gone() is None, "its arrays would live on until the next call"


@pytest.mark.parametrize("culprit", [0, 1])
def test_an_error_comes_back_once_all_have_stopped(culprit):
    crew, done = Workers(3), []

    def work(thread):
        if thread == culprit:
            raise KeyError(thread)
        done.append(thread)

    with pytest.raises(KeyError, match=str(culprit)):
        crew.together(work)
    assert sorted(done) == sorted({0, 1, 2} - {culprit})
    crew.together(done.append)  # and they serve on
    assert len(done) == 5


def test_a_call_after_an_interrupted_one_waits_for_its_own_threads():
    crew, done = Workers(2), []

    def interrupting(thread):
        if thread:
            time.sleep(0.05)  # by now the caller waits
            signal.pthread_kill(threading.main_thread().ident, signal.SIGINT)
            time.sleep(0.2)

    def slow(thread):
        time.sleep(0.2 * thread)
        done.append(thread)

    with pytest.raises(KeyboardInterrupt):
        crew.together(interrupting)
    crew.together(slow)
    assert done == [0, 1]


def test_two_callers_take_turns():
    crew, at_work, met = Workers(2), set(), []

    def call(name):
        def work(thread):
            at_work.add((name, thread))
            time.sleep(1e-3)  # time for the other caller to break in
            met.append({caller for caller, _ in at_work})
            at_work.discard((name, thread))

        for _ in range(10):
            crew.together(work)

    callers = [threading.Thread(target=call, args=(name,)) for name in "ab"]
    for caller in callers:
        caller.start()
    for caller in callers:
        caller.join(timeout=20)
    assert len(met) == 40
    assert all(len(names) == 1 for names in met)


@pytest.mark.weekly
def test_parallel_loops_may_be_called_side_by_side():
    """Numba's own threads, which a Mac has for want of OpenMP, end the process at the second."""
    code = """
from concurrent.futures import ThreadPoolExecutor
from convladder import ConvProblem, conv2d
from convladder.core import random_arrays
x, w = random_arrays(ConvProblem(1, 40, 40, 8, 3, 3, 32))
for name in ("direct_tiled", "microkernel"):
    run = lambda _: conv2d(x, w, method=name)
    with ThreadPoolExecutor(4) as pool:
        assert all((y == run(0)).all() for y in pool.map(run, range(60)))
"""
    done = python("-c", code, NUMBA_THREADING_LAYER="workqueue", NUMBA_NUM_THREADS="2")
    assert done.returncode == 0, done.stderr
