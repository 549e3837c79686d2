"""Chapter 01: a window and its row, and the gain of im2col."""

import numpy as np
import pytest

from convladder import REPORT, ConvProblem
from convladder.core.photo import photo
from convladder.measure import Comparison, Timing
from convladder.teach.plots.im2col import (
    channel_gain_picture,
    fee_picture,
    filter_gain_picture,
    im2col_picture,
    matrix_bytes_picture,
    product_shapes_picture,
)

from ..artists import drawn

SOBEL = np.array([[1, 0, -1], [2, 0, -2], [1, 0, -1]], np.float32)


def words(picture):
    return {text.get_text() for text in picture.figure.findobj() if hasattr(text, "get_text")}


def test_each_window_has_a_picture_of_its_own():
    image = np.arange(30, dtype=np.float32).reshape(5, 6) ** 2
    pictures = [im2col_picture(image, SOBEL, window) for window in range(12)]
    assert len({drawn(picture) for picture in pictures}) == 12
    assert pictures[5].alt == (
        "Window 5 of a 5×6 image, at row 1 and column 1, is row 5 of the matrix. "
        f"Its 9 products with the weights add up to {(image[1:4, 1:4] * SOBEL).sum():g}."
    )


def test_rows_and_outputs_are_written_up_to_the_window():
    image = np.arange(100, 116, dtype=np.float32).reshape(4, 4)
    image[3, 3] = 999  # only in the last window

    def count(window):
        texts = im2col_picture(image, SOBEL, window).figure.axes[0].texts
        return sum(text.get_text() == "999" for text in texts)

    assert [count(window) for window in (0, 2, 3)] == [1, 1, 2]


def test_shapes_and_bytes_are_the_layer_s():
    image = photo(224)
    said = words(product_shapes_picture(REPORT, image))
    assert {"48,400 windows\n× 147 values", "147 weights\n× 64 filters"} <= said
    said = words(matrix_bytes_picture(REPORT, image))
    assert {"image\n0.57 MiB", "output\n11.82 MiB", "im2col's matrix\n27.14 MiB"} <= said


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


def test_gain_by_filters_shows_the_measured_and_the_formulas():
    runs = {k: made_up(loops=1.0 * k, im2col=1.0) for k in (1, 8)}
    plain = drawn(filter_gain_picture(runs, a_formula=lambda k: 2.0 * k))
    assert drawn(filter_gain_picture(runs, a_formula=lambda k: 3.0 * k)) != plain
    assert drawn(filter_gain_picture({**runs, 8: runs[1]}, a_formula=lambda k: 2.0 * k)) != plain


def test_fee_is_drawn_in_milliseconds_with_both_stories():
    picture = fee_picture({1: 2.0, 100: 9.0}, one=lambda k: 2 + k / 10, other=lambda k: 5)
    lines = picture.figure.axes[0].lines
    assert [line.get_label() for line in lines] == ["one", "other", "measured"]
    assert list(lines[2].get_ydata()) == [2.0, 9.0]
