"""The picture of a record: every layer of every run, with machine and date."""

import pytest

from convladder.teach.plots.microkernel import recorded_picture

from .test_cpu import RUN, made, record

TWO = {"a": made(threads=2, ours=1.25, torch=1.0, onnxruntime=5.0)}


def test_machine_date_and_runs_are_written_on_it(figures):
    alt = recorded_picture(record(RUN, TWO)).alt
    assert alt == (
        "Some CPU, AVX2, 2 cores, recorded 2026-01-02, 1 thread, 2 threads: the "
        "microkernel's share of the peak, and the times of torch and onnxruntime over "
        "its own, on a, b, c."
    )
    (fig,) = figures
    assert fig.get_suptitle() == "Some CPU, AVX2, 2 cores, recorded 2026-01-02"
    assert [ax.get_title("left") for ax in fig.axes[::2]] == ["1 thread", "2 threads"]


def test_bars_are_shares_and_marks_are_ratios(figures):
    recorded_picture(record(RUN, TWO))
    left, right, below, beside = figures[0].axes
    assert [bar.get_width() for bar in left.patches] == pytest.approx([0.5, 0.25, 0.125])
    assert [tick.get_text() for tick in left.get_yticklabels()] == ["a", "b", "c"]
    assert left.yaxis_inverted()
    marks = {line.get_label(): list(line.get_xdata()) for line in right.lines[:1]}
    assert marks == {"torch": [2.0, 1.0, 2.0]}
    marks = {line.get_label(): list(line.get_xdata()) for line in beside.lines[:2]}
    assert marks == {"torch": [0.8], "onnxruntime": [4.0]}
    assert right.get_xlim() == beside.get_xlim()
    assert right.get_xlim()[0] < 0.8 and right.get_xlim()[1] > 4
    assert [ax.get_xlabel() for ax in (left, below)] == ["", "share of the measured FMA peak"]


def test_a_record_without_libraries_shows_the_shares_alone():
    picture = recorded_picture(record({"a": made(ours=1.25)}))
    assert picture.alt.endswith("1 thread: the microkernel's share of the peak, on a.")
