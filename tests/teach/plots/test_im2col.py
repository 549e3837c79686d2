"""Chapter 01: windows as rows, the running sum, shapes, bytes and gains."""

import pytest

from convladder import REPORT
from convladder.core.problem import ConvProblem
from convladder.teach import photo
from convladder.teach.plots import im2col

<<<<<<< HEAD
=======

def test_the_four_sums_are_the_convolution_and_differ():
    problem = ConvProblem(1, 4, 4, 1, 3, 3, 1)
    x, w = im2col.IMAGE[None, :, :, None], im2col.KERNEL[:, :, None, None]
    right = conv2d_float64(x, w, problem).ravel()
    assert len(set(right)) == 4
    for window, value in enumerate(right):
        assert im2col.im2col_picture(window, 9).alt.endswith(f"its sum is {value:g}.")

>>>>>>> b2e8be9a176414105e2a2f8a9774e74b53fa0f6b

def test_words_say_sizes():
    picture = photo(224)
    assert "48400 windows by 147 values" in im2col.shapes_picture(REPORT, picture).alt
    assert "47 copies of the image" in im2col.areas_picture(REPORT, picture).alt


def test_no_axis_is_refused():
    with pytest.raises(ValueError, match="sweep is empty"):
        im2col.channel_gain_picture({})
