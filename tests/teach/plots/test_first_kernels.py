"""Chapter 07: a launch's threads."""

import itertools

import numpy as np
import pytest
from matplotlib.colors import to_rgb

from convladder.teach.plots import first_kernels
from convladder.teach.plots.style import ORANGE

BLOCKS = ["8 x 2", "11 x 1"]


def filled(ax, colour):
    """The (row, column) of the cells of an axis filled in `colour`."""
    cells = np.asarray(ax.collections[0].get_array())
    return {
        (int(row), int(column))
        for row, column in zip(*np.nonzero((cells == to_rgb(colour)).all(axis=-1)))
    }


@pytest.mark.parametrize("block", BLOCKS)
def test_every_pixel_has_one_thread_and_each_thread_its_window(figures, block):
    across, down = map(int, block.split(" x "))
    blocks = -(-first_kernels.O_W // across) * -(-first_kernels.O_H // down)
    made = []
    places = itertools.product((0, blocks // 2, blocks - 1), (0, across * down - 1))
    for number, thread in places:
        alt = first_kernels.thread_grid_picture(block, number, thread).alt
        left, right = figures.pop().axes
        (pixel,) = filled(right, ORANGE)
        h, v = pixel
        assert f"h = {h}, v = {v}," in alt
        inside = h < first_kernels.O_H and v < first_kernels.O_W
        window = {(h + a, v + b) for a in range(first_kernels.K) for b in range(first_kernels.K)}
        assert filled(left, ORANGE) == (window if inside else set())
        made.append(pixel)
    assert len(set(made)) == len(made)
