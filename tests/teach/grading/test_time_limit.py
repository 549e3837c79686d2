"""Answers that never end, that are interrupted, and that leave threads at work."""

import os
import signal
import sys
import threading
import time
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from types import SimpleNamespace

import numpy as np
import pytest

from convladder.teach import check
from convladder.teach.grading import time_limit
from convladder.teach.grading import stages
from convladder.teach.grading.check import Interrupted, grade
from convladder.teach.grading.exercise import Exercise
from convladder.teach.grading.run import failed, run_once
from convladder.teach.grading.time_limit import OutOfTime, limited

SHORT = 0.1  # seconds


@pytest.fixture(autouse=True)
def in_a_short_time(monkeypatch):
    monkeypatch.setattr(time_limit, "SECONDS", SHORT)
    monkeypatch.setattr(time_limit, "GRACE", 3 * SHORT)


def forever():
    while True:
        pass


def that_catches_everything():
    while True:
        try:
            while True:
                pass
        except:  # noqa: E722
            pass


def that_catches_by_name():
    while True:
        try:
            time.sleep(0.001)
        except BaseException as error:
            caught = error  # noqa: F841


def in_two_tries():
    while True:
        try:
            try:
                forever()
            except:  # noqa: E722
                continue
            finally:
                time.sleep(0)
        except:  # noqa: E722
            pass


def in_a_thread_of_its_own():
    thread = threading.Thread(target=that_catches_by_name)
    thread.start()
    thread.join()


def in_a_pool():
    with ThreadPoolExecutor(2) as pool:
        pool.submit(forever).result()


by_name = partial(
    pytest.param,
    marks=pytest.mark.skipif(
        sys.version_info[:2] == (3, 12), reason="3.12 leaves it behind, as the module says"
    ),
)


@pytest.mark.filterwarnings("ignore::pytest.PytestUnhandledThreadExceptionWarning")
@pytest.mark.parametrize(
    "endless",
    [
        forever,
        that_catches_everything,
        by_name(that_catches_by_name),
        in_two_tries,
        by_name(in_a_thread_of_its_own),
        in_a_pool,
    ],
)
@pytest.mark.parametrize("main", [True, False], ids=["main thread", "another thread"])
def test_a_loop_that_never_ends_is_stopped(endless, main):
    before, found = set(threading.enumerate()), []

    def call():
        with pytest.raises(OutOfTime) as stopped:
            limited(endless)
        found.append(stopped.value)

    if main:
        call()
    else:
        thread = threading.Thread(target=call)
        thread.start()
        thread.join()
    assert [error.left for error in found] == [False]
    left = [each for each in set(threading.enumerate()) - before if each.is_alive()]
    assert all(each.name.startswith("ThreadPoolExecutor") for each in left), left
    assert limited(lambda: 5) == 5, "and the next call is none the worse for it"


def test_what_cannot_be_stopped_is_left_behind_and_said_so():
    def sleeps(n):
        time.sleep(20 * SHORT)

    exercise = Exercise("twice", 1, "a task", lambda n: 2 * n, lambda rng: [(3,), (4,)], [])
    begin = time.perf_counter()
    verdict = grade(exercise, sleeps)
    assert time.perf_counter() - begin < 15 * SHORT, "nobody waits for it, nor for the second case"
    assert verdict.stage == stages.TOO_LONG
    assert "goes on in the background" in verdict.message and "time.sleep" in verdict.message
    # With a profiler, as every answer has it, Python 3.11 hung here.
    assert run_once(lambda n: n, (1,), (), 5.0).value == 1


def test_a_check_says_in_a_sentence_where_it_was_stopped():
    def split(rows, parts):
        begin = 0
        while begin < rows:
            begin += 0

    verdict = check("split", split)
    assert verdict.stage == stages.TOO_LONG and verdict.misconception is None
    assert "was still running after 0.1 seconds at line" in verdict.message
    assert "begin" in verdict.message and "case 1 of" in verdict.detail


def test_a_function_that_is_to_return_a_kernel_is_limited_too():
    def my_direct(problem):
        while problem:
            pass

    verdict = check("my_direct", my_direct)
    if verdict.stage == stages.NOT_JUDGED:
        pytest.skip("kernels are judged with a C++ compiler only")
    assert verdict.stage == stages.TOO_LONG, verdict
    assert verdict.message.startswith("Your function `my_direct(problem)`")
    assert "at line" in verdict.message and "while problem:" in verdict.message


def test_errors_values_and_numpys_settings_pass_through():
    with pytest.raises(ZeroDivisionError):
        limited(lambda: 1 // 0)
    with np.errstate(divide="raise"), pytest.raises(FloatingPointError):
        limited(lambda: np.float64(1) / 0)
    assert limited(lambda a, b: a - b, 5, 3) == 2
    with pytest.raises(SystemExit, match="7"):
        limited(sys.exit, 7)


@pytest.mark.skipif(not hasattr(signal, "pthread_kill"), reason="no signals to a thread")
def test_an_interrupt_is_one_sentence_and_leaves_nothing_running(monkeypatch):
    monkeypatch.setattr(time_limit, "SECONDS", 30)
    started, before = threading.Event(), set(threading.enumerate())

    def split(rows, parts):
        started.set()
        that_catches_everything()

    def press():
        started.wait()
        os.kill(os.getpid(), signal.SIGINT)

    threading.Thread(target=press).start()
    with pytest.raises(KeyboardInterrupt) as pressed:
        check("split", split)
    assert isinstance(pressed.value, Interrupted)
    assert pressed.value._render_traceback_() == [
        "The check of split was interrupted, and nothing is judged."
    ]
    assert pressed.value.__cause__ is None and pressed.value.__suppress_context__
    assert not [each for each in set(threading.enumerate()) - before if each.is_alive()]


# Threads that are at work when an answer returns

SLOW = 0.05  # seconds


def filled(x, start):
    y = np.zeros_like(x)

    def fill():
        time.sleep(SLOW)
        y[...] = 2 * x

    start(fill)
    return y


def unjoined(fill):
    threading.Thread(target=fill).start()


def not_waited_for(fill):
    pool = ThreadPoolExecutor(1)
    pool.submit(fill)
    pool.shutdown(wait=False)


KEPT = SimpleNamespace(pool=None)


def in_a_pool_that_is_kept(fill):
    KEPT.pool = KEPT.pool or ThreadPoolExecutor(1)
    KEPT.pool.submit(fill)


def compiled_code(fill):
    fill()
    threading.Thread(target=time.sleep, args=(SLOW,)).start()


@pytest.fixture
def doubling():
    cases = lambda rng: [(np.ones(3),), (np.arange(1.0, 40),)]  # noqa: E731
    return Exercise("double", 1, "a task", lambda x: 2 * x, cases, [])


@pytest.mark.parametrize("start", [unjoined, not_waited_for, in_a_pool_that_is_kept])
def test_what_threads_write_later_is_not_in_the_result(doubling, start):
    verdict = grade(doubling, lambda x: filled(x, start))
    assert verdict.stage == stages.NOT_WAITED and "`future.result()`" in verdict.message
    assert "got      = [0. 0. 0.]" in verdict.detail


def test_an_idle_pool_and_threads_about_to_end_are_nobodys_business(doubling, monkeypatch):
    pool = ThreadPoolExecutor(2)

    def keeps_a_pool(x):
        return pool.submit(lambda: 2 * x).result()

    def two_joined(x):
        y = np.empty_like(x)
        threads = [threading.Thread(target=np.multiply, args=(x[a::2], 2, y[a::2])) for a in (0, 1)]
        [each.start() for each in threads]
        [each.join() for each in threads]
        return y

    monkeypatch.setattr(time_limit, "SECONDS", 30)
    for answer in (keeps_a_pool, two_joined, lambda x: filled(x, compiled_code)):
        assert grade(doubling, answer).passed
    pool.shutdown()


def test_right_values_beside_a_thread_that_goes_on_are_not_enough(doubling, monkeypatch):
    from convladder.teach.grading import threads_left

    monkeypatch.setattr(threads_left, "SETTLE", SLOW)
    end = threading.Event()

    def goes_on(x):
        threading.Thread(
            target=lambda: [end.wait(0.01) for _ in range(50) if not end.is_set()]
        ).start()
        return 2 * x

    assert grade(doubling, goes_on).stage == stages.NOT_WAITED
    end.set()


def test_what_is_stopped_lets_locks_go():
    """A lock that is never released would stop all others: Numba and imports have one each."""
    lock = threading.RLock()

    class Held:
        def __enter__(self):
            lock.acquire()

        def __exit__(self, *error):
            lock.release()

    def again_and_again():
        while True:
            with Held():
                pass

    def once():
        with Held():
            while True:
                pass

    for _ in range(5):
        for never_ends in (again_and_again, once):
            with pytest.raises(OutOfTime):
                limited(never_ends, seconds=0.01)
            assert lock.acquire(timeout=1), "a stopped thread has kept the lock"
            lock.release()


def test_what_is_stopped_between_two_lines_is_told_of_by_its_caller():
    def answer(x):
        return x

    frame = sys._getframe()
    stopped = failed(answer, OutOfTime(SHORT, [(frame, 7), (frame, None)], False))
    assert stopped.line.startswith("line 7")
    assert failed(answer, OutOfTime(SHORT, [(frame, None)], False)).line is None
