"""The GPU's clock, with a CuPy of ours: what lies between the events, and whose turn it is."""

import sys
from types import SimpleNamespace

import pytest

from convladder.measure.cuda.timing import AHEAD, FEWEST, timed_on_gpu
from studies.gpu.replayed import replayed_on_gpu


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

    class Stream:
        """What is called between `begin_capture` and `end_capture` happens when it is replayed."""

        def __init__(self, non_blocking=True):
            self.synchronize = lambda: None

        def __enter__(self):
            current.append(self)

        def __exit__(self, *_):
            current.pop()

        def begin_capture(self):
            self.before = list(log)

        def end_capture(self):
            calls, log[:] = log[len(self.before) :], self.before
            return SimpleNamespace(launch=lambda stream: log.extend(calls))

    current = []
    device = SimpleNamespace(synchronize=lambda: log.append("wait for all"))
    cupy = SimpleNamespace(
        cuda=SimpleNamespace(
            Event=Event,
            Device=lambda: device,
            Stream=Stream,
            get_current_stream=lambda: current[-1],
            get_elapsed_time=lambda start, end: float(end.at - start.at),
        )
    )
    monkeypatch.setitem(sys.modules, "cupy", cupy)
    return log


def test_one_call_lies_between_the_events_and_others_before_them(events):
    calls = {name: lambda name=name: events.append(name) for name in ("20", "60")}
    timings = timed_on_gpu(calls, budget=0.001)
    assert timings["20"].median == pytest.approx(0.02) and timings["60"].runs == FEWEST
    assert events[:3] == ["20", "60", "wait for all"]
    turn = [*["20"] * AHEAD, "event", "20", "event", "wait"]
    assert events[3 : 3 + len(turn)] == turn
    rounds = [entry for entry in events if entry.isdigit()][2:]
    assert rounds[: 4 * (AHEAD + 1)] == (["20"] * 3 + ["60"] * 3 + ["60"] * 3 + ["20"] * 3)


def test_a_graph_is_replayed_of_as_many_calls_as_take_some_milliseconds(events):
    calls = {name: lambda name=name: events.append(name) for name in ("1", "2", "60")}
    timings = replayed_on_gpu(calls, each=4, rounds=2)
    assert {name: timings[name].median for name in calls} == pytest.approx(
        {"1": 1e-3, "2": 2e-3, "60": 0.06}
    )
    lap = [[*["1"] * 4], [*["2"] * 2], ["60"]]  # 5 ms hold two calls of 2 ms; none of 60
    first = [entry for graph in lap for entry in (*graph, "event", *graph, "event", "wait")]
    back = [entry for graph in lap[::-1] for entry in (*graph, "event", *graph, "event", "wait")]
    assert events[-len(first + back) :] == first + back
