"""Filtered images beside their photograph."""

import numpy as np

from convladder.teach import photo
from convladder.teach.plots.common import maps_picture


def test_words_name_every_map():
    maps = {"signed": np.eye(5) - 0.5, "positive": np.eye(5)}
    picture = maps_picture(photo(16), maps)
    assert picture.alt == "A photograph and 2 filtered images of it: signed, positive."


def test_a_map_of_zeros_is_drawn():
    picture = maps_picture(photo(16, grey=True), {"flat": np.zeros((4, 4))})
    assert picture.width > 0 and picture.alt == "A photograph and 1 filtered image of it: flat."
