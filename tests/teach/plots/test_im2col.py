"""Chapter 01: windows as rows, the running sum, shapes, bytes and gains."""

import pytest

from convladder import REPORT
from convladder.teach import photo
from convladder.teach.plots import im2col


def test_words_say_sizes():
    picture = photo(224)
    assert "48400 windows by 147 values" in im2col.shapes_picture(REPORT, picture).alt
    assert "47 copies of the image" in im2col.areas_picture(REPORT, picture).alt


def test_no_axis_is_refused():
    with pytest.raises(ValueError, match="sweep is empty"):
        im2col.channel_gain_picture({})
