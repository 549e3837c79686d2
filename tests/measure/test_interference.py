"""A thread left spinning is seen, one that sleeps is not; counters side by side count right."""

import threading
import time

import numpy as np
import pytest

from convladder.measure import available_cores, interference
from convladder.measure.interference import calls_after, sleeping_seconds


def test_threads_left_spinning_are_counted(monkeypatch):
    begin, spun = threading.Event(), 0.05  # seconds of processor time, however long that takes

    def spin():
        begin.wait()
        end = time.thread_time() + spun
        while time.thread_time() < end:
            pass

    left = threading.Thread(target=spin)

    def asleep(seconds):
        assert seconds == 0.3
        begin.set()
        left.join()

    monkeypatch.setattr(interference, "sleep", asleep)
    assert sleeping_seconds(left.start, asleep=0.3) >= spun


def test_what_came_before_the_sleep_is_not_counted(monkeypatch):
    clock, did = [7.0], []

    def does(what, seconds):
        did.append(what)
        clock[0] += seconds

    monkeypatch.setattr(interference, "process_time", lambda: clock[0])
    monkeypatch.setattr(interference, "rest", lambda: does("rest", 1.0))
    monkeypatch.setattr(interference, "sleep", lambda seconds: does(seconds, 0.25))
    assert sleeping_seconds(lambda: does("before", 0.5), asleep=0.3) == 0.25
    assert did == ["rest", "before", 0.3]


@pytest.mark.parametrize(
    ("lasts", "seconds", "starts"),
    [
        (0.25, 0.875, [0.0, 0.25, 0.5, 0.75]),
        (0.5, 0.25, [0.0]),  # one there is at least
    ],
)
def test_calls_follow_what_came_before(monkeypatch, lasts, seconds, starts):
    clock, order = [7.0], []

    def call():
        order.append("call")
        clock[0] += lasts

    monkeypatch.setattr(interference, "rest", lambda: order.append("rest"))
    monkeypatch.setattr(interference, "perf_counter", lambda: clock[0])
    calls = calls_after(lambda: order.append("before"), call, seconds)
    assert order == ["call", "rest", "before"] + ["call"] * len(calls)
    assert calls == [(start, lasts) for start in starts]


def test_errors_pass_through():
    def wrong():
        raise KeyError("mine")

    for measure in (
        lambda: sleeping_seconds(wrong),
        lambda: calls_after(wrong, lambda: None),
        lambda: calls_after(lambda: None, wrong),
    ):
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
