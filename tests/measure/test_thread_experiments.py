"""What holds the interpreter's lock, what spins after a call, what a neighbour does to a clock."""

import sys
import time

import numpy as np
import pytest

from convladder.measure import available_cores, clock_ratios, thread_experiments
from convladder.measure.thread_experiments import (
    counting_seconds,
    releases_gil,
)

with_gil = pytest.mark.skipif(
    not getattr(sys, "_is_gil_enabled", lambda: True)(), reason="this Python has no lock to hold"
)


@with_gil
def test_python_code_holds_the_lock():
    assert not releases_gil(lambda: sum(i * i for i in range(200_000)))


@pytest.mark.parametrize(
    "call",
    [lambda: time.sleep(0.06), lambda: np.ones(4_000_000, np.float32).sum()],
    ids=["sleep", "sum"],
)
def test_waiting_and_numpy_let_go(call):
    assert releases_gil(call)


@pytest.mark.parametrize("distance", [8, 24, 256])
def test_each_thread_counts_on_its_own(distance, numba_loaded, monkeypatch):
    kept = []
    numbers = np.zeros

    def keep(size, dtype):
        kept.append(numbers(size, dtype))
        return kept[-1]

    monkeypatch.setattr(thread_experiments.np, "zeros", keep)
    monkeypatch.setattr(thread_experiments, "TIMES", 1000)
    count = min(2, available_cores())
    assert counting_seconds(distance, count) > 0
    memory = kept[0]
    begin = -memory.ctypes.data % thread_experiments.LINE
    counters = memory[begin : begin + 8 * ((memory.size - begin) // 8)].view(np.int64)
    found = counters[np.flatnonzero(counters)].tolist()
    times = 1000 * thread_experiments.REPEATS
    assert found == [times + 1] + [times] * (count - 1)
    assert np.diff(np.flatnonzero(counters)).tolist() == [distance // 8] * (count - 1)


def test_each_clock_counts_its_own(monkeypatch):
    """A call that works for 2 ms and sleeps for 8 takes 2 by its own clock and 10 on the wall."""
    module, now = thread_experiments, {"wall": 0.0, "own": 0.0}
    monkeypatch.setattr(module, "perf_counter", lambda: now["wall"])
    monkeypatch.setattr(module, "thread_time", lambda: now["own"])
    monkeypatch.setattr(module, "rest", lambda: None)
    calls = []

    def takes(own, wall):
        def call():
            calls.append(own)
            now["own"] += own
            now["wall"] += wall

        return call

    ratios = clock_ratios(takes(2.0, 10.0), takes(1.0, 1.0), seconds=30.0)
    assert ratios == {"wall clock": 10.0, "own clock": 2.0}
    assert calls == [2.0, 1.0] * 4  # once before they count, and three times
