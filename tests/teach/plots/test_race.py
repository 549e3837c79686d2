"""The leaderboard picture, from times that are made up."""

import numpy as np
import pytest

from convladder.measure import Comparison, Timing
from convladder.teach.plots.common import race_picture

from ..artists import drawn


def made_up(**seconds):
    timings = {name: Timing(s, 0.9 * s, 1.1 * s, 3, 1) for name, s in seconds.items()}
    return Comparison(timings, {name: (s, s, s) for name, s in seconds.items()})


def test_words_do_not_tell_who_was_faster():
    one, other = made_up(mine=1.0, theirs=2.0), made_up(theirs=1.0, mine=2.0)
    for comparison in (one, other):
        alt = race_picture(comparison, "theirs").alt
        assert alt == "Times of functions that do the same work: mine, theirs."


def test_picture_does():
    one, other = made_up(a=1.0, b=2.0), made_up(a=2.0, b=1.0)
    assert drawn(race_picture(one, "a")) != drawn(race_picture(other, "a"))


def test_one_contestant_has_a_bar_no_thicker_than_its_row():
    for comparison in (made_up(a=1.0), made_up(a=1.0, b=2.0)):
        ax = race_picture(comparison, "a").figure.axes[0]
        assert ax.patches[0].get_height() <= 0.62 * abs(np.diff(ax.get_ylim())[0]) / 1.2


def test_a_mark_that_did_not_take_part_is_refused():
    with pytest.raises(ValueError, match="'b' did not take part; there are a"):
        race_picture(made_up(a=1.0), "b")
