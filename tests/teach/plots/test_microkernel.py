"""Chapter 05: layouts, tiles and blocks."""

import numpy as np
import pytest
from matplotlib.colors import to_hex
from matplotlib.patches import Rectangle

from convladder.teach.plots import (
    crowd_picture,
    gemm_blocks_picture,
    layer_tiles_picture,
    layout_picture,
)
from convladder.teach.plots.style import BLUE, ORANGE


def patches(picture, axes=0, colour=None):
    found = [p for p in picture.figure.axes[axes].patches if isinstance(p, Rectangle)]
    return [p for p in found if colour is None or to_hex(p.get_facecolor()) == colour.lower()]


@pytest.mark.parametrize(
    "block, wanted, runs, pieces",
    [(4, "a pixel's channels", 2, 2), (8, "a row of one channel", 6, 6)],
)
def test_a_readers_values_are_drawn_where_they_lie(block, wanted, runs, pieces):
    picture = layout_picture(block, wanted)
    assert f"{runs} runs" in picture.alt and f"{pieces} pieces" in picture.alt


@pytest.mark.parametrize(
    "pixels, padding, threads, said",
    [
        (6, 0, 1, "7 × 13 outputs, 1 box: 16 tiles of 5 to 6 pixels"),
        (14, 1, 2, "9 × 15 outputs, 9 boxes: 20 tiles of 1 to 12 pixels"),
        (4, 1, 4, "9 × 15 outputs, 9 boxes: 44 tiles of 1 to 4 pixels"),
    ],
)
def test_tiles_cover_each_output_once(pixels, padding, threads, said):
    picture = layer_tiles_picture(pixels, padding, threads)
    assert picture.alt.startswith(said)
    cells = [p for p in patches(picture) if p.get_fill()]
    sides = (9, 15) if padding else (7, 13)
    assert sorted((p.get_y(), p.get_x()) for p in cells) == list(np.ndindex(sides))


def test_blocks_that_do_not_fit_are_named():
    assert "all fit" in gemm_blocks_picture(80, 1638, 2048).alt
    assert "too large: sliver of B" in gemm_blocks_picture(256, 510, 2048).alt
    assert "sliver of B, block of A" in gemm_blocks_picture(1024, 1638, 2048).alt


@pytest.mark.parametrize(
    "workers, each, waiting, last", [(8, 8, 56, 8), (8, 1, 0, 1), (4, 4, 8, 2)]
)
def test_a_crowd_waits_for_its_last_thread(workers, each, waiting, last):
    picture = crowd_picture(workers, each)
    assert f"{waiting} wait" in picture.alt
    assert len(patches(picture, 0, BLUE)) == min(8, workers * each)
    own = patches(picture, 1, ORANGE)
    assert len(own) == each and max(p.get_x() for p in own) == last - 1
