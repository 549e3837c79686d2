"""Chapter 01: windows as rows, the running sum, shapes, bytes and gains."""

import pytest

from convladder import REPORT
from convladder.core.problem import ConvProblem
from convladder.measure import Comparison, Timing
from convladder.teach import photo
from convladder.teach.plots import im2col


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
