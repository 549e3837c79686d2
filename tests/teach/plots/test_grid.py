"""The pictures of chapter 06: marked pixel, its window and idle threads are the launch's."""

import itertools

import numpy as np
import pytest
from matplotlib.colors import to_rgb

from convladder.teach.plots import first_kernels
from convladder.teach.plots.style import ORANGE

BLOCKS = ["4 x 4", "8 x 2", "2 x 8", "16 x 1", "11 x 1"]


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


@pytest.mark.parametrize("block", BLOCKS)
def test_the_threads_too_many_are_those_outside(figures, block):
    first_kernels.thread_grid_picture(block)
    right = figures[-1].axes[1]
    assert f"{len(filled(right, first_kernels.OUTSIDE))} too many" in right.get_title(loc="left")


def test_numbers_beyond_the_last_mean_the_last(figures):
    last = first_kernels.thread_grid_picture("16 x 1", 6, 15)
    assert first_kernels.thread_grid_picture("16 x 1", 99, 99).alt == last.alt


def test_pixels_with_more_than_one_writer_are_marked(figures):
    writers = np.ones((3, 5), int)
    writers[1, :2] = 2, 3
    writers[2, 4] = 0
    assert "2 pixels" in first_kernels.writers_picture(writers).alt
    marked = np.asarray(figures[-1].axes[0].collections[0].get_array())
    assert np.array_equal(np.argwhere(marked), [[1, 0], [1, 1]])


def test_fibers_wait_for_the_last(figures):
    first_kernels.emulator_picture()
    plain, fibers = figures[-1].axes
    assert len(plain.patches) == first_kernels.THREADS
    spans = [(bar.get_x(), bar.get_x() + bar.get_width()) for bar in fibers.patches]
    before, after = spans[: first_kernels.THREADS], spans[first_kernels.THREADS :]
    assert max(end for _, end in before) < min(begin for begin, _ in after)


RUN = {"kernels": {"one": {"returns": [4e-6, 5e-6, 6e-6], "done": [1e-3, 2e-3, 3e-3]}}}


def test_launches_are_drawn_with_their_medians_and_their_machine(figures):
    first_kernels.launches_picture({"GPU, recorded 2026-11-21": RUN})
    (ax,) = figures[-1].axes
    assert [bar.get_width() for bar in ax.patches] == pytest.approx([5, 2000])
    assert "recorded 2026-11-21" in ax.get_title(loc="left")


def test_without_a_record_there_is_a_sentence(figures):
    assert "No GPU has recorded" in first_kernels.launches_picture({}).alt
