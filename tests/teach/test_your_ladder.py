"""The learner's ladder: what is kept, what stands in for it, and what is drawn."""

import pytest

from convladder import REPORT
from convladder.bench.rungs import CUDNN
from convladder.journal import RUNG, events
from convladder.measure import Roofline
from convladder.teach import your_ladder
from convladder.teach.your_ladder import YourLadder

IM2COL = "im2col and one product"


@pytest.fixture(autouse=True)
def no_rungs(monkeypatch):
    monkeypatch.setattr(your_ladder, "_SESSION", [])


def names(ladder):
    return [(step.name, bool(step.machine)) for step in ladder.steps()]


def test_what_was_measured_survives_a_restart_and_others_stand_in_grey(journal, monkeypatch):
    YourLadder("01").add(IM2COL, 0.02, workspace=5_000_000)
    assert [event.what for event in events() if event.kind == RUNG] == [IM2COL]
    monkeypatch.setattr(your_ladder, "_SESSION", [])  # a new kernel
    later = YourLadder("03")
    assert names(later) == [
        ("six loops, plain Python", True),
        ("six loops, compiled", True),
        (IM2COL, False),
    ]
    later.add(IM2COL, 0.01)
    assert next(step.seconds for step in later.steps() if step.name == IM2COL) == 0.01
    monkeypatch.setattr(your_ladder, "_here", lambda: "another processor, 8 cores")
    assert (IM2COL, True) in names(YourLadder("03"))


def test_a_kernel_without_a_journal_keeps_its_own_rungs(monkeypatch):
    monkeypatch.setenv("CONVLADDER_PROGRESS", "off")
    ladder = YourLadder("00")
    ladder.add("six loops, plain Python", 2.0, part=0.01)
    assert [(step.seconds, step.note) for step in ladder.steps()] == [(200.0, "scaled")]
    assert ladder.faster("six loops, plain Python", than="six loops, plain Python") == 1


def test_a_gpu_s_rung_is_the_recorded_one_where_there_is_none(journal):
    ladder = YourLadder("07")
    before = names(ladder)
    ladder.climb("a GPU thread per output")
    assert names(ladder) == [*before, ("a GPU thread per output", True)]


def test_the_limits_are_of_one_core_and_of_all(journal, monkeypatch):
    asked = []

    def roofline(threads):
        asked.append(threads)
        return Roofline(1e11 * (2 if threads is None else 1), 1e10, 1)

    monkeypatch.setattr(your_ladder, "roofline", roofline)
    ladder = YourLadder("01")
    ladder.add(IM2COL, 0.02)
    picture = ladder.picture(question="MEC: ?")
    assert asked == [1, None] and "then a question: MEC: ?" in picture.alt
    walls = {line.get_xdata()[0] for line in picture.figure.axes[0].lines}
    assert walls == {REPORT.flops / 1e11, REPORT.flops / 2e11}
    words = {text.get_text() for text in YourLadder("09").picture().figure.axes[0].texts}
    assert CUDNN in words, "beside a GPU's rungs stands the library of that GPU"
