"""Chapter 05: layouts, tiles and blocks, and what records say of the processor."""

import numpy as np
import pytest
from matplotlib.colors import to_hex
from matplotlib.patches import Rectangle

from convladder import ConvProblem
from convladder.bench.conv_cpu import ConvComparison
from convladder.measure import Comparison
from convladder.teach.plots import (
    crowd_picture,
    gemm_blocks_picture,
    layer_tiles_picture,
    layout_picture,
    zeros_picture,
)
from convladder.teach.plots.microkernel import cpu_table, libraries_of
from convladder.teach.plots.quantisation import PATTERNS, kept_weights, pattern_costs
from convladder.teach.plots.style import BLUE, ORANGE

PROBLEM = ConvProblem.parse("9x9x4,3x3x8")


def made(threads=1, prepare=0.0, **seconds):
    """A comparison whose only round lasted so many seconds; others than ours are libraries."""
    rounds = {
        "microkernel": (seconds.pop("ours"),),
        **{f"{name}, a way": (time,) for name, time in seconds.items()},
    }
    return ConvComparison.of(
        PROBLEM,
        threads,
        Comparison.of(rounds, threads),
        {f"{name}, a way": name for name in seconds},
        {"microkernel": prepare},
        PROBLEM.flops / 1.0,
    )


def record(*runs, cores=2, date="2026-01-02"):
    card = {"cpu": "Some CPU", "isa": "AVX2", "cores": cores}
    return {
        "machine": card,
        "date": date,
        "runs": [
            {
                "threads": next(iter(run.values())).threads,
                "layers": {layer: each.as_dict() for layer, each in run.items()},
            }
            for run in runs
        ],
    }


RUN = {
    "a": made(ours=2.0, prepare=2.0, torch=4.0),
    "b": made(ours=4.0, prepare=4.0, torch=4.0),
    "c": made(ours=8.0, prepare=8.0, torch=16.0),
}


def test_a_row_has_the_machine_the_day_and_the_means():
    (row,) = cpu_table([record(RUN)]).cells
    assert row == [
        "Some CPU, AVX2, 2 cores, recorded 2026-01-02",
        "1 thread",
        "25.0%",
        "torch",
        "1.59",
        "1.00 on b",
        "0.79",
    ]


def test_a_row_for_each_run_and_library():
    both = {"a": made(threads=2, ours=1.0, torch=2.0, onnxruntime=3.0)}
    cells = cpu_table([record(RUN, both), record(RUN, date="2025-01-01")]).cells
    assert [row[1] + ", " + row[3] for row in cells] == [
        "1 thread, torch",
        "2 threads, torch",
        "2 threads, onnxruntime",
        "1 thread, torch",
    ]
    assert cells[-1][0].endswith("recorded 2025-01-01")


def test_a_library_that_missed_a_layer_is_left_out():
    run = {"a": made(ours=1.0, torch=2.0, onnxruntime=2.0), "b": made(ours=1.0, torch=2.0)}
    assert libraries_of(run) == ["torch"]
    with pytest.raises(ValueError, match="no record has torch or onnxruntime"):
        cpu_table([record({"a": made(ours=1.0)})])


def patches(picture, axes=0, colour=None):
    found = [p for p in picture.figure.axes[axes].patches if isinstance(p, Rectangle)]
    return [p for p in found if colour is None or to_hex(p.get_facecolor()) == colour.lower()]


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
    assert costs["bytes"] >= kept.mean() == costs["a kernel made for it"]
    if left == 25:  # to draw takes time
        assert f"pattern {pattern}" in zeros_picture(pattern, left).alt
    with pytest.raises(ValueError, match="'rows'"):
        kept_weights("rows", 50)
