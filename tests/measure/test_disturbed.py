"""A disturbed figure is measured again, and then marked in every row, picture and verdict."""

from types import SimpleNamespace

import pytest

from convladder.bench.conv_cpu import ConvComparison
from convladder.bench.conv_tables import cpu_cells
from convladder.bench.result import Result
from convladder.bench.rounds import paired_rounds
from convladder.core.problem import PAPER
from convladder.measure import Comparison, limits, load_warning, quick, timing
from convladder.measure.limits import Roofline
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


def test_nine_tenths_of_a_core_are_asked_for():
    assert low().disturbed and not fine().disturbed and not sample_of(1.0, None).disturbed
    assert sample_of(1.0, FINE, late=True).disturbed


def test_a_timing_is_disturbed_if_most_of_its_runs_were():
    assert not timing_of([fine()] * 3 + [low(9.0)] * 2, 1).disturbed
    assert timing_of([fine()] * 2 + [low(9.0)] * 3, 1).disturbed
    assert timing_of([1.0, 2.0], 1) == Timing(1.5, 1.25, 1.75, 2, 1)
    assert timing_of([fine(), low(), low()], 1).share == LOW


def test_a_timing_says_so_once():
    found = timing_of([low(0.01)] * 8, 1)
    assert str(found) == "10.0 ms (disturbed) (10.0 ms to 10.0 ms), 8 runs, 1 thread"
    both = Comparison.of({"a": [low()] * 3, "b": [fine(2.0)] * 3}, 1)
    assert [("(disturbed)" in row) for row in str(both).splitlines()] == [True, False]
    assert both.disturbed and both.ratio("b", "a") == 2.0


def test_limits_say_so_once():
    assert str(Roofline(117.3e9, 23e9, 1, disturbed=True)).count("(disturbed)") == 1
    assert "disturbed" not in str(Roofline(117.3e9, 23e9, 1))


@pytest.mark.parametrize("rate, disturbed", [(99.0, False), (101.7, False), (269.0, True)])
def test_a_share_above_its_limit_is_disturbed(rate, disturbed):
    assert limits.share_of(rate, 100.0).disturbed is disturbed
    assert limits.share_of(50.0, 100.0, disturbed=True).disturbed


def test_a_matrix_unit_may_pass_the_limit_of_vectors(monkeypatch):
    monkeypatch.setattr(limits, "machine", lambda: SimpleNamespace(matrix_unit=True))
    assert not limits.share_of(269.0, 100.0).disturbed


@pytest.mark.parametrize(
    "seconds, beyond, text",
    [
        (1e-3, "", "50.0%"),
        (2e-4, "", "250.0%"),
        (2e-4, "fewer multiplications", "250.0% (fewer multiplications)"),
    ],
)
def test_a_row_of_a_ladder_is_marked_where_it_passes_its_limit(seconds, beyond, text):
    result = measured([seconds] * 3, beyond)
    assert result.share_text == text
    marked = seconds == 2e-4 and not beyond
    assert result.disturbed == marked and str(result).count("(disturbed)") == marked


def measured(samples, beyond=""):
    problem = PAPER["cv9"]
    return Result(
        "any",
        problem,
        timing_of(samples, 1),
        limit=problem.flops / 5e-4,
        error=0.0,
        workspace=0,
        beyond=beyond,
    )


def test_a_row_of_a_comparison_is_marked():
    for sample, mark in ((low, 1), (fine, 0)):
        rounds = Comparison.of({"ours": [fine()] * 3, "theirs": [sample()] * 3}, 1)
        layers = {"cv9": ConvComparison.of(PAPER["cv9"], 1, rounds, {"theirs": "torch"}, {}, 1e12)}
        assert str(cpu_cells(layers, "ours")[0]).count("(disturbed)") == mark


def test_peak_and_time_are_taken_again_before_a_share_is_disturbed(monkeypatch, reports):
    times, taken = iter([1e-9, 2e-3, 1e-9, 1e-9]), []
    monkeypatch.setattr(limits, "highest_peak", lambda threads: Rate(5e8))
    monkeypatch.setattr(limits, "peak_again", lambda threads: (taken.append(1), Rate(1e9))[1])
    monkeypatch.setattr(limits, "timed", lambda *_, **__: timing_of([next(times)], 1))
    assert limits.share_of_peak(None, 1_000_000) == 0.5
    assert taken == [1] and not reports
    assert limits.share_of_peak(None, 1_000_000) > 1 and reports


def test_a_disturbed_round_is_taken_again():
    rounds = Rounds(["a", "b"])
    for share in (FINE, LOW, FINE, FINE):
        assert not rounds.enough(0.03)
        rounds.add(fine(0.01), sample_of(0.02, share))
    assert rounds.enough(0.03)  # three good ones, 0.09 s
    assert [len(samples) for samples in rounds.chosen().values()] == [3, 3]
    assert not Comparison.of(rounds.chosen(), 1).disturbed


def test_for_twice_the_budget_and_then_it_is_marked():
    rounds, number = Rounds(["a", "b"]), 0
    while not rounds.enough(0.06):
        rounds.add(low(0.01), fine(0.02))
        number += 1
    assert number == 2 * 4
    a, b = (timing_of(samples, 1) for samples in rounds.chosen().values())
    assert a.disturbed and not b.disturbed


@pytest.mark.parametrize("names", ["a", "ab"])
def test_a_call_shorter_than_its_sample_counts_as_long_as_that(names):
    rounds, budget = Rounds(names), 10.5 * timing.SAMPLE_SECONDS
    for _ in range(11):
        assert not rounds.enough(budget)
        rounds.add(*(fine(1e-9) for _ in names))
    assert rounds.enough(budget)


def test_a_long_run_is_taken_again_once():
    for shares, disturbed in (((LOW, FINE), False), ((LOW, LOW), True)):
        rounds = Rounds()
        for share in shares:
            assert not rounds.enough(0.3)
            rounds.add(sample_of(2.0, share))
        assert rounds.enough(0.3)
        assert timing_of(rounds.chosen()["fn"], 1).disturbed == disturbed


def test_without_the_lock_all_is_disturbed_and_nothing_taken_again():
    rounds = Rounds(late=True)
    for _ in range(3):
        assert not rounds.enough(0.03)
        rounds.add(fine(0.01))
    assert rounds.enough(0.03) and timing_of(rounds.chosen()["fn"], 1).disturbed


def test_what_is_measured_in_short_is_not_taken_again(monkeypatch):
    monkeypatch.setenv(quick.VARIABLE, "1")
    rounds = Rounds()
    rounds.add(low(0.01))
    assert rounds.enough(0.1) and timing_of(rounds.chosen()["fn"], 1).disturbed


@pytest.mark.parametrize("others, disturbed", [(0.01, False), (0.4, True), (None, True)])
def test_a_crowd_of_our_own_threads_is_no_disturbance(monkeypatch, others, disturbed):
    monkeypatch.setattr(timing.CpuLoad, "others", lambda self: others)
    rounds = Rounds(threads=2)
    for _ in range(3):
        rounds.add(low(0.1))
    assert rounds.enough(0.2) != disturbed
    assert timing_of(rounds.chosen()["fn"], 2).disturbed == disturbed


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


@pytest.mark.parametrize(
    "load, disturbed, text",
    [
        (1.2, False, None),
        (7.9, False, "busy; load 7.9 on 2 cores"),
        (1.2, True, "busy; load 1.2 on 2 cores"),
        (None, True, "busy"),
    ],
)
def test_the_machine_card_says_that_it_is_busy(monkeypatch, load, disturbed, text):
    monkeypatch.setattr(load_warning, "load", lambda: load)
    monkeypatch.setattr(load_warning, "available_cores", lambda: 2)
    assert load_warning.busy(disturbed) == text
