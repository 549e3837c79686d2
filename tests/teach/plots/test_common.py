"""What several chapters draw: ladders, rooflines, races, predictions."""

import numpy as np
import pytest

from convladder import REPORT
from convladder.bench.result import Result
from convladder.measure import Comparison, Timing
from convladder.teach import photo
from convladder.teach.plots import predictions_picture
from convladder.teach.plots.common import (
    ladder_picture,
    maps_picture,
    race_picture,
    roofline_picture,
)

from ..artists import drawn


def result(method, seconds, workspace, disturbed=False):
    timing = Timing(
        median=seconds,
        low=0.9 * seconds,
        high=1.2 * seconds,
        runs=5,
        threads=2,
        disturbed=disturbed,
    )
    return Result(
        method,
        REPORT,
        timing,
        limit=2e11,
        workspace=workspace,
        predicted_workspace=workspace,
        error=0.0,
    )


class Roof:
    flops_per_s, bytes_per_s, threads, ridge = 2e11, 2e10, 2, 10.0

    def attainable(self, intensity):
        return min(self.flops_per_s, self.bytes_per_s * intensity)


def texts(ax):
    return [note.get_text() for note in ax.texts]


def test_a_disturbed_rung_says_so_once(figures):
    ladder_picture([result("loops_numba", 60.0, 0, True), result("microkernel", 0.05, 0)])
    time, _ = figures[0].axes
    assert [text.count("(disturbed)") for text in texts(time)] == [1, 0]


def test_roofline_places_points_under_the_roof(figures):
    picture = roofline_picture(Roof(), [("conv", 50.0, 1e11), ("relu", 0.125, None)])
    ax = figures[0].axes[0]
    dots = {
        tuple(line.get_xydata()[0]): line.get_markerfacecolor()
        for line in ax.lines
        if line.get_marker() == "o"
    }
    assert dots == {(50.0, 1e11): "#D55E00", (0.125, 2.5e9): "white"}
    assert {"conv", "relu", "ridge 10.0 FLOP/byte"} <= set(texts(ax))
    assert "multiply-add peak 200 GFLOP/s, 2 threads" in texts(ax)
    assert picture.alt == "The roofline of this machine with 2 points: conv, relu."
    left, right = ax.get_xlim()
    assert left < 0.125 and right > 50


def test_roofline_stands_without_points_and_refuses_what_a_log_scale_cannot_hold():
    assert roofline_picture(Roof()).alt == "The roofline of this machine."
    for point in (("a", 0.0, 1e9), ("a", 1.0, 0.0)):
        with pytest.raises(ValueError, match="point 'a'"):
            roofline_picture(Roof(), [point])


def made_up(**seconds):
    timings = {name: Timing(s, 0.9 * s, 1.1 * s, 3, 1) for name, s in seconds.items()}
    return Comparison(timings, {name: (s, s, s) for name, s in seconds.items()})


def test_picture_does():
    one, other = made_up(a=1.0, b=2.0), made_up(a=2.0, b=1.0)
    assert drawn(race_picture(one, "a")) != drawn(race_picture(other, "a"))


def test_a_mark_that_did_not_take_part_is_refused():
    with pytest.raises(ValueError, match="'b' did not take part; there are a"):
        race_picture(made_up(a=1.0), "b")


def test_a_map_of_zeros_is_drawn():
    picture = maps_picture(photo(16, grey=True), {"flat": np.zeros((4, 4))})
    assert picture.width > 0 and picture.alt == "A photograph and 1 filtered image of it: flat."


def test_predictions_are_points_and_the_near_ones_are_counted():
    picture = predictions_picture([(50, 3770), (3, 3.1), (4, 2)])
    (ax,) = picture.figure.axes
    assert ax.collections[-1].get_offsets().tolist() == [[3770, 50], [3.1, 3], [2, 4]]
    assert picture.alt.endswith("3 predictions against what was measured: 2 within a factor of 2.")
    low, high = ax.get_xlim()
    assert low < 2 and high > 3770 and ax.get_ylim() == (low, high)


def test_nothing_to_draw_is_an_error():
    with pytest.raises(ValueError, match="no pair to draw"):
        predictions_picture([])
