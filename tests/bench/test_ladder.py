import tracemalloc
from dataclasses import replace
from types import SimpleNamespace

import numpy as np
import pytest
import threadpoolctl

from convladder import ConvProblem, Ladder, get_method
from convladder.bench import ladder as ascent
from convladder.bench.ladder import climb
from convladder.core.reference import conv2d_float64, random_arrays
from convladder.measure import RESOLUTION, Roofline, timing

SMALL = ConvProblem(2, 9, 7, 3, 3, 2, 5, stride=(2, 1), padding=1)
ROOF = Roofline(flops_per_s=1e12, bytes_per_s=1e15, threads=1)


@pytest.fixture(autouse=True)
def known_limits(monkeypatch):
    monkeypatch.setattr(ascent, "roofline", lambda threads: ROOF)


def right(x, w, problem):
    return conv2d_float64(x, w, problem).astype(np.float32)


def rung(name, run=right, prepare=None, workspace=0):
    own = dict(name=name, run=run, prepare=prepare, workspace_bytes=lambda problem: workspace)
    return replace(get_method("im2col"), **own)


def ladder(*rungs, problem=SMALL):
    return SimpleNamespace(problem=problem, rungs=list(rungs), skipped={})


def test_the_package_climbs():
    course, told = Ladder(SMALL), []
    results = climb(course, threads=1, budget=0.002, progress=told.append)
    assert [result.name for result in results] == told == [each.name for each in course.rungs]
    for result in results:
        assert result.flops_per_s == SMALL.flops / result.timing.median
        assert result.share == result.flops_per_s / ROOF.limit(SMALL)
        assert result.error < 1e-5
        assert abs(result.workspace - result.predicted_workspace) <= RESOLUTION
        assert result.timing.runs >= 1


def test_workspace_is_measured():
    def greedy(x, w, problem):
        spare = np.empty(2**20, np.uint8)
        return right(x, w, problem) if spare.size else None

    plain, more = climb(ladder(rung("plain"), rung("greedy", greedy)), threads=1, budget=0.001)
    assert 2**20 - plain.workspace - RESOLUTION <= more.workspace - plain.workspace
    assert more.workspace - plain.workspace <= 2**20 + RESOLUTION


@pytest.mark.parametrize(
    "spoil",
    [
        lambda y: y * np.float32(1.001),
        lambda y: y * np.nan,
        lambda y: y.astype(np.float64),
    ],
)
def test_a_wrong_result_is_never_timed(spoil):
    calls = []

    def wrong(x, w, problem):
        calls.append(1)
        return np.ascontiguousarray(spoil(right(x, w, problem)))

    with pytest.raises(RuntimeError, match="'wrong' is wrong on 2x9x7x3.*nothing was timed"):
        climb(ladder(rung("right"), rung("wrong", wrong)), threads=1, budget=0.001)
    assert len(calls) == 1


def test_entries_left_unwritten_are_found():
    def forgetful(x, w, problem):
        return np.empty(problem.output_shape, np.float32)

    tiny = ConvProblem(1, 5, 4, 3, 2, 3, 2)  # NumPy keeps such small buffers for the next array

    def leave_the_right_result(name):
        right(*random_arrays(tiny), tiny)

    with pytest.raises(RuntimeError, match="'forgetful'.*NaN"):
        climb(
            ladder(rung("forgetful", forgetful), problem=tiny),
            threads=1,
            budget=0.001,
            progress=leave_the_right_result,
        )


def test_contestants_take_turns(monkeypatch):
    order, clock = [], SimpleNamespace(now=0.0)

    def lasting(name, seconds):
        def run(x, w, problem):
            order.append(name)
            clock.now += seconds
            return right(x, w, problem)

        return rung(name, run)

    monkeypatch.setattr(timing, "perf_counter", lambda: clock.now)
    monkeypatch.setattr(timing, "LONGEST_REST", 0.0)
    contestants = ladder(lasting("a", 0.1), lasting("b", 0.2), lasting("slow", 9.0))
    a, b, slow = climb(contestants, threads=1, budget=0.45)
    first, timed = order[:6], order[6:]
    assert first == ["a", "a", "b", "b", "slow", "slow"]  # judged, then weighed
    assert timed == ["a", "b", "slow", "b", "a", "a", "b", "a", "a"]
    assert (a.timing.runs, b.timing.runs, slow.timing.runs) == (5, 3, 1)
    assert slow.timing.median == pytest.approx(9.0)


def test_prepared_weights_are_timed_apart(monkeypatch):
    clock = SimpleNamespace(now=0.0)
    monkeypatch.setattr(timing, "perf_counter", lambda: clock.now)
    monkeypatch.setattr(timing, "LONGEST_REST", 0.0)

    def prepare(w, problem):
        clock.now += 0.5
        return {"packed": w}

    def run(x, packed, problem):
        clock.now += 0.125
        return right(x, packed["packed"], problem)

    (result,) = climb(ladder(rung("packed", run, prepare)), threads=1, budget=0.2)
    assert result.prepare_seconds == 0.5
    assert result.timing.median == 0.125
    assert "weights prepared in 500 ms" in str(result)


def test_an_error_passes_through_and_leaves_nothing_on():
    before = threadpoolctl.threadpool_info()
    for good_calls in (0, 1, 2):
        calls = []

        def fails(x, w, problem):
            calls.append(1)
            if len(calls) > good_calls:
                raise ZeroDivisionError("mine")
            return right(x, w, problem)

        with pytest.raises(ZeroDivisionError, match="^mine$"):
            climb(ladder(rung("fails", fails)), threads=1, budget=0.001)
        assert threadpoolctl.threadpool_info() == before
        assert not tracemalloc.is_tracing()
