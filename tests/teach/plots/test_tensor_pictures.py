"""The pictures of chapters 09 and 10 show what they say: cells, blocks, waves, lanes, banks."""

import numpy as np
import pytest
from matplotlib.colors import to_rgb

from convladder import ConvProblem
from convladder.core.problem import PAPER
from convladder.gpu.launch import KERNELS
from convladder.gpu.tile_choice import TILES, choose
from convladder.teach.plots import implicit_gemm, tensor_cores
from convladder.teach.plots.style import ORANGE
from convladder.teach.plots.tensor_cores import gpu_record


def orange(ax):
    cells = np.asarray(ax.collections[0].get_array())
    return {
        (int(row), int(column))
        for row, column in zip(*np.nonzero((cells == to_rgb(ORANGE)).all(axis=-1)))
    }


@pytest.mark.parametrize("row, column, padding", [(0, 0, 0), (4, 7, 0), (5, 17, 0), (7, 9, 1)])
def test_the_marked_place_is_the_matrixs(figures, row, column, padding):
    from convladder.cpu.im2col import lower

    p = ConvProblem(
        1, implicit_gemm.I_H, implicit_gemm.I_W, implicit_gemm.I_C, 3, 3, 1, padding=padding
    )
    x = np.arange(1, 41, dtype=np.float32).reshape(p.input_shape)
    value = int(lower(x, p)[row, column]) - 1
    alt = implicit_gemm.implicit_index_picture(row, column, padding).alt
    left, right = figures[-1].axes
    assert orange(left) == {(row, column)}
    assert orange(right) == ({divmod(value, 10)} if value >= 0 else set())
    assert f"place {value} of x" in alt if value >= 0 else "lies nowhere" in alt


def test_beyond_the_last_row_the_last_is_meant(figures):
    assert (
        implicit_gemm.implicit_index_picture(99, 99).alt
        == implicit_gemm.implicit_index_picture(5, 17).alt
    )


@pytest.mark.parametrize("batch", [1, 32])
def test_levels_are_those_of_the_plan(figures, batch):
    problem = PAPER["cv8"].with_batch(batch)
    plan = choose(problem)
    alt = implicit_gemm.tile_levels_picture(problem, plan).alt
    assert f"{plan.tiles(problem):,} blocks of {plan.tile.pixels} by {plan.tile.channels}" in alt
    thread = figures[-1].axes[3]
    assert len(thread.patches) == plan.tile.thread_pixels * plan.tile.thread_channels


def test_idle_multiprocessors_are_pale(figures):
    alt = implicit_gemm.waves_picture("cv12", 1, TILES[0].name, 8).alt
    shown = np.asarray(figures[-1].axes[0].collections[0].get_array())
    assert shown.shape == (1, 132) and (shown > 0).sum() == 64 and "68 idle" in alt
    implicit_gemm.waves_picture("cv8", 32)
    shown = np.asarray(figures[-1].axes[0].collections[0].get_array())
    # Two blocks at a time on each, and one on those of the last wave, which are paler.
    assert 2 * (shown == 1).sum() + ((shown > 0) & (shown < 1)).sum() == 3025


def test_a_sweep_has_a_bar_for_model_and_clock(figures):
    p = PAPER["cv5"].with_batch(32)
    entry = {
        "layer": "cv5",
        "batch": 32,
        "problem": str(p),
        "seconds": {t.name: 1e-4 * n for n, t in enumerate(TILES, 1)},
    }
    implicit_gemm.sweep_picture(entry, "somewhere")
    bars = figures[-1].axes[0].patches
    assert len(bars) == 2 * len(TILES)
    assert [round(bar.get_width()) for bar in bars[1::2]] == [100, 200, 300, 400, 500, 600]


@pytest.mark.parametrize("lane", [0, 13, 31])
def test_a_lanes_cells_are_marked(figures, lane):
    tensor_cores.fragment_picture(lane)
    marked = [
        sum(to_rgb(cell.get_facecolor()) == to_rgb(ORANGE) for cell in ax.patches)
        for ax in figures[-1].axes[1:]
    ]
    assert sorted(marked) == [4, 4, 8]


def test_error_against_speed_has_a_point_a_method(figures):
    speeds = {"gpu_implicit_gemm": 5e13, "gpu_wgmma": 5e14, "cudnn float16 NHWC": 6e14}
    errors = dict(zip(speeds, (4e-7, 2e-4, 2e-4)))
    tensor_cores.error_speed_picture(speeds, errors, {"TF32": 1e-4, "float16": 1e-4}, "cv8")
    ax = figures[-1].axes[0]
    points = [line for line in ax.lines if line.get_marker() in ("o", "s")]
    assert [(float(line.get_xdata()[0]), float(line.get_ydata()[0])) for line in points] == [
        (speed / 1e12, errors[name]) for name, speed in speeds.items()
    ]
    assert "TF32 and float16" in [text.get_text() for text in ax.texts]


def test_labels_of_neighbours_slant_away_from_each_other(figures):
    speeds = {
        "gpu_tensor_core": 3.39e14,
        "gpu_cutlass_half": 3.45e14,
        "gpu_wgmma": 4.9e14,
        "gpu_cutlass_tf32": 1.9e14,
    }
    tensor_cores.error_speed_picture(speeds, dict.fromkeys(speeds, 1e-4), {"TF32": 1e-4}, "cv8")
    angles = {text.get_text(): text.get_rotation() for text in figures[-1].axes[0].texts}
    assert [angles[name] for name in ("mma", "CUTLASS float16", "wgmma", "CUTLASS TF32")] == [
        45,
        315,
        45,
        315,
    ]


def test_the_map_names_the_fastest_of_the_record(figures):
    record = gpu_record()
    alt = tensor_cores.method_map_picture(record).alt
    assert record["card"]["gpu"] in alt and record["date"] in alt
    texts = [text.get_text() for text in figures[-1].axes[0].texts]
    assert sum("over" in text.split() for text in texts) == 13 * 2 * 3


def test_against_cudnn_has_a_mark_for_each_ratio(figures):
    record = gpu_record()
    tensor_cores.against_cudnn(record, ["gpu_wgmma"], "float16")
    for ax, run in zip(figures[-1].axes, record["runs"]):
        assert len(ax.lines[0].get_xdata()) == len(run["layers"])


def test_bits_add_up(figures):
    tensor_cores.bits_picture()
    assert len(figures[-1].axes[0].patches) == 32 + 32 + 16 + 16


@pytest.mark.parametrize("tiles, whole, even, cut", [(6, 8, 8, 0), (7, 16, 10, 5), (12, 16, 16, 0)])
def test_stream_k_takes_as_long_as_the_longest_share(figures, tiles, whole, even, cut):
    alt = implicit_gemm.stream_k_picture(tiles).alt
    assert f"{whole} slices of time against {even}" in alt
    left, right = figures[-1].axes
    assert f"adds {cut} tile" in alt
    for ax in (left, right):  # no slice is lost, and the pale columns are the time
        assert sum(cell.get_height() for cell in ax.patches) == (
            tiles * implicit_gemm.SLICES + whole * implicit_gemm.PLACES
        )


@pytest.mark.parametrize("column, chunks, turns", [(0, 8, 8), (7, 8, 8), (3, 4, 4), (9, 4, 4)])
def test_a_swizzled_column_lies_in_eight_groups(figures, column, chunks, turns):
    assert f"{turns} turns, swizzled 1" in tensor_cores.swizzle_picture(column, chunks).alt
    plain, swizzled = (
        [cell for cell in ax.patches if to_rgb(cell.get_facecolor()) == to_rgb(ORANGE)]
        for ax in figures[-1].axes
    )
    assert len({cell.get_x() for cell in plain}) == tensor_cores.GROUPS // turns
    assert len({cell.get_x() for cell in swizzled}) == len(swizzled) == tensor_cores.ROWS


def test_the_swizzle_drawn_is_the_kernels(figures):
    """As half_slices.cuh writes it: chunk ^ row & 7 for 64 columns, ^ row >> 1 & 3 for 32."""
    text = (KERNELS / "half_slices.cuh").read_text()
    assert "chunk ^ (BK == 64 ? row & 7 : row >> 1 & 3)" in text
    tensor_cores.swizzle_picture(5, 4)
    right = figures[-1].axes[1]
    places = {cell.get_text(): int(cell.get_position()[0]) % 4 for cell in right.texts}
    assert all(
        places[f"{row}·{chunk}"] == chunk ^ (row >> 1 & 3) for row in range(8) for chunk in range(4)
    )


@pytest.mark.parametrize("first, row, column", [(4, 0, 0), (14, 0, 0), (19, 2, 2), (9, 1, 1)])
def test_a_box_has_the_rows_of_the_implicit_matrix(figures, first, row, column):
    from convladder.cpu.im2col import lower

    p = tensor_cores.LAYER
    x = np.ones(p.input_shape, np.float32)
    k = (row * 3 + column) * p.i_c
    there = lower(x, p)[first : first + tensor_cores.BOX, k] != 0
    assert (
        f"{there.sum()} rows from the image" in tensor_cores.tma_box_picture(first, row, column).alt
    )


def test_the_board_counts_units_and_finds_the_better_product(figures):
    from convladder.exercises.lab10.e5_my_product import in_halves

    def scaled_halves(a, b, multiply):
        """Products of matrices that powers of two bring into float16's range."""
        p, q = (2.0 ** np.floor(np.log2(np.abs(np.asarray(each)).max())) for each in (a, b))
        return in_halves(a / np.float32(p), b / np.float32(q), multiply) * np.float32(p * q)

    assert "3xTF32 6, yours 3" in tensor_cores.product_board(scaled_halves).alt
    errors = [float(line.get_ydata()[0]) for line in figures[-1].axes[0].lines]
    *_, three, yours, processor = errors
    assert max(three, yours) < 1e-6 < min(errors[:3]) and processor < 1e-6
