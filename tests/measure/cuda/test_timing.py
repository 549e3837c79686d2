"""The GPU's clock, with a CuPy of ours: what lies between the events, and whose turn it is."""

import sys
from types import SimpleNamespace

import pytest

from convladder.measure.cuda.timing import AHEAD, FEWEST, timed_on_gpu


@pytest.fixture
def events(monkeypatch):
    """A log of all that happens; each call takes as many milliseconds as its name says."""
    log = []

    class Event:
        def record(self):
            log.append("event")
            self.at = sum(int(entry) for entry in log if entry.isdigit())

        def synchronize(self):
            log.append("wait")

    device = SimpleNamespace(synchronize=lambda: log.append("wait for all"))
    cupy = SimpleNamespace(cuda=SimpleNamespace(
        Event=Event, Device=lambda: device,
        get_elapsed_time=lambda start, end: float(end.at - start.at)))
    monkeypatch.setitem(sys.modules, "cupy", cupy)
    return log


def test_one_call_lies_between_the_events_and_others_before_them(events):
    calls = {name: lambda name=name: events.append(name) for name in ("20", "60")}
    timings = timed_on_gpu(calls, budget=0.001)
    assert timings["20"].median == pytest.approx(0.02) and timings["60"].runs == FEWEST
    assert events[:3] == ["20", "60", "wait for all"]
    turn = [*["20"] * AHEAD, "event", "20", "event", "wait"]
    assert events[3:3 + len(turn)] == turn
    rounds = [entry for entry in events if entry.isdigit()][2:]
    assert rounds[:4 * (AHEAD + 1)] == (["20"] * 3 + ["60"] * 3 + ["60"] * 3 + ["20"] * 3)


def test_a_budget_must_be_seconds():
    with pytest.raises(ValueError, match="budget=0"):
        timed_on_gpu({}, budget=0)
