"""What share of a core a section received, and what becomes of a figure with too little."""

import importlib
import json
import os
import pickle
import sys
import threading
import time
import types

import numpy as np
import pytest

from convladder.bench.result import Measured
from convladder.bench.rounds import paired_rounds
from convladder.measure import Comparison, figure, limits, quick, received, runs, timer, timings
from convladder.measure.figure import Figure, Limit
from convladder.measure.received import Section
from convladder.measure.runs import Runs
from convladder.measure.timings import timing_of
from convladder.problem import PAPER
from convladder.teach import table, versus
from convladder.text import rate_text, seconds_text

tables = importlib.import_module("convladder.teach.table")  # not the function

linux = pytest.mark.skipif(sys.platform != "linux", reason="the queue for a core is told by Linux")
LOW, FINE = 0.6, 0.99


@pytest.fixture(autouse=True)
def nine_tenths(monkeypatch):
    monkeypatch.setattr(figure, "LEAST_SHARE", 0.9)


def spin(seconds):
    end = time.thread_time() + seconds
    while time.thread_time() < end:
        pass


@pytest.mark.parametrize("threads", [1, 2])
def test_what_was_received_is_no_more_than_there_was(threads):
    section = Section(threads)
    spin(0.01)
    got = section.end()
    assert got.wall >= 0.01 and got.busy >= 0.0099 and not got.slept
    assert got.share is None or 0 < got.share <= 1


@linux
def test_a_sleep_is_no_disturbance():
    section = Section(1)
    time.sleep(0.05)
    got = section.end()
    assert got.slept and got.busy < 0.02


@linux
def test_the_queue_is_counted_for_one_thread_and_for_all(monkeypatch):
    """Half a second of queueing is put into what the system says."""
    real, waited = os.pread, [0]

    def pread(file, size, offset):
        ran, queued, times = real(file, size, offset).split()
        return b"%d %d %d" % (int(ran), waited[0], int(times))

    monkeypatch.setattr(received.os, "pread", pread)
    for threads in (1, 2):
        monkeypatch.setattr(received, "_switches", lambda: (waited[0], 0))  # it slept, too
        section = Section(threads)
        waited[0] += int(5e7)
        time.sleep(0.1)
        got = section.end()
        if threads == 1:
            assert got.share == pytest.approx(1 - 0.05 / got.wall)
        else:
            assert got.share < 0.3


@pytest.mark.parametrize("moved, share", [(0, 1.0), (3, None)])
def test_where_the_queue_is_not_told_a_thread_left_alone_received_all(monkeypatch, moved, share):
    switched = iter([(0, 0), (0, moved)])
    monkeypatch.setattr(received, "_queued", lambda: None)
    monkeypatch.setattr(received, "_switches", lambda: next(switched))
    monkeypatch.setattr(received, "resource", types.SimpleNamespace())
    section = Section(1)
    spin(0.002)
    got = section.end()
    assert got.share == (share or pytest.approx(min(1.0, got.busy / got.wall)))
    monkeypatch.setattr(received, "_queued_by_thread", lambda: None)
    assert Section(2).end().share is None


def test_without_any_clock_of_threads_nothing_is_said(monkeypatch):
    monkeypatch.setattr(received, "resource", None)
    monkeypatch.setattr(received, "OWN", "/nowhere")
    monkeypatch.setattr(received, "TASKS", "/nowhere")
    monkeypatch.setattr(received, "UPTIME", "/nowhere")
    monkeypatch.setattr(received, "_files", received._Files())
    for threads in (1, 2):
        assert Section(threads).end().share is None
    assert received.Machine().others() is None
    assert not Figure(1.0, None).disturbed


@linux
def test_a_child_looks_at_itself():
    Section(1).end(), Section(2).end()
    child = os.fork()
    if child == 0:
        os._exit(int(received._files.own is not None or bool(received._files.of)))
    assert os.waitpid(child, 0) == (child, 0)


@linux
def test_threads_that_have_ended_are_forgotten():
    begin, end = threading.Barrier(2), threading.Barrier(2)
    thread = threading.Thread(target=lambda: (begin.wait(), end.wait()))
    thread.start()
    begin.wait()
    section = Section(2)
    number = str(thread.native_id)
    assert number in received._files.of
    end.wait()
    thread.join()
    section.end()
    until = time.monotonic() + 5
    while number in received._files.of and time.monotonic() < until:
        Section(2)  # the system may take a moment to see that it has ended
    assert number not in received._files.of


@linux
def test_a_thread_that_has_ended_leaves_no_file_open():
    def some():
        for _ in range(5):
            thread = threading.Thread(target=lambda: (Section(1).end(), Section(2).end()))
            thread.start()
            thread.join()
        return len(os.listdir("/proc/self/fd"))

    assert some() == some()


def test_a_figure_says_so_wherever_it_is_printed():
    low, fine = Figure(0.0125, LOW), Figure(0.0125, FINE)
    assert f"{low:.3f}" == "0.013 (disturbed)"
    assert f"{fine:.3f}" == "0.013" and str(fine) == "0.0125"
    assert f"{1e3 * low:.1f} ms" == "12.5 (disturbed) ms"
    assert seconds_text(low) == "12.5 ms (disturbed)" and seconds_text(fine) == "12.5 ms"
    assert timings.seconds(low) == "12.5 ms (disturbed)"
    assert rate_text(1e9 / low) == "80.0 GFLOP/s (disturbed)"
    assert f"{round(100 * low)}" == "1 (disturbed)" and round(100 * fine) == 1
    assert list(range(round(Figure(2.4, LOW)))) == [0, 1]
    assert f"{round(fine / low, 1)}" == "1.0 (disturbed)" and not (fine / fine).disturbed
    assert (low / fine).share == LOW and json.dumps([low, fine]) == "[0.0125, 0.0125]"
    for each in (low, Limit(2.0, LOW), -low, abs(low), low - 1, 1 - low, low + low):
        again = pickle.loads(pickle.dumps(each))
        assert (again, again.disturbed, type(again)) == (each, True, type(each))


def test_a_share_above_a_limit_is_never_printed_bare():
    peak = Limit(100.0)
    assert f"{269.0 / peak:.0%}" == "269% (disturbed)"
    assert f"{99.0 / peak:.0%}" == "99%" and f"{101.7 / peak:.0%}" == "102%"  # noise of both
    assert f"{Limit(197.0) / peak:.2f}" == "1.97" and f"{peak / 4:.0f}" == "25"
    rate = Figure(60.0, FINE)  # in percent, a share is above its limit from 100 on
    assert f"{100 * rate / peak:.0f} %, {rate * 100 / peak:.0f} %" == "60 %, 60 %"
    assert f"{100 * (4 * rate) / peak:.0f} %" == "240 (disturbed) %"


@pytest.mark.parametrize(
    "seconds, beyond, text",
    [
        (1e-3, "", "50.0%"),
        (2e-4, "", "250.0% (disturbed)"),
        (1e-6, "", "50000.0% (disturbed)"),
        (2e-4, "fewer multiplications", "250.0% (fewer multiplications)"),
    ],
)
def test_a_ladder_labels_what_passes_its_limit(seconds, beyond, text):
    problem = PAPER["cv9"]
    result = Measured(
        "any", problem, timing_of([seconds] * 3, 1), (), limit=problem.flops / 5e-4, beyond=beyond
    )
    assert result.share_text == text


def test_peak_and_time_are_taken_again_before_a_share_is_labelled(monkeypatch):
    times, taken = iter([1e-9, 2e-3, 1e-9, 1e-9]), []
    monkeypatch.setattr(limits, "highest_peak", lambda threads: Limit(5e8))
    monkeypatch.setattr(limits, "peak_again", lambda threads: (taken.append(1), Limit(1e9))[1])
    monkeypatch.setattr(limits, "timed", lambda *_, **__: timing_of([next(times)], 1))
    assert limits.share_of_peak(None, 1_000_000) == 0.5 and taken == [1]
    assert f"{limits.share_of_peak(None, 1_000_000):.0%}".endswith("(disturbed)")


def test_a_disturbed_round_is_taken_again():
    rounds = Runs(["a", "b"])
    for share in (FINE, LOW, FINE, FINE):
        assert not rounds.enough(0.03)
        rounds.add(Figure(0.01, FINE), Figure(0.02, share))
    assert rounds.enough(0.03)  # three good ones, 0.09 s
    assert [len(times) for times in rounds.rounds().values()] == [3, 3]
    comparison = Comparison(
        {name: timing_of(times, 1) for name, times in rounds.rounds().items()}, rounds.rounds()
    )
    assert f"{comparison.ratio('b', 'a'):.1f}" == "2.0"


def test_for_twice_the_budget_and_then_it_is_labelled():
    rounds, number = Runs(["a", "b"]), 0
    while not rounds.enough(0.06):
        rounds.add(Figure(0.01, LOW), Figure(0.02, FINE))
        number += 1
    assert number == 2 * 4
    a, b = (timing_of(times, 1) for times in rounds.rounds().values())
    assert str(a) == "10 ms (disturbed) (10 ms to 10 ms), 8 runs, 1 thread" and not b.disturbed
    both = Comparison({"a": a, "b": b}, rounds.rounds())
    assert f"{both.ratio('b', 'a'):.2f}" == "2.00 (disturbed)"
    assert str(both).count("(disturbed)") == 1


def test_a_long_run_is_taken_again_once():
    for shares, disturbed in (((LOW, FINE), False), ((LOW, LOW), True)):
        rounds = Runs()
        for share in shares:
            assert not rounds.enough(0.3)
            rounds.add(Figure(2.0, share))
        assert rounds.enough(0.3)
        assert timing_of(rounds.times, 1).disturbed == disturbed


def test_what_is_measured_in_short_is_not_taken_again(monkeypatch):
    monkeypatch.setenv(quick.VARIABLE, "1")
    rounds = Runs()
    for _ in range(2):
        assert not rounds.enough(0.1)
        rounds.add(Figure(0.01, LOW))
    assert rounds.enough(0.1) and timing_of(rounds.times, 1).disturbed


@pytest.mark.parametrize("others, disturbed", [(0.01, False), (0.4, True), (None, True)])
def test_a_crowd_of_our_own_threads_is_no_disturbance(monkeypatch, others, disturbed):
    monkeypatch.setattr(runs.Machine, "others", lambda self: others)
    rounds = Runs(threads=2)
    for _ in range(3):
        rounds.add(Figure(0.1, LOW))
    assert rounds.enough(0.2) != disturbed
    assert timing_of(rounds.times, 2).disturbed == disturbed


def test_rounds_of_a_benchmark_are_as_many_as_asked(monkeypatch):
    monkeypatch.setattr(timer, "LONGEST_REST", 0.0)
    shares = iter([FINE, LOW, FINE, LOW, FINE] + [LOW] * 6)
    told = []
    times = paired_rounds(
        {"a": None}, 3, clock=lambda call: Figure(1.0, next(shares)), progress=told.append
    )
    assert [each.share for each in times["a"]] == [FINE] * 3 and len(told) == 5
    times = paired_rounds({"a": None}, 3, clock=lambda call: Figure(1.0, next(shares)))
    assert len(times["a"]) == 3 and all(each.disturbed for each in times["a"])


def test_it_is_explained_once_in_a_notebook(monkeypatch):
    monkeypatch.setattr(tables, "_said", set())
    monkeypatch.setattr(tables, "load", lambda: 8.12)
    monkeypatch.setattr(tables, "available_cores", lambda: 2)
    low = Figure(1.5, LOW)
    quiet, first, second = (table([[value]], ["x"]) for value in (1.5, low, low))
    assert "disturbed" not in repr(quiet) + quiet._repr_html_()
    assert repr(first).count("(disturbed)") == 2 and "load 8.1 on 2 cores" in repr(first)
    assert "load 8.1 on 2 cores" in first._repr_html_() and "load" not in repr(second)
    verdict = versus(1.4, low, "ms", "x")
    assert repr(verdict) == "x: predicted 1.4 ms, measured 1.5 ms (disturbed). You are within 10%."
    monkeypatch.setattr(tables, "_said", set())
    assert repr(versus(1.4, low)).endswith("when the machine is quiet.")


@pytest.mark.parametrize(
    "load, figures, text",
    [
        (1.2, [Figure(1.0, FINE)], None),
        (7.9, [], "busy; load 7.9 on 2 cores"),
        (
            1.2,
            [Figure(1.0, LOW), Figure(1.0, FINE)],
            "busy; load 1.2 on 2 cores; measuring received 60% of a core",
        ),
        (None, [Figure(1.0, LOW)], "busy; measuring received 60% of a core"),
    ],
)
def test_the_machine_card_says_that_it_is_busy(monkeypatch, load, figures, text):
    monkeypatch.setattr(tables, "load", lambda: load)
    monkeypatch.setattr(tables, "available_cores", lambda: 2)
    assert tables.busy(*figures) == text


def test_the_middle_of_figures_is_as_disturbed_as_most_of_them():
    assert not timing_of([Figure(1.0, FINE)] * 3 + [Figure(9.0, LOW)] * 2, 1).disturbed
    assert timing_of([Figure(1.0, FINE)] * 2 + [Figure(9.0, LOW)] * 3, 1).disturbed
    assert not timing_of([1.0, 2.0], 1).disturbed
    assert np.isclose(timing_of([1.0, 2.0], 1).median, 1.5)
