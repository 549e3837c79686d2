"""The picture of a window and its column: every state that the chapter's widgets can reach."""

import numpy as np
import pytest

from convladder import ConvProblem
from convladder.teach.plots.im2col import im2col_picture

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


def test_channels_are_told_apart():
    x, w = counting(3, 3, 2), np.ones((2, 2, 2, 1), np.float32)
    picture = im2col_picture(x, w, ConvProblem.from_arrays(x, w), row=3)
    assert "8 rows × 4 columns; row 3 holds the 4 values that weight 0,1,1 meets" in picture.alt


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
