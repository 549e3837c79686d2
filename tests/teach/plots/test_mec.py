"""The pictures of chapter 03: what they mark is what MEC does."""

import itertools

import numpy as np
import pytest
from matplotlib.colors import to_hex

from convladder import PAPER, REPORT, ConvProblem
from convladder.teach.plots import mec
from convladder.teach.plots.style import BLUE, GREEN, ORANGE, SKY

from ...sampling import sampled


def cells(fig, colours):
    """How many cells of the page are filled in one of `colours`."""
    wanted = {colour.lower() for colour in colours}
    return sum(
        to_hex(patch.get_facecolor()) in wanted and patch.get_width() == 1
        for patch in fig.axes[0].patches
    )


def words(fig):
    return " ".join(text.get_text() for ax in fig.axes for text in ax.texts)


@pytest.mark.parametrize(
    "s_h, k_h", sampled(list(itertools.product([1, 2, 3], [3, 1, 2, 5])), 2, str)
)
def test_partition_marks_what_it_holds_and_shares(figures, s_h, k_h):
    o_h = (7 - k_h) // s_h + 1
    read = {s_h * h + a for h in range(o_h) for a in range(k_h)}
    for h in (0, 1, 6):
        at = min(h, o_h - 1)
        mec.mec_partition_picture(h, s_h, k_h)
        shared = max(0, k_h - s_h) if at < o_h - 1 else 0
        assert cells(figures[-1], [BLUE]) == 7 * shared + 5 * 3 * shared
        assert cells(figures[-1], [SKY]) == (7 + 5 * 3) * (k_h - shared)
        assert cells(figures[-1], [GREEN]) == 5
        hatched = [patch for patch in figures[-1].axes[0].patches if patch.get_hatch()]
        assert len(hatched) == 2 * (7 - len(read))
        assert f"partition {at} is columns {3 * s_h * at}" in words(figures[-1])


def test_row_and_partition_cross_in_the_window_that_is_filled(figures):
    image, L = np.zeros((20, 30)), np.zeros((24, 20, 7))
    mec.lowered_photo_picture(image, L, w=5, h=8)
    above, below = figures[-1].axes
    window, crossing = (
        next(patch for patch in ax.patches if to_hex(patch.get_facecolor()) == SKY.lower())
        for ax in (above, below)
    )
    assert (window.get_xy(), window.get_width(), window.get_height()) == ((5, 8), 7, 7)
    assert crossing.get_x() == 8 * 7 and crossing.get_width() == 49
    assert crossing.get_y() <= 5 < crossing.get_y() + crossing.get_height()
    assert "column 8·7 = 56" in words(figures[-1])


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
