"""The stand-ins keep what real pools and limits promise, and nothing that they do not."""

import copy
import threading
from concurrent.futures import Future, as_completed, wait

import pytest

from convladder.exercises import load_exercise
from convladder.exercises.exercise import Misconception, edit
from convladder.exercises.mocks.thread_pool import (
    InsideAWorker,
    LimitTakenBack,
    LimitTooLate,
    NotAFunction,
    OneAtATime,
    OutsideThePool,
    RehearsalLimit,
    RehearsalPool,
    RehearsalTask,
)


def by_result(futures):
    return [future.result() for future in futures]


def by_wait(futures):
    assert not wait(futures, timeout=5).not_done
    return by_result(futures)


def by_completion(futures):
    done = list(as_completed(futures, timeout=5))
    assert set(done) == set(futures)
    return by_result(futures)


@pytest.mark.parametrize("waiting", [by_result, by_wait, by_completion])
def test_every_way_to_wait_gives_results_in_order(waiting):
    pool = RehearsalPool(3, 3)
    assert waiting([pool.submit(pow, i, 2) for i in range(5)]) == [0, 1, 4, 9, 16]
    assert list(pool.map(abs, [-1, -2, -3])) == [1, 2, 3]


def test_what_is_refused_and_what_comes_out_of_a_future():
    with pytest.raises(OneAtATime, match="first waited: 1, for a pool of 2 threads"):
        RehearsalPool(2, 2).submit(int).result()
    with pytest.raises(NotAFunction, match="None"):
        RehearsalPool(2).submit(None)
    pool = RehearsalPool(2, 2)
    assert "not give a single task" in pool.objection()
    bad, good = pool.submit(int, "x"), pool.submit(int, "3")
    assert good.result() == 3
    with pytest.raises(ValueError, match="invalid literal"):
        bad.result()


def test_nothing_runs_before_somebody_waits_and_then_all_run_elsewhere():
    ran, pool = [], RehearsalPool(2, 2)
    futures = [pool.submit(lambda i=i: ran.append((i, threading.get_ident()))) for i in range(4)]
    assert isinstance(futures[0], Future) and ran == []
    futures[0].result()
    assert sorted(i for i, _ in ran) == [0, 1, 2, 3]
    assert threading.get_ident() not in {thread for _, thread in ran}


def test_a_pool_objects_to_tasks_that_nobody_waited_for():
    pool = RehearsalPool(2, 2)
    futures = [pool.submit(int, at) for at in range(4)]
    assert "waited for none of its tasks" in pool.objection()
    futures[-1].result()
    assert "waited for some of its tasks, not for all" in pool.objection()
    for future in futures[:-1]:
        future.result()
    assert pool.objection() is None and copy.deepcopy(pool).objection() is not None


def test_a_pool_objects_to_being_shut_down_by_who_was_handed_it():
    pool = RehearsalPool(2, 2)
    with pool:
        futures = [pool.submit(int, at) for at in range(2)]
    assert [future.result() for future in futures] == [0, 1]
    assert "shut down the pool that it was handed" in pool.objection()


def test_tasks_see_the_limit_and_mistakes_with_it():
    limit = RehearsalLimit(8)
    task, pool = RehearsalTask(5, limit), RehearsalPool(1, limit=limit)
    assert pool.submit(task).result() == (5, 8)
    with limit(2):
        assert pool.submit(task).result() == (5, 2)
    early = pool.submit(task)
    with limit(2), pytest.raises(LimitTooLate):
        early.result()
    with pytest.raises(LimitTakenBack):
        pool.submit(task).result()
    with pytest.raises(OutsideThePool):
        task()
    with pytest.raises(InsideAWorker):
        pool.submit(lambda: limit(2).__enter__()).result()
    for bad, error in ((0, ValueError), (9, ValueError), (2.0, TypeError)):
        with pytest.raises(error), limit(bad):
            pass


def test_a_pool_objects_to_a_limit_that_was_left_before_all_tasks_were_waited_for():
    for waited in (3, 1):
        limit = RehearsalLimit(4)
        pool, limit = copy.deepcopy((RehearsalPool(2, limit=limit), limit))
        with limit(2):
            futures = [pool.submit(RehearsalTask(i, limit)) for i in range(3)]
            by_result(futures[:waited])
        by_result(futures)
        assert (pool.objection() is None) == (waited == 3)


@pytest.mark.parametrize(
    "change, says",
    [
        (edit("Executor(n)", "Executor(1)"), "works on 1 thread where `n` is 4"),
        (edit("Executor(n)", "Executor()", "split(p.o_h, n)", "split(p.o_h, 8)"),
         "works on 8 threads"),
        (edit("Executor(n)", "Executor(n - 1)"), None),  # the caller may work too
    ],
)  # fmt: skip
def test_threads_at_work_are_counted(change, says):
    exercise = load_exercise("my_threads")
    (answer,) = Misconception("", change, "", "").answers(exercise.solution)
    said = exercise.usage(answer)
    assert said is None if says is None else says in said
