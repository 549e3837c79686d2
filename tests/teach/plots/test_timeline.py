"""A profile as a picture."""

import pytest
from matplotlib.patches import Patch

from convladder.measure.cuda.profile import Activity
from convladder.teach.plots import profiling
from convladder.teach.plots.profiling import timeline_picture

from ..artists import drawn

EVENTS = [
    Activity("call", "cudaMemcpyAsync", 0, 2000),
    Activity("upload", "[CUDA memcpy HtoD, pinned]", 1000, 9000, 1),
    Activity("kernel", "lenet", 9000, 30_000, 2),
]


def test_a_row_for_the_host_and_for_each_stream():
    assert "the host and each of 2 streams" in timeline_picture(EVENTS, "one").alt
    assert "a row for each of 2 streams" in timeline_picture(EVENTS, "one", calls=False).alt
    # Rows stay where they are, whatever part of the run is looked at.
    assert "the host and each of 2 streams" in timeline_picture(EVENTS, "one", first=20).alt
    assert drawn(timeline_picture(EVENTS, "one", 40, 50)) != drawn(timeline_picture(EVENTS, "one"))


@pytest.mark.parametrize("names, more", [(7, None), (9, "and 2 more, colours again")])
def test_colours_that_come_again_are_said(names, more, monkeypatch):
    labels = []
    monkeypatch.setattr(
        profiling, "Patch", lambda label, **rest: labels.append(label) or Patch(label=label, **rest)
    )
    timeline_picture([Activity("kernel", f"k{n}", 10 * n, 10 * n + 9, 1) for n in range(names)], "")
    assert labels == [f"k{n}" for n in range(7)] + [more] * (more is not None)


@pytest.mark.parametrize("window", [(5, 5), (10, 4), (40, None)])
def test_a_window_of_no_time_is_said(window):
    with pytest.raises(ValueError, match="is no time; the run ends after 30 µs"):
        timeline_picture(EVENTS, "one", *window)


def test_nothing_at_all():
    with pytest.raises(ValueError, match="no events to draw"):
        timeline_picture([], "none")
    with pytest.raises(ValueError, match="no events to draw"):
        timeline_picture(EVENTS[:1], "calls only", calls=False)
