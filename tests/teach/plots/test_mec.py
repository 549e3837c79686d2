"""The pictures of chapter 03: what they mark is what MEC does."""

import itertools

import numpy as np
import pytest
from matplotlib.colors import to_hex

from convladder import PAPER, REPORT, ConvProblem
from convladder.cpu import mec as method
from convladder.teach import explore
from convladder.teach.plots import common, mec
from convladder.teach.plots.style import GREEN, ORANGE, SKY, YELLOW

from ...sampling import sampled
from ..artists import drawn


def cells(fig, colours):
    """How many cells of the page are filled in one of `colours`."""
    wanted = {colour.lower() for colour in colours}
    return sum(
        to_hex(patch.get_facecolor()) in wanted and patch.get_width() == 1
        for patch in fig.axes[0].patches
    )


def words(fig):
    return " ".join(text.get_text() for ax in fig.axes for text in ax.texts)


@pytest.mark.parametrize("s_w, k_w", sampled(list(itertools.product([1, 2], [3, 2, 1])), 3, str))
def test_lowering_marks_a_strip_and_fills_l_row_by_row(figures, s_w, k_w):
    o_w = (7 - k_w) // s_w + 1
    for w in (0, 2, 6):
        row = min(w, o_w - 1)
        mec.mec_picture(w, s_w, k_w)
        assert cells(figures[-1], [SKY]) == 2 * 7 * k_w  # in the image and in L
        digits = sum(
            text.get_text().isdigit() and len(text.get_text()) == 2
            for text in figures[-1].axes[0].texts
        )
        assert digits == 49 + (row + 1) * 7 * k_w
        assert (f"There is no row {w}" in words(figures[-1])) == (w > row)


def test_first_pictures_say_what_the_paper_says(figures):
    assert mec.mec_picture(0).alt == (
        "A 7×7 image with columns 0 to 2 marked, and the 5×21 matrix L, in which row 0 holds "
        "that strip."
    )
    assert mec.mec_partition_picture(4).alt == (
        "The matrix L, 5×21, with partition 4 marked: columns 12 to 20, which hold image rows "
        "4 to 6 and give output row 4."
    )


@pytest.mark.parametrize(
    "s_h, k_h", sampled(list(itertools.product([1, 2, 3], [3, 1, 2, 5])), 4, str)
)
def test_partition_marks_what_it_holds_and_shares(figures, s_h, k_h):
    o_h = (7 - k_h) // s_h + 1
    read = {s_h * h + a for h in range(o_h) for a in range(k_h)}
    for h in (0, 1, 6):
        at = min(h, o_h - 1)
        mec.mec_partition_picture(h, s_h, k_h)
        shared = max(0, k_h - s_h) if at < o_h - 1 else 0
        assert cells(figures[-1], [YELLOW]) == 7 * shared + 5 * 3 * shared
        assert cells(figures[-1], [SKY]) == (7 + 5 * 3) * (k_h - shared)
        assert cells(figures[-1], [GREEN]) == 5
        hatched = [patch for patch in figures[-1].axes[0].patches if patch.get_hatch()]
        assert len(hatched) == 2 * (7 - len(read))
        assert f"s_h·h·k_w = {s_h}·{at}·3 = {3 * s_h * at}" in words(figures[-1])


@pytest.mark.parametrize(
    "draw, controls",
    sampled(
        [
            (mec.mec_picture, {"w": (0, 6), "s_w": [1, 2], "k_w": [3, 2, 1]}),
            (mec.mec_partition_picture, {"h": (0, 6), "s_h": [1, 2, 3], "k_h": [3, 1, 2, 5]}),
        ],
        1,
        lambda each: each[0].__name__,
    ),
)
def test_each_control_of_the_widgets_changes_the_picture(draw, controls):
    explorer = explore(draw, **controls)
    for name, values in controls.items():
        control, seen = explorer.controls[name], set()
        start = control.value
        for value in range(values[0], values[1] + 1) if isinstance(values, tuple) else values:
            control.value = value
            assert explorer.note.value == "", (name, value)
            seen.add(drawn(explorer.picture))
        assert len(seen) >= 2
        control.value = start


def test_overrun_counts_what_lies_past_the_end(figures):
    picture = mec.last_partition_picture(REPORT, rows=224)
    notes = [text.get_text() for text in figures[0].axes[0].texts if "too far" in text.get_text()]
    assert notes == ["21 values too far", "42 values too far"]
    assert "The last 2 of them" in picture.alt
    mec.last_partition_picture(REPORT, rows=226)
    assert not [t for t in figures[1].axes[0].texts if t.get_color() == ORANGE]


def test_ratios_are_those_of_the_problem_and_layers_stand_in_their_cells(figures):
    mec.mec_ratio_picture(i_h=224, layers=PAPER)
    shown = words(figures[0])
    assert f"{ConvProblem(1, 224, 224, 1, 7, 1, 1, stride=(2, 1)).mec_ratio:.2f}" in shown
    for label in ("cv6–12", "cv5", "cv3,4", "cv1,2"):
        assert label in shown
    stair = figures[0].axes[0].lines[0].get_xydata().tolist()
    assert stair[:4] == [[1, 0], [1, 1], [2, 1], [2, 2]]  # k_h = s_h lies left of the line


def test_split_bars_add_up(figures):
    mec.time_split_picture([("cv1", 1e-3, 3e-3, 5e-4, 5.5e-3)])
    bars = figures[0].axes[0].patches
    assert [bar.get_x() for bar in bars] == pytest.approx([0, 0.25, 0, 0.125])
    assert [bar.get_width() for bar in bars] == pytest.approx([0.25, 0.75, 0.125, 1.375])
    assert words(figures[0]) == "4.00 ms 6.00 ms"


def test_order_is_by_row_above_and_by_image_below(figures):
    mec.mec_order_picture(i_n=2, o_h=2)
    labels = [text.get_text() for text in figures[0].axes[0].texts]
    assert [label for label in labels if label.startswith("n=")] == [
        "n=0\nh=0",
        "n=1\nh=0",
        "n=0\nh=1",
        "n=1\nh=1",
        "n=0\nh=0",
        "n=0\nh=1",
        "n=1\nh=0",
        "n=1\nh=1",
    ]


def test_batch_picture_shows_ratio_and_choice_of_each_cell(figures):
    ratios = {(5, 2): 1.5, (5, 8): 3.0, (111, 2): 0.8, (111, 8): 1.0}
    rule = {cell: "A" if cell[0] == 5 else "B" for cell in ratios}
    picture = mec.mec_batch_picture(ratios, rule)
    assert [text.get_text() for text in figures[0].axes[0].texts] == [
        "1.50\npaper's rule: A",
        "0.80\npaper's rule: B",
        "3.00\npaper's rule: A",
        "1.00\npaper's rule: B",
    ]
    assert "batches of 2, 8 and output widths of 5, 111" in picture.alt


def test_lowered_photo_and_leaderboard_name_what_they_show(figures):
    image = np.linspace(0, 1, 20 * 12, dtype=np.float32).reshape(1, 20, 12, 1)
    L = method.lower(image, ConvProblem(1, 20, 12, 1, 3, 3, 1))[0, ..., 0]
    picture = mec.lowered_photo_picture(image[0, ..., 0], L, w=4)
    assert "10 rows and 60 columns" in picture.alt and "20·3 = 60" in words(figures[0])
    strip = figures[0].axes[0].patches[0]
    assert (strip.get_x(), strip.get_width(), strip.get_height()) == (4, 3, 20)
    common.leaderboard_picture([("im2col", 0.02, 2**24), ("mine", 0.01, 2**20)], yours="mine")
    markers = [line.get_marker() for line in figures[1].axes[0].lines]
    assert markers == ["o", "D"]
    assert "mine: 10.0 ms, 1.00 MiB" in words(figures[1])
