"""The two pictures that stand for the whole course."""

import numpy as np
import pytest
from matplotlib.text import Text

from convladder import REPORT
from convladder.bench.result import Result
from convladder.measure import Roofline, Timing
from convladder.teach.plots.common import ladder_picture, roofline_picture


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


def test_ladder_labels_every_rung_in_order(figures):
    picture = ladder_picture([result("loops", 60.0, 0), result("im2col", 0.045, 28449792)])
    time, memory = figures[0].axes
    assert [tick.get_text() for tick in time.get_yticklabels()] == ["loops", "im2col"]
    assert time.yaxis_inverted() and time.get_xscale() == "log"
    assert texts(time)[0].startswith("60.0 s  ·  15.")
    assert texts(time)[0].endswith("under 0.1 % of the limit")
    assert texts(memory) == ["none", "27.13 MiB"]
    assert [bar.get_x() + bar.get_width() for bar in time.patches] == pytest.approx([60, 0.045])
    assert picture.alt == f"Time and workspace of 2 methods for {REPORT}: loops, im2col."


def test_a_disturbed_rung_says_so_once_and_stays_clear_of_the_memory(figures):
    ladder_picture([result("loops_numba", 60.0, 0, True), result("microkernel", 0.05, 0)])
    time, memory = figures[0].axes
    figures[0].draw_without_rendering()
    assert [text.count("(disturbed)") for text in texts(time)] == [1, 0]
    assert time.texts[0].get_window_extent().x1 < memory.get_window_extent().x0


def test_ladder_of_one_rung_has_a_scale_and_none_is_refused(figures):
    ladder_picture([result("im2col", 0.045, 0)])
    assert [t.get_text() for t in figures[0].axes[0].get_xticklabels()] == ["10 ms"]
    with pytest.raises(ValueError, match="results is empty"):
        ladder_picture([])


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


def test_a_label_leads_to_its_point_where_layers_of_one_network_crowd(figures):
    crowd = {
        "conv1_2": (143, 50.2),
        "conv2_2": (277, 72.1),
        "conv3_2": (423, 85.8),
        "conv4_2": (293, 94.6),
        "conv5_2": (90, 85.9),
        "deep": (261, 88.9),
    }
    roofline_picture(
        Roofline(116e9, 28.9e9, 1), [(name, x, rate * 1e9) for name, (x, rate) in crowd.items()]
    )
    ax = figures[0].axes[0]
    ax.figure.draw_without_rendering()
    marks = {name: ax.transData.transform((x, rate * 1e9)) for name, (x, rate) in crowd.items()}
    for note in (note for note in ax.texts if note.get_text() in crowd):
        box, own = Text.get_window_extent(note), note.get_text()
        end = (box.x0 if note.get_ha() == "left" else box.x1, (box.y0 + box.y1) / 2)
        apart = {name: np.hypot(*(mark - end)) for name, mark in marks.items()}
        assert note.arrow_patch or min(apart, key=apart.get) == own, f"{own} seems another's"


def test_roofline_stands_without_points_and_refuses_what_a_log_scale_cannot_hold():
    assert roofline_picture(Roof()).alt == "The roofline of this machine."
    for point in (("a", 0.0, 1e9), ("a", 1.0, 0.0)):
        with pytest.raises(ValueError, match="point 'a'"):
            roofline_picture(Roof(), [point])
