"""Chapter 14: the ladder's figure, and a rung as it is climbed."""

import pytest

from convladder import cuda
from convladder.bench import lenet as contest
from convladder.bench.lenet import ARITHMETIC, BYTES, COPY, LenetComparison, lenet_records, rtx_2060
from convladder.networks.lenet.rungs import rungs
from convladder.teach.plots import lenet as report
from convladder.teach.plots.lenet import (
    climb_rung,
    lenet_ladder_picture,
    lenet_runs,
    lenet_times_table,
    library_times,
    rung_gain_table,
)
from convladder.teach.plots.profiling import NONE, profiles_of, rung_profiles, rung_timeline

from ..artists import drawn

NAMES = [rung.name for rung in rungs("gpu")]
TIMES = LenetComparison(
    "some GPU", "gpu", 10_000,
    {name: 2.0**-place for place, name in enumerate(NAMES)}
    | {"torch": 0.5, COPY: 0.1, BYTES: 0.01},
    {name: 2.0**-place / 2 for place, name in enumerate(NAMES)}, libraries={"torch": "torch"},
)  # fmt: skip


def test_every_rung_has_its_times():
    picture = lenet_ladder_picture({"some GPU": TIMES}, rtx_2060(), NAMES)
    assert "some GPU" in picture.alt and "RTX 2060" in picture.alt
    texts = {text.get_text() for text in picture.figure.axes[0].texts}
    assert {"1.00 s", "6.31 s", "500 ms", "15.0 ms"} <= texts
    with pytest.raises(ValueError, match="runs is empty"):
        lenet_ladder_picture({}, rtx_2060(), NAMES)


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


def test_a_rung_is_judged_watched_and_counted():
    step = climb_rung("one_kernel")
    assert "16 images" in step.judged and not step.faults and step.launches == 1
    assert step.traffic["stored"] == 1 / 16  # sixteen labels in a sector
    assert str(step).startswith("one_kernel: 16 images, 100.00% right") and "1 kernel," in str(step)


def test_a_rung_that_is_wrong_is_not_climbed(monkeypatch):
    class Wrong:
        def run(self):
            return 9 - report.digits.labels()[:16]

    monkeypatch.setattr(report, "opened", lambda rung: Wrong())
    with pytest.raises(AssertionError, match="labels are wrong"):
        climb_rung("bytes")


def test_two_rungs_as_forecast_and_as_timed():
    times = LenetComparison(
        "a GPU", "gpu", 10_000, {"pinned": 4.0, "fc_coalesced": 2.0}, {"pinned": 3.0}
    )
    rows = rung_gain_table("pinned", "fc_coalesced", {"a GPU": times}).cells
    assert rows[1] == ["host to host, a GPU", "4.00 s", "2.00 s", "2"]
    assert len(rows) == 3  # no device time of both
    assert len(rung_gain_table("pinned", "fc_coalesced", {"": lenet_records()[0]}).cells) == 4


def test_profiles_stand_side_by_side():
    assert [label.partition(":")[0] for label in profiles_of("no_sync")] == ["no_sync", "no_sync"]
    assert "RTX 2060" in repr(rung_profiles("no_sync")) and "H200" in repr(rung_profiles("no_sync"))
    assert "float*" not in repr(rung_profiles("no_sync"))
    assert len(profiles_of("graph")) == 1 and repr(rung_profiles("lowered")) == NONE


def test_a_rungs_timeline():
    first, all_of_it = (rung_timeline("graph", "graph", end) for end in (30, 900))
    assert "each of 4 streams" in all_of_it.alt and drawn(first) != drawn(all_of_it)
    with pytest.raises(ValueError, match="no record has a profile of 'lowered'"):
        rung_timeline("lowered", "", 1)
