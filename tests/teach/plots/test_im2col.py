"""Chapter 01: a window and its column, and the gain of im2col."""

import numpy as np
import pytest

from convladder import ConvProblem
from convladder.measure import Comparison, Timing
from convladder.teach.plots.im2col import channel_gain_picture, im2col_picture

from ..artists import drawn

EDGE = np.array([[1, 0, -1]] * 3, np.float32).reshape(3, 3, 1, 1)


def counting(i_h, i_w, i_c=1):
    return np.arange(1, i_h * i_w * i_c + 1, dtype=np.float32).reshape(1, i_h, i_w, i_c)


def test_each_window_and_each_weight_has_a_picture_of_its_own():
    x = counting(4, 4)
    problem = ConvProblem.from_arrays(x, EDGE)
    states = [(column, 0) for column in range(4)] + [(3, row) for row in range(1, 9)]
    pictures = {drawn(im2col_picture(x, EDGE, problem, *state)) for state in states}
    assert len(pictures) == len(states)


@pytest.mark.parametrize("stride", [1, 2])
@pytest.mark.parametrize("padding", [0, 1])
def test_windows_move_under_every_stride_and_padding(stride, padding):
    x = counting(5, 5)
    problem = ConvProblem.from_arrays(x, EDGE, stride=stride, padding=padding)
    last = problem.pixels - 1
    alts = [im2col_picture(x, EDGE, problem, column).alt for column in (0, 1, last, last + 1)]
    assert len(set(alts)) == 3
    assert alts[3] == alts[0], "after the last window comes the first"


def test_words_say_where_the_window_is():
    x = counting(5, 5)
    alt = im2col_picture(x, EDGE, ConvProblem.from_arrays(x, EDGE, stride=2, padding=1), 5).alt
    assert alt == (
        "Window 5 of 9, at row 2 and column 4 of the padded image, is column 5 of the "
        "im2col matrix, which has 9 rows × 9 columns."
    )


@pytest.mark.parametrize(
    "problem",
    [
        ConvProblem(1, 9, 9, 1, 3, 3, 1),
        ConvProblem(1, 5, 5, 3, 3, 3, 1),
        ConvProblem(2, 4, 4, 1, 3, 3, 1),
    ],
)
def test_what_cannot_be_read_is_refused(problem):
    x, w = np.ones(problem.input_shape, np.float32), np.ones(problem.kernel_shape, np.float32)
    with pytest.raises(ValueError, match="draw one image, and at most 20 rows and 36 columns"):
        im2col_picture(x, w, problem)


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


def test_what_is_measured_and_what_is_forecast_both_show():
    plain = drawn(channel_gain_picture(sweep()))
    assert drawn(channel_gain_picture(sweep(copy=2.0))) != plain
    assert drawn(channel_gain_picture(sweep(), formula=lambda problem: 3.0 * problem.k_h)) != plain


def test_no_axis_is_refused():
    with pytest.raises(ValueError, match="sweep is empty"):
        channel_gain_picture({})
