"""Chapter 01: windows as rows, the running sum, shapes, bytes and gains."""

import pytest

from convladder import REPORT
from convladder.core import conv2d_float64
from convladder.core.problem import ConvProblem
from convladder.measure import Comparison, Timing
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


def made_up(**seconds):
    timings = {name: Timing(s, 0.9 * s, 1.1 * s, 3, 1) for name, s in seconds.items()}
    return Comparison(timings, {name: (s, s, s) for name, s in seconds.items()})


def sweep(copy=0.5):
    problems = {k: ConvProblem(1, 9, 9, 1, k, k, 2) for k in (1, 3)}
    return {
        "kernel": {
            k: (problem, made_up(loops=10.0 * k, im2col=2.0, copy=copy, multiply=1.0))
            for k, problem in problems.items()
        }
    }


def test_no_axis_is_refused():
    with pytest.raises(ValueError, match="sweep is empty"):
        im2col.channel_gain_picture({})
