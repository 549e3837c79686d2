"""The pictures of chapter 03: what they mark is what MEC does."""

import itertools

import pytest
from matplotlib.colors import to_hex

from convladder import REPORT
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


def test_overrun_counts_what_lies_past_the_end(figures):
    picture = mec.last_partition_picture(REPORT, rows=224)
    notes = [text.get_text() for text in figures[0].axes[0].texts if "too far" in text.get_text()]
    assert notes == ["21 values too far", "42 values too far"]
    assert "The last 2 of them" in picture.alt
    mec.last_partition_picture(REPORT, rows=226)
    assert not [t for t in figures[1].axes[0].texts if t.get_color() == ORANGE]
