"""What several chapters draw: ladders, rooflines, maps, predictions."""

import numpy as np
import pytest

from convladder import REPORT
from convladder.bench.result import Result
from convladder.measure import Timing
from convladder.teach import photo
from convladder.teach.plots import predictions_picture
from convladder.teach.plots.common import (
    ladder_picture,
    maps_picture,
    roofline_picture,
)


def result(method, seconds, disturbed=False):
    timing = Timing(seconds, 0.9 * seconds, 1.2 * seconds, 5, 2, disturbed)
    return Result(method, REPORT, timing, limit=2e11, workspace=0)


class Roof:
    flops_per_s, bytes_per_s, threads, ridge = 2e11, 2e10, 2, 10.0

    def attainable(self, intensity):
        return min(self.flops_per_s, self.bytes_per_s * intensity)


def test_a_disturbed_rung_says_so_once(figures):
    ladder_picture([result("loops_numba", 60.0, True), result("microkernel", 0.05)])
    time, _ = figures[0].axes
    assert [note.get_text().count("(disturbed)") for note in time.texts] == [1, 0]


def test_a_roofline_refuses_what_a_log_scale_cannot_hold():
    for point in (("a", 0.0, 1e9), ("a", 1.0, 0.0)):
        with pytest.raises(ValueError, match="point 'a'"):
            roofline_picture(Roof(), [point])


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
