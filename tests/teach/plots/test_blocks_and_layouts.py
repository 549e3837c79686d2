"""Pictures of blocks, layouts, packing, crowds, zeros and nodes: they draw what they say."""

import itertools

import numpy as np
import pytest
from matplotlib.colors import to_hex
from matplotlib.patches import Rectangle

from convladder import ConvProblem
from convladder.teach.plots import (
    block_sweep_picture,
    crowd_picture,
    gemm_blocks_picture,
    layer_tiles_picture,
    layout_picture,
    layout_shares_picture,
    nodes_picture,
    packing_picture,
    zeros_picture,
)
from convladder.teach.plots.microkernel import _tiles
from convladder.teach.plots.quantisation import PATTERNS, kept_weights, pattern_costs
from convladder.teach.plots.style import BLUE, ORANGE


def patches(picture, axes=0, colour=None):
    found = [p for p in picture.figure.axes[axes].patches if isinstance(p, Rectangle)]
    return [p for p in found if colour is None or to_hex(p.get_facecolor()) == colour.lower()]


def texts(picture):
    return " ".join(
        t.get_text() for ax in picture.figure.axes for t in (*ax.texts, ax.title, ax._left_title)
    )


@pytest.mark.parametrize(
    "block, wanted, runs, pieces",
    [
        (1, "a pixel's channels", 8, 8),
        (8, "a pixel's channels", 1, 1),
        (4, "a pixel's channels", 2, 2),
        (8, "a row of one channel", 6, 6),
    ],
)
def test_a_readers_values_are_drawn_where_they_lie(block, wanted, runs, pieces):
    picture = layout_picture(block, wanted)
    asked = patches(picture, colour=ORANGE)
    places = sorted(round(p.get_y()) * 24 + round(p.get_x()) for p in asked)
    assert len(places) == (8 if "channels" in wanted else 6)
    assert 1 + sum(b - a > 1 for a, b in itertools.pairwise(places)) == runs
    assert len({place // 8 for place in places}) == pieces
    assert f"{runs} runs" in picture.alt and f"{pieces} pieces" in picture.alt


@pytest.mark.parametrize(
    "pixels, padding, threads, said",
    [
        (6, 0, 1, "7 × 13 outputs, 1 box: 16 tiles of 5 to 6 pixels"),
        (14, 1, 2, "9 × 15 outputs, 9 boxes: 20 tiles of 1 to 12 pixels"),
        (4, 1, 4, "9 × 15 outputs, 9 boxes: 44 tiles of 1 to 4 pixels"),
    ],
)
def test_tiles_cover_each_output_once_and_threads_share_the_steps(pixels, padding, threads, said):
    picture = layer_tiles_picture(pixels, padding, threads)
    assert picture.alt.startswith(said)
    cells = [p for p in patches(picture) if p.get_fill()]
    sides = (9, 15) if padding else (7, 13)
    assert sorted((p.get_y(), p.get_x()) for p in cells) == list(np.ndindex(sides))
    found = list(_tiles(ConvProblem(1, 9, 15, 8, 3, 3, 32, padding=padding), pixels, threads))
    steps = [0] * threads
    for thread, places in found:
        h, v = divmod(places[0], sides[1])  # 3 taps along an axis, 2 at the edge of a padded image
        steps[thread] += (
            8 * np.prod([3 - padding * (at in (0, side - 1)) for at, side in zip((h, v), sides)])
            + 1
        )
    assert all(steps) and max(steps) - min(steps) <= 2 * (8 * 9 + 1), "a tile more or less"


def test_packing_brings_steps_side_by_side():
    assert "512 cache lines in 128 pages" in packing_picture(512, False).alt
    assert "512 cache lines in 8 pages" in packing_picture(512, True).alt


def test_blocks_that_do_not_fit_are_named():
    assert "all fit" in gemm_blocks_picture(80, 1638, 2048).alt
    assert "too large: sliver of B" in gemm_blocks_picture(256, 510, 2048).alt
    assert "sliver of B, block of A" in gemm_blocks_picture(1024, 1638, 2048).alt


def test_a_sweep_names_its_curves_and_lines():
    picture = block_sweep_picture(
        {"6 × 4 tile": {16: 0.5, 256: 0.9}}, {"sliver in L1": 80}, "steps of a block", 0.8
    )
    assert {"6 × 4 tile", "sliver in L1", "NumPy's BLAS"} <= {
        t.get_text() for t in picture.figure.axes[0].texts
    }


@pytest.mark.parametrize(
    "curve",
    [
        {6: 0.93, 12: 0.92, 1200: 0.91},
        {16: 0.5, 64: 0.9},
        {6: 0.36, 12: 0.33, 24: 0.26},
        {6: 0.86, 12: 0.885, 24: 0.9},
    ],
)
def test_the_librarys_name_lies_on_no_curve(curve):
    library = 0.89 if max(curve.values()) > 0.4 else 0.31
    ax = block_sweep_picture({"tile": curve}, {}, "rows", library).figure.axes[0]
    ax.figure.draw_without_rendering()
    name = next(text for text in ax.texts if "BLAS" in text.get_text())
    line = ax.transData.transform_path(ax.lines[0].get_path())
    assert not line.intersects_bbox(name.get_window_extent(), filled=False)


def test_shares_have_a_bar_for_each_layer_and_layout():
    shares = {"a": {"NCHW": 0.1, "NHWC": 0.2}, "b": {"NCHW": 0.3, "NHWC": 0}}
    bars = layout_shares_picture(shares).figure.axes[0].patches
    assert sorted(round(bar.get_height()) for bar in bars) == [0, 10, 20, 30]


@pytest.mark.parametrize(
    "workers, each, waiting, last", [(8, 8, 56, 8), (8, 1, 0, 1), (4, 4, 8, 2)]
)
def test_a_crowd_waits_for_its_last_thread(workers, each, waiting, last):
    picture = crowd_picture(workers, each)
    assert f"{waiting} wait" in picture.alt
    assert len(patches(picture, 0, BLUE)) == min(8, workers * each)
    own = patches(picture, 1, ORANGE)
    assert len(own) == each and max(p.get_x() for p in own) == last - 1


@pytest.mark.parametrize("left", [50, 25, 10])
@pytest.mark.parametrize("pattern", PATTERNS)
def test_zeros_lie_in_their_pattern_and_cost_what_it_says(pattern, left):
    kept = kept_weights(pattern, left)
    if pattern == "two of four":
        assert (kept.reshape(4, 4, -1).sum(1) == 2).all()
    elif pattern == "channels":
        assert np.array_equal(kept, np.outer(kept.any(1), kept.any(0)))
        assert abs(kept.mean() - left / 100) < 0.05
    else:
        assert kept.sum() == round(left / 100 * kept.size)
    costs = pattern_costs(kept, pattern)
    assert (costs["a dense kernel"] < 1) == (pattern == "channels")
    assert costs["bytes"] >= kept.mean() == costs["a kernel for it"]
    if left == 25:  # to draw takes time
        assert f"pattern {pattern}" in zeros_picture(pattern, left).alt
    with pytest.raises(ValueError, match="'rows'"):
        kept_weights("rows", 50)


def test_nodes_are_boxes_in_a_row_and_a_change_of_layout_is_marked():
    picture = nodes_picture(
        {"lenet, ours": ["Conv", "Gemm"], "lenet, others": ["Conv", "ReorderOutput", "Gemm"]}
    )
    assert len(patches(picture)) == 5 and len(patches(picture, colour=ORANGE)) == 1
    assert "lenet, others, 3 nodes" in picture.alt and "Reorder" in texts(picture)
