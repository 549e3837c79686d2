"""The picture of im2col's gain, from times that are made up."""

import pytest

from convladder import ConvProblem
from convladder.measure import Comparison, Timing
from convladder.teach.plots.im2col import channel_gain_picture

from ..artists import drawn


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


def test_words_name_the_axes_and_no_time():
    alt = channel_gain_picture(sweep()).alt
    assert alt == (
        "Gain of im2col over compiled loops, and the shares of copying and multiplying "
        "in its time, by kernel."
    )


def test_what_is_measured_and_what_is_forecast_both_show():
    plain = drawn(channel_gain_picture(sweep()))
    assert drawn(channel_gain_picture(sweep(copy=2.0))) != plain
    assert drawn(channel_gain_picture(sweep(), formula=lambda problem: 3.0 * problem.k_h)) != plain


def test_no_axis_is_refused():
    with pytest.raises(ValueError, match="sweep is empty"):
        channel_gain_picture({})
