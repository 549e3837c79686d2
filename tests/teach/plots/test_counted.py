"""Counters of a launch, and forecasts with other rates, as pictures."""

from dataclasses import replace

import pytest

from convladder.bench import profile_records
from convladder.networks.lenet.forecast import Forecast
from convladder.teach.plots import counters_picture, what_if_picture
from convladder.teach.plots.style import ORANGE
from convladder.teach.reports import launches_of

TOLD = Forecast(
    up=4e-4, kernels=1e-3, launches=1e-5, copies=1e-5, down=1e-6, labels=2e-4, chunks=1, waits=False
)


@pytest.mark.parametrize(
    "launch, busiest, reason",
    [(("batched", 1), "memory", "global memory"), (("batched", 0), "issue slots", "a full pipe")],
)
def test_the_busiest_part_and_the_reason_to_wait_are_said(launch, busiest, reason):
    ((label, seen),) = launches_of(profile_records()[0], [launch])
    alt = counters_picture(label, seen).alt
    assert alt == (f"{label}: the busiest part, {busiest}; what warps wait for most, {reason}.")


def test_taken_places_are_not_work():
    """An occupancy of 90 % beside 3 % of the issue slots is no part at its limit."""
    ((label, seen),) = launches_of(profile_records()[0], [("batched", 4)])
    marked = [
        bar.get_width()
        for bar in counters_picture(label, seen).figure.axes[0].patches
        if bar.get_facecolor()[:3]
        == pytest.approx([int(ORANGE[at : at + 2], 16) / 255 for at in (1, 3, 5)])
    ]
    assert marked == [seen["issue"]]


def test_a_tick_stays_where_the_rung_stood():
    before, after = {"one": TOLD}, {"one": replace(TOLD, up=1e-4)}
    picture = what_if_picture(before, after, "wire × 4")
    assert picture.alt.startswith("wire × 4: forecasts of 1 rungs")
    (tick,) = picture.figure.axes[0].lines
    assert tuple(tick.get_xdata()) == pytest.approx([TOLD.total * 1e3] * 2)
    (said,) = picture.figure.axes[0].texts
    assert said.get_text().endswith(f"{TOLD.total / after['one'].total:.2f} times as fast")
