"""The depthwise kernels, on whatever runs CUDA C++ here."""

import numpy as np
import pytest

from convladder import ConvProblem, cuda, get_method
from convladder.core.reference import compare, random_arrays
from convladder.gpu.depthwise import TILES, any_launch, depthwise_launch, tile_launch, tiled

from ..conftest import problems
from ..sampling import sampled

# Channels below a warp and beyond, multipliers, strides, gaps, rows that strips of four do not
# divide, windows in the padding alone, a batch: what a thread a channel takes ...
ANY = problems("""
    2x9x11x5,3x2x10,s2x1,p1x2,g5
    7x10x33,3x3x33,p2,d2,g33
    2x6x7x4,2x3x12,s1x3,p3,d1x3,g4
    4x3x40,1x1x40,g40
    3x1x5x2,1x5x2,p0x2,g2
""")
# ... and what has a tile: channels by twos and one by one, where they do not divide or share
# one of x; maps below a tile and beyond.
TILED = problems("""
    2x15x9x12,3x3x12,p1,g12
    5x6x7,3x3x7,g7
    2x9x12x4,3x3x8,s2,p1,g4
    8x11x6,5x5x6,p4,g6
    9x8x3,7x7x3,p3,g3
""")
PROBLEMS = ANY + TILED
LAUNCHES = [(problem, None) for problem in PROBLEMS] + [
    (problem, tile) for problem in TILED[:3] for tile in TILES[problem.stride[0]]
]


def launch_of(problem, tile):
    return depthwise_launch(problem) if tile is None else tile_launch(problem, tile)


@pytest.mark.parametrize("problem, tile", sampled(LAUNCHES, 5, str))
def test_agrees_with_the_oracle_and_is_sound(problem, tile):
    x, w = random_arrays(problem, seed=problem.pixels)
    y = cuda.to_device(np.full(problem.output_shape, np.nan, np.float32))
    report = launch_of(problem, tile).profile(*map(cuda.to_device, (x, w)), y)
    assert not (agreement := compare(y.get(), x, w, problem)).reason, agreement.reason
    assert report.ok, report.faults
    assert report.global_store_bytes == 4 * problem.pixels * problem.k_c, "each is stored once"
    y = get_method("gpu_depthwise").run(*map(cuda.to_device, (x, w)), problem).get()
    assert compare(y, x, w, problem).ok


def test_what_has_a_tile():
    assert all(map(tiled, TILED)) and not any(map(tiled, ANY))
    kernels = [depthwise_launch(problem).kernel for problem in (*ANY, *TILED)]
    assert kernels[: len(ANY)] == ["conv_depthwise"] * len(ANY)
    # Channels of a thread, by what aligns: 12 by twos, 7 are odd, 8 share 4 of x; 7x7 has one.
    channels = [int(name[len("conv_depthwise_tile<")]) for name in kernels[len(ANY) :]]
    assert channels == [2, 1, 1, 2, 1]


def test_a_tile_loads_each_value_once_for_all_that_see_it():
    """7 rows and 4 columns see 9 x 6 values of x and 9 weights; 28 windows have 252 values."""
    p = ConvProblem.parse("16x18x32,3x3x32,g32")  # 2 x 4 tiles, nothing is cut off
    x, w = map(cuda.to_device, random_arrays(p))
    y = cuda.empty(p.output_shape)
    tile = tile_launch(p, TILES[1][0]).profile(x, w, y)
    channel = any_launch(p).profile(x, w, y)
    assert tile.global_load_bytes == 4 * 32 * 8 * (9 * 6 + 9)
    assert channel.global_load_bytes == 4 * 32 * 14 * 4 * (9 * 4 + 9)
    for report in tile, channel:  # no sector for a part of it; lanes may share those of weights
        assert 32 * report.global_load_sectors <= report.global_load_bytes
        assert 32 * report.global_store_sectors == report.global_store_bytes


def test_what_it_refuses():
    refused = get_method("gpu_depthwise").unsupported(ConvProblem.parse("9x9x4,3x3x4,g2"))
    assert "groups=i_c" in refused
