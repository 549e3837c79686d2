"""Other programs run while they should and no longer, and each clock counts its own."""

import sys

import pytest

from convladder.measure import clock_ratios
from convladder.measure import neighbours as beside


def test_programs_run_until_the_block_is_left(monkeypatch):
    begun, popen = [], beside_module().subprocess.Popen

    def remember(*args, **kwargs):
        begun.append(popen(*args, **kwargs))
        return begun[-1]

    monkeypatch.setattr(beside_module().subprocess, "Popen", remember)
    with pytest.raises(KeyError), beside(2):
        assert len(begun) == 2 and all(each.poll() is None for each in begun)
        raise KeyError
    assert all(each.returncode for each in begun)
    with beside(0):
        assert len(begun) == 2
    with pytest.raises(ValueError, match="number=-1 of programs; use 0 or more"), beside(-1):
        pass


def beside_module():
    return sys.modules["convladder.measure.neighbours"]


def test_each_clock_counts_its_own(monkeypatch):
    """A call that works for 2 ms and sleeps for 8 takes 2 by its own clock and 10 on the wall."""
    module, now = beside_module(), {"wall": 0.0, "own": 0.0}
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
