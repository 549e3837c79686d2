"""The model of a shared core: what each clock says adds up, and the picture says it."""

import pytest
from matplotlib.colors import to_hex

from convladder.teach.plots import side_by_side_picture
from convladder.teach.plots.style import BLUE, ORANGE
from convladder.teach.plots.threads import LONG, SHORT, SLICE, wall_ms

from ..artists import drawn


@pytest.mark.parametrize(
    "work, others, expected",
    [(12, 0, 12), (12, 1, 21), (12, 3, 39), (1, 3, 1), (3, 5, 3), (4, 1, 7)],
)
def test_the_wall_clock_counts_the_slices_of_others_in_between(work, others, expected):
    assert wall_ms(work, others) == expected
    assert wall_ms(work, others) == work + others * SLICE * len(range(SLICE, work, SLICE))


@pytest.mark.parametrize("others", [0, 1, 4])
def test_bars_of_ours_are_the_work_by_our_own_clock(others):
    picture = side_by_side_picture(others)
    (ax,) = picture.figure.axes
    ours = [
        bar for bar in ax.patches if to_hex(bar.get_facecolor()) in (BLUE.lower(), ORANGE.lower())
    ]
    assert sum(bar.get_width() for bar in ours) == 2 * (LONG + SHORT)
    right = max(bar.get_x() + bar.get_width() for bar in ax.patches)
    assert right == max(wall_ms(LONG, others), LONG + SHORT + 2 * SLICE * bool(others))
    assert f"ends after {wall_ms(LONG, others)} ms" in picture.alt
    assert f"{wall_ms(LONG, others)} by the wall clock" in ax.get_title(loc="left")
    assert drawn(picture)
