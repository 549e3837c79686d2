"""What a learner sees of their own: the first digits, and predictions."""

import numpy as np
import pytest

from convladder.teach.plots import digits_picture, predictions_picture


def texts(ax):
    return [each.get_text() for each in ax.texts]


def test_digits_stand_with_what_was_read_and_bars_are_to_scale():
    images = np.random.default_rng(0).integers(0, 256, (100, 28, 28), np.uint8)
    picture = digits_picture(images, np.arange(100) % 10, 98, 0.5, 1500.0)
    top, below = picture.figure.axes
    assert texts(top)[:12] == [str(n % 10) for n in range(12)]
    assert top.get_title(loc="left").startswith("100 digits read in 500 ms, 98.0% of them right")
    assert [bar.get_width() for bar in below.patches] == [0.5, 1500.0]
    assert texts(below) == [" 500 ms", " 25 minutes"]
    shown = top.images[0].get_array()
    assert np.array_equal(shown[:28, 38:66], 255 - images[1]), "the second tile is the second digit"


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
