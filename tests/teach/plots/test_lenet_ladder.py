"""The ladder's figure and its cards hold what they are given."""

import pytest

from convladder import cuda
from convladder.bench import lenet as contest
from convladder.bench.lenet import ARITHMETIC, BYTES, COPY, LenetComparison, lenet_records, rtx_2060
from convladder.networks.lenet.forecast import Forecast
from convladder.networks.lenet.rungs import rungs
from convladder.teach.plots import lenet
from convladder.teach.plots import lenet as report
from convladder.teach.plots.lenet import (
    SURPRISES,
    card_picture,
    lenet_ladder_picture,
    lenet_runs,
    lenet_times_table,
    library_times,
    rung_cards,
)

from .. import artists

NAMES = [rung.name for rung in rungs("gpu")]
TIMES = LenetComparison(
    "some GPU", "gpu", 10_000,
    {name: 2.0**-place for place, name in enumerate(NAMES)}
    | {"torch": 0.5, COPY: 0.1, BYTES: 0.01},
    {name: 2.0**-place / 2 for place, name in enumerate(NAMES)}, libraries={"torch": "torch"},
)  # fmt: skip


@pytest.fixture
def drawn(monkeypatch):
    """Rows by what was written into them."""
    texts = []
    label = lenet._label
    monkeypatch.setattr(
        lenet,
        "_label",
        lambda ax, seconds, y, text, *rest, **more: (
            texts.append((y, text)),
            label(ax, seconds, y, text, *rest, **more),
        ),
    )
    return texts


def test_every_rung_has_its_times(drawn):
    picture = lenet_ladder_picture({"some GPU": TIMES}, rtx_2060(), NAMES)
    assert "some GPU" in picture.alt and "RTX 2060" in picture.alt
    rows = [text for y, text in drawn if y == 0]
    assert rows == ["1.00 s", "6.31 s"]
    assert [text for y, text in drawn if y == len(NAMES)] == ["500 ms"]
    assert [text for y, text in drawn if y == len(NAMES) + 2] == ["15.0 ms"]


def test_two_runs_share_a_row(drawn):
    lenet_ladder_picture({"a": TIMES, "b": TIMES}, rtx_2060(), NAMES[-1:], libraries=())
    assert len({y for y, _ in drawn}) == 2
    with pytest.raises(ValueError, match="runs is empty"):
        lenet_ladder_picture({}, rtx_2060(), NAMES)


def test_cards_step_through_the_ladder():
    told = Forecast(1e-3, 1e-3, 1e-4, 0, 0, 0, 1, False)
    stepper = rung_cards(dict.fromkeys(NAMES, told), TIMES)
    control = stepper.controls["rung"]
    assert (control.min, control.max) == (1, len(NAMES))
    first = artists.drawn(stepper.picture)
    control.value = len(NAMES)
    assert artists.drawn(stepper.picture) != first and not stepper.note.value
    assert "baseline" not in stepper.first.alt and rungs("gpu")[0].title in stepper.first.alt


def test_tensor_cores_follow_the_kernel_with_bytes(monkeypatch):
    asked = []
    monkeypatch.setattr(
        LenetComparison, "gain", lambda self, before, after: asked.append(before) or 1.0
    )
    told = Forecast(1e-3, 1e-3, 1e-4, 0, 0, 0, 1, False)
    for number in (1, 2, 1 + NAMES.index("tensor_core")):
        card_picture(rungs("gpu"), number, dict.fromkeys(NAMES, told), TIMES, SURPRISES)
    assert asked == ["baseline", "one_kernel"]


def test_each_rung_that_is_recorded_has_its_surprise():
    assert list(SURPRISES) == [name for name in NAMES if name in lenet_records()[0].seconds]
    assert all(len(text) < 420 and text.endswith(".") for text in SURPRISES.values())


def test_runs_and_their_gains():
    assert TIMES.gain(NAMES[0], NAMES[2]) == TIMES.gain(NAMES[0], NAMES[2], on_device=True) == 4.0
    assert lenet_times_table(TIMES, NAMES[:2]).cells[1] == ["batched", "500 ms", "250 ms", "", "2"]
    cpu = LenetComparison("here", "cpu", 10_000, {"threads": 2.0, "lanes": 0.5, ARITHMETIC: 0.25})
    assert lenet_times_table(cpu, list(cpu.seconds)).cells == [
        ["threads", "2.00 s", ""],
        ["lanes", "500 ms", "4"],
        [ARITHMETIC, "250 ms", ""],
    ]
    assert any("recorded" in label for label in lenet_runs())


@pytest.mark.parametrize("trouble", [None, cuda.CompileError("needs sm_80")])
def test_a_gpu_here_comes_first_if_it_can_run_them_all(trouble, monkeypatch):
    asked = []

    def timed(ladder, with_copies, **more):
        if trouble:
            raise trouble
        names = [rung.name for rung in ladder]
        asked.append((names, with_copies))
        return LenetComparison(
            "some GPU", "gpu", 10_000, dict.fromkeys(names, 1.0), dict.fromkeys(names, 0.5)
        )

    monkeypatch.setattr(cuda, "gpu", lambda: True)
    monkeypatch.setattr(contest, "compare_rungs", timed)
    report._timed.cache_clear()
    runs = [lenet_runs(slow=False), lenet_runs(), lenet_runs()]
    report._timed.cache_clear()
    assert all(("some GPU" == next(iter(each))) is (trouble is None) for each in runs)
    assert all("recorded" in list(each)[-1] for each in runs)
    if trouble is None:
        # The rungs that take seconds come when they are asked for, and nothing is timed twice.
        assert asked == [(NAMES[1:], True), (NAMES[:1], False)]
        assert list(runs[0]["some GPU"].seconds) == NAMES[1:]
        assert set(runs[1]["some GPU"].seconds) == set(NAMES)
        assert runs[1]["some GPU"].device_seconds["baseline"] == 0.5


def test_a_library_is_of_the_first_run_in_which_it_took_part():
    alone = LenetComparison("here", "gpu", 10_000, {"graph": 1.0})
    assert library_times({"here": alone, "there": TIMES}) is TIMES
    assert "torch" in library_times(lenet_runs()).libraries.values()
    with pytest.raises(LookupError, match="no run has torch"):
        library_times({"here": alone})
