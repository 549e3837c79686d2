"""A disturbed figure is measured again, and then marked in every row, picture and verdict."""

from types import SimpleNamespace

import pytest

from convladder.bench.result import Result
from convladder.bench.rounds import paired_rounds
from convladder.core.problem import PAPER
from convladder.measure import Comparison, limits, quick, timing
from convladder.measure.timing import Rate, Rounds, Timing, sample_of, timing_of

LOW, FINE = 0.6, 0.99


@pytest.fixture(autouse=True)
def nine_tenths(monkeypatch):
    monkeypatch.setattr(timing, "LEAST_SHARE", 0.9)


@pytest.fixture
def reports(monkeypatch):
    """One entry for each disturbed result that was reported."""
    found = []
    monkeypatch.setattr(timing, "disturbed_listeners", [lambda: found.append(True)])
    return found


def low(seconds=1.0):
    return sample_of(seconds, LOW)


def fine(seconds=1.0):
    return sample_of(seconds, FINE)


def test_a_timing_is_disturbed_if_most_of_its_runs_were():
    assert low().disturbed and not fine().disturbed and not sample_of(1.0, None).disturbed
    assert sample_of(1.0, FINE, late=True).disturbed
    assert not timing_of([fine()] * 3 + [low(9.0)] * 2, 1).disturbed
    assert timing_of([fine()] * 2 + [low(9.0)] * 3, 1).disturbed
    assert timing_of([1.0, 2.0], 1) == Timing(1.5, 1.25, 1.75, 2, 1)
    assert str(timing_of([low(0.01)] * 8, 1)).startswith("10.0 ms (disturbed) (10.0 ms to 10.0")
    assert timing_of([fine(), low(), low()], 1).share == LOW


@pytest.mark.parametrize(
    "seconds, beyond, text",
    [
        (1e-3, "", "50.0%"),
        (2e-4, "", "250.0%"),
        (2e-4, "fewer multiplications", "250.0% (fewer multiplications)"),
    ],
)
def test_a_row_of_a_ladder_is_marked_where_it_passes_its_limit(seconds, beyond, text):
    problem, timing = PAPER["cv9"], timing_of([seconds] * 3, 1)
    limit = problem.flops / 5e-4
    result = Result("any", problem, timing, limit=limit, error=0.0, workspace=0, beyond=beyond)
    assert result.share_text == text
    marked = seconds == 2e-4 and not beyond
    assert result.disturbed == marked and str(result).count("(disturbed)") == marked


def test_peak_and_time_are_taken_again_before_a_share_is_disturbed(monkeypatch, reports):
    times, taken = iter([1e-9, 2e-3, 1e-9, 1e-9]), []
    monkeypatch.setattr(limits, "highest_peak", lambda threads: Rate(5e8))
    monkeypatch.setattr(limits, "peak_again", lambda threads: (taken.append(1), Rate(1e9))[1])
    monkeypatch.setattr(limits, "timed", lambda *_, **__: timing_of([next(times)], 1))
    assert limits.share_of_peak(None, 1_000_000) == 0.5
    assert taken == [1] and not reports
    assert limits.share_of_peak(None, 1_000_000) > 1 and reports


def test_a_disturbed_round_is_taken_again_for_twice_the_budget(monkeypatch):
    rounds, number = Rounds(["a", "b"]), 0
    while not rounds.enough(0.06):
        rounds.add(low(0.01), fine(0.02))
        number += 1
    assert number == 2 * 4
    a, b = (timing_of(samples, 1) for samples in rounds.chosen().values())
    assert a.disturbed and not b.disturbed
    rounds = Rounds(["a", "b"])
    for share in (FINE, LOW, FINE, FINE):
        assert not rounds.enough(0.03)
        rounds.add(fine(0.01), sample_of(0.02, share))
    assert rounds.enough(0.03)  # three good ones, 0.09 s
    assert [len(samples) for samples in rounds.chosen().values()] == [3, 3]
    assert not Comparison.of(rounds.chosen(), 1).disturbed
    late = Rounds(late=True)  # without the lock all is disturbed, and nothing taken again
    for _ in range(3):
        assert not late.enough(0.03)
        late.add(fine(0.01))
    assert late.enough(0.03) and timing_of(late.chosen()["fn"], 1).disturbed
    monkeypatch.setenv(quick.VARIABLE, "1")
    short = Rounds()
    short.add(low(0.01))
    assert short.enough(0.1) and timing_of(short.chosen()["fn"], 1).disturbed


def test_a_long_run_is_taken_again_once_and_a_short_one_counts_as_long_as_its_sample(monkeypatch):
    short, budget = Rounds(), 10.5 * timing.SAMPLE_SECONDS
    for _ in range(11):
        assert not short.enough(budget)
        short.add(fine(1e-9))
    assert short.enough(budget)
    monkeypatch.setattr(timing.CpuLoad, "others", lambda self: 0.01)
    crowd = Rounds(threads=2)  # our own threads are no disturbance
    for _ in range(3):
        crowd.add(low(0.1))
    assert crowd.enough(0.2) and not timing_of(crowd.chosen()["fn"], 2).disturbed
    for shares, disturbed in (((LOW, FINE), False), ((LOW, LOW), True)):
        rounds = Rounds()
        for share in shares:
            assert not rounds.enough(0.3)
            rounds.add(sample_of(2.0, share))
        assert rounds.enough(0.3)
        assert timing_of(rounds.chosen()["fn"], 1).disturbed == disturbed


def test_rounds_of_a_benchmark_are_as_many_as_asked(monkeypatch, reports):
    monkeypatch.setattr(timing, "LONGEST_REST", 0.0)
    shares = iter([FINE, LOW, FINE, LOW, FINE] + [LOW] * 6)
    told = []

    def clock(call):
        return sample_of(1.0, next(shares))

    found = paired_rounds({"a": None}, 3, clock=clock, progress=told.append)
    assert len(found.rounds["a"]) == 3 and len(told) == 5
    assert not found.disturbed and not reports
    found = paired_rounds({"a": None}, 3, clock=clock)
    assert len(found.rounds["a"]) == 3 and found.timings["a"].disturbed and reports


def test_what_is_timed_reports_a_disturbance(monkeypatch, reports):
    monkeypatch.setattr(timing, "LONGEST_REST", 0.0)
    for share, number in ((FINE, 0), (LOW, 2)):
        told = SimpleNamespace(share=share, slept=False)
        section = SimpleNamespace(end=lambda told=told: told)
        monkeypatch.setattr(timing, "Section", lambda threads, section=section: section)
        assert timing.timed(lambda: None, budget=1e-4, threads=1).disturbed == (number > 0)
        timing.compare({"a": lambda: None}, budget=1e-4, threads=1)
        assert len(reports) == number
