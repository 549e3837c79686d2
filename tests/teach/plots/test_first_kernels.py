"""Chapters 07 and 08: a launch's threads, its costs, and who works when."""

import itertools
from math import isnan

import numpy as np
import pytest
from matplotlib.colors import to_rgb

from convladder.teach.plots import first_kernels
from convladder.teach.plots.first_kernels import ARITHMETIC, LOAD, issue_share, issue_slots, staged
from convladder.teach.plots.style import ORANGE

BLOCKS = ["8 x 2", "11 x 1"]


def filled(ax, colour):
    """The (row, column) of the cells of an axis filled in `colour`."""
    cells = np.asarray(ax.collections[0].get_array())
    return {
        (int(row), int(column))
        for row, column in zip(*np.nonzero((cells == to_rgb(colour)).all(axis=-1)))
    }


@pytest.mark.parametrize("block", BLOCKS)
def test_every_pixel_has_one_thread_and_each_thread_its_window(figures, block):
    across, down = map(int, block.split(" x "))
    blocks = -(-first_kernels.O_W // across) * -(-first_kernels.O_H // down)
    made = []
    places = itertools.product((0, blocks // 2, blocks - 1), (0, across * down - 1))
    for number, thread in places:
        alt = first_kernels.thread_grid_picture(block, number, thread).alt
        left, right = figures.pop().axes
        (pixel,) = filled(right, ORANGE)
        h, v = pixel
        assert f"h = {h}, v = {v}," in alt
        inside = h < first_kernels.O_H and v < first_kernels.O_W
        window = {(h + a, v + b) for a in range(first_kernels.K) for b in range(first_kernels.K)}
        assert filled(left, ORANGE) == (window if inside else set())
        made.append(pixel)
    assert len(set(made)) == len(made)


KERNEL = {"returns": [2e-6] * 3, "done": [9e-6] * 3, "events": [4e-6] * 3, "bytes": 8_000_000}
RECORD = {
    "date": "2026-11-21",
    "card": {"gpu": "NVIDIA Test"},
    "empty": {"returns": [2e-6] * 3, "done": [8e-6] * 3, "in_a_row": 1.5e-6, "waiting": 6.9e-6},
    "copy_bytes_per_s": 4e12,
    "kernels": dict.fromkeys(("im2col's lowering", "MEC's lowering"), KERNEL),
}


def test_a_live_run_comes_first_and_is_told_apart(monkeypatch):
    monkeypatch.setattr("convladder.cuda.gpu", lambda: True)
    monkeypatch.setattr("convladder.gpu.first_kernels.report_kernels", dict)
    monkeypatch.setattr(first_kernels, "measure", lambda: RECORD)
    monkeypatch.setattr(first_kernels, "load_records", lambda kind: [RECORD])
    assert list(first_kernels.launch_runs()) == [
        "NVIDIA Test, here",
        "NVIDIA Test, recorded 2026-11-21",
    ]


def test_shares_of_time_and_of_a_copy():
    runs = {"a GPU": RECORD}
    told = first_kernels.overhead_sentence(runs, launches=2, seconds=0.690e-3)
    assert "13.8 µs, 2.0% of 690 µs" in told
    assert first_kernels.lowering_table(runs).cells[0][2:] == [
        "7.63 MiB", "4.00 µs", "2,000 GB/s", "50%",
    ]  # fmt: skip


def test_without_any_record_each_says_so():
    for made in (
        first_kernels.costs_table,
        first_kernels.stopwatch_table,
        first_kernels.lowering_table,
    ):
        assert made({}).caption == first_kernels.absent("launches")
    assert first_kernels.overhead_sentence({}, 2, 1e-3) == first_kernels.absent("launches")
    assert isnan(first_kernels.microseconds({}, "the call returns after"))


@pytest.mark.parametrize(
    "warps, wait, arithmetic",
    [(3, 16, 3), (5, 16, 3), (16, 32, 1), (2, 0, 1)],
)
def test_slots_used_in_the_long_run(warps, wait, arithmetic):
    clocks, warm = 900, 200
    told = issue_slots(warps, wait, arithmetic, warm + clocks)
    used = sum(
        any(row[clock] in (LOAD, ARITHMETIC) for row in told)
        for clock in range(warm, warm + clocks)
    )
    assert used / clocks == pytest.approx(issue_share(warps, wait, arithmetic), abs=0.02)


def test_one_instruction_a_clock_and_none_before_its_value():
    told = issue_slots(4, 8, 2, 200)
    for clock in range(200):
        assert sum(row[clock] in (LOAD, ARITHMETIC) for row in told) <= 1
    for row in told:
        loads = [clock for clock, state in enumerate(row) if state == LOAD]
        assert all(ARITHMETIC not in row[at + 1 : at + 9] for at in loads)
        issued = [state for state in row if state in (LOAD, ARITHMETIC)]
        assert issued[:6] == [LOAD, ARITHMETIC, ARITHMETIC] * 2


@pytest.mark.parametrize(
    "stages, copy, compute", [(2, 4, 2), (3, 4, 2), (4, 6, 2), (2, 1, 3), (5, 8, 1)]
)
def test_the_longer_of_arithmetic_and_the_shared_wait_sets_the_pace(stages, copy, compute):
    """A slice is asked for `stages - 1` slices ahead."""
    done = staged(stages, copy, compute, 80)
    pace = (done[-1].ends - done[-41].ends) / 40
    assert pace == pytest.approx(max(compute, copy / (stages - 1)), rel=0.05)


def test_a_slice_is_there_before_it_is_used_and_its_place_is_free():
    for stages in (1, 2, 3):
        done = staged(stages, 5, 2)
        for number, each in enumerate(done):
            assert each.begins >= each.there == each.issued + 5
            if number >= stages:
                assert each.issued >= done[number - stages].ends
