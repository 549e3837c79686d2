"""A rung as the chapter climbs it, and its profiles side by side."""

import pytest

from convladder.bench.lenet import LenetComparison, lenet_records
from convladder.teach.plots import lenet as report
from convladder.teach.plots.lenet import climb_rung, rung_gain_table
from convladder.teach.plots.profiling import NONE, profiles_of, rung_profiles, rung_timeline

from ..artists import drawn


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
