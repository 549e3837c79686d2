"""Chapter 01: windows as rows, the running sum, shapes, bytes and gains."""

import numpy as np

from convladder import REPORT
from convladder.core import conv2d_float64
from convladder.core.problem import ConvProblem
from convladder.teach import photo
from convladder.teach.plots import im2col

from ..artists import drawn


def test_each_window_and_each_step_of_its_sum_has_a_picture_of_its_own():
    states = [(window, 9) for window in range(4)] + [(2, weights) for weights in range(9)]
    assert len({drawn(im2col.im2col_picture(*state)) for state in states}) == len(states)


def test_the_four_sums_are_the_convolution_and_differ():
    problem = ConvProblem(1, 4, 4, 1, 3, 3, 1)
    x, w = im2col.IMAGE[None, :, :, None], im2col.KERNEL[:, :, None, None]
    right = conv2d_float64(x, w, problem).ravel()
    assert len(set(right)) == 4
    for window, value in enumerate(right):
        assert im2col.im2col_picture(window, 9).alt.endswith(f"its sum is {value:g}.")


def test_words_say_sizes():
    picture = photo(224)
    assert "48400 windows by 147 values" in im2col.shapes_picture(REPORT, picture).alt
    assert "47 copies of the image" in im2col.areas_picture(REPORT, picture).alt


def test_gains_and_the_fee_are_drawn():
    gains = {1: 2.0, 8: 9.0, 60: 30.0}
    one = im2col.gain_picture(gains, first_formula=lambda k: 10.0)
    two = im2col.gain_picture(gains, first_formula=lambda k: 10.0, mended_formula=lambda k: k)
    assert drawn(one) != drawn(two) and "mended formula" in two.alt
    assert np.isfinite(im2col.fee_picture({8: 0.01, 60: 0.02}, 0.008, 2e-4).width)
