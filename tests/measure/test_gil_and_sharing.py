"""Who lets go of the lock is a fact; how fast counters count is not, but that they count is."""

import sys
import time

import numpy as np
import pytest

from convladder.measure import available_cores, sharing
from convladder.measure.gil import lets_go

with_gil = pytest.mark.skipif(not getattr(sys, "_is_gil_enabled", lambda: True)(),
                              reason="this Python has no lock to hold")


@with_gil
def test_python_code_holds_the_lock():
    assert not lets_go(lambda: sum(i * i for i in range(200_000)))


@pytest.mark.parametrize("call", [
    lambda: time.sleep(0.06),
    lambda: np.ones(4_000_000, np.float32).sum(),
    lambda: np.ones((600, 600), np.float32) @ np.ones((600, 600), np.float32),
], ids=["sleep", "sum", "matmul"])
def test_waiting_and_numpy_let_go(call):
    assert lets_go(call)


def test_the_switch_interval_is_put_back_and_errors_pass_through():
    before = sys.getswitchinterval()
    calls = []

    def second_call_fails():
        calls.append(1)
        if len(calls) > 1:
            raise ValueError("on purpose")

    with pytest.raises(ValueError, match="on purpose"):
        lets_go(second_call_fails)
    assert sys.getswitchinterval() == before


@pytest.mark.parametrize("apart", [8, 24, 128, 256])
def test_each_thread_counts_on_its_own(apart, monkeypatch):
    kept = []
    numbers = np.zeros

    def keep(size, dtype):
        kept.append(numbers(size, dtype))
        return kept[-1]

    monkeypatch.setattr(sharing.np, "zeros", keep)
    monkeypatch.setattr(sharing, "TIMES", 1000)
    count = min(2, available_cores())
    assert sharing.counting_seconds(apart, count) > 0
    memory = kept[0]
    begin = -memory.ctypes.data % sharing.LINE
    counters = memory[begin : begin + 8 * ((memory.size - begin) // 8)].view(np.int64)
    found = counters[np.flatnonzero(counters)].tolist()
    assert found == [1000 * sharing.REPEATS + 1] + [1000 * sharing.REPEATS] * (count - 1)
    assert np.diff(np.flatnonzero(counters)).tolist() == [apart // 8] * (count - 1)


@pytest.mark.parametrize("apart", [0, 4, 12, -8])
def test_counters_that_overlap_are_refused(apart):
    with pytest.raises(ValueError, match=f"apart={apart} bytes"):
        sharing.counting_seconds(apart)
