"""A thread left spinning is seen, one that sleeps is not; counters side by side count right."""

import threading
import time

import numpy as np
import pytest

from convladder.measure import available_cores, interference, timer
from convladder.measure.interference import calls_after, sleeping_seconds


def leave_spinning(seconds):
    """Start a thread that takes so much processor time, and return at once."""
    started = threading.Event()

    def spin():
        started.set()
        end = time.thread_time() + seconds
        while time.thread_time() < end:
            pass

    threading.Thread(target=spin).start()
    started.wait()


def test_threads_left_spinning_are_counted():
    # Half of it at least: on a busy machine the thread may not be done when the sleep ends.
    assert sleeping_seconds(lambda: leave_spinning(0.1), asleep=0.3) > 0.05
    assert sleeping_seconds(lambda: None, asleep=0.05) < 0.04


def test_calls_follow_what_came_before(monkeypatch):
    order = []
    monkeypatch.setattr(timer, "LONGEST_REST", 0.0)
    calls = calls_after(lambda: order.append("before"),
                        lambda: (order.append("call"), time.sleep(0.01)), seconds=0.035)
    assert order == ["call", "before"] + ["call"] * len(calls)
    starts, lasted = zip(*calls)
    assert 2 <= len(calls) <= 4 and list(starts) == sorted(starts)
    assert all(seconds >= 0.01 for seconds in lasted)
    assert all(b >= a + took for a, b, took in zip(starts, starts[1:], lasted))


def test_one_call_there_is_at_least():
    assert len(calls_after(lambda: None, lambda: time.sleep(0.02), seconds=0.01)) == 1


def test_errors_pass_through():
    def wrong():
        raise KeyError("mine")

    for measure in (lambda: sleeping_seconds(wrong), lambda: calls_after(wrong, lambda: None),
                    lambda: calls_after(lambda: None, wrong)):
        with pytest.raises(KeyError, match="mine"):
            measure()


@pytest.mark.parametrize("distance", [8, 24, 128, 256])
def test_each_thread_counts_on_its_own(distance, numba_loaded, monkeypatch):
    kept = []
    numbers = np.zeros

    def keep(size, dtype):
        kept.append(numbers(size, dtype))
        return kept[-1]

    monkeypatch.setattr(interference.np, "zeros", keep)
    monkeypatch.setattr(interference, "TIMES", 1000)
    count = min(2, available_cores())
    assert interference.counting_seconds(distance, count) > 0
    memory = kept[0]
    begin = -memory.ctypes.data % interference.LINE
    counters = memory[begin : begin + 8 * ((memory.size - begin) // 8)].view(np.int64)
    found = counters[np.flatnonzero(counters)].tolist()
    assert found == [1000 * interference.REPEATS + 1] + [1000 * interference.REPEATS] * (count - 1)
    assert np.diff(np.flatnonzero(counters)).tolist() == [distance // 8] * (count - 1)


@pytest.mark.parametrize("distance", [0, 4, 12, -8])
def test_counters_that_overlap_are_refused(distance):
    with pytest.raises(ValueError, match=f"distance={distance} bytes"):
        interference.counting_seconds(distance)
