"""What CUTLASS is asked for; its kernels themselves need a GPU."""

import sys
import types

import pytest

from convladder import PAPER, ConvProblem
from convladder.gpu import cutlass, cutlass_hopper
from convladder.gpu.cutlass_tiles import HALF, SIMT, TF32, TF32X3, choose, source

LAYER = ConvProblem.parse("32x112x112x64,3x3x128")


@pytest.mark.parametrize("precision", [SIMT, TF32, TF32X3, HALF])
def test_warps_divide_their_tiles_and_large_layers_have_large_ones(precision):
    for tile in precision.tiles:
        (pixels, channels, depth), warp, _ = tile
        assert f"#define WARP {warp[0]}, {warp[1]}, {depth}\n" in source(precision, tile)
        assert pixels % warp[0] == channels % warp[1] == 0
    assert choose(LAYER, precision, 132) == precision.tiles[0]
    assert choose(LAYER.with_batch(1), precision, 10**6) == precision.tiles[-1]
    narrow = ConvProblem.parse("32x112x112x64,3x3x64")
    assert choose(narrow, precision, 132)[0][1] <= 64


def test_hoppers_tiles_fit_into_shared_memory_and_are_no_wider_than_the_channels():
    for tile in (cutlass_hopper.NARROW, cutlass_hopper.SHORT, cutlass_hopper.DEEP):
        slices = 2 * tile.stages * cutlass_hopper.DEPTH * (tile.pixels + tile.channels)
        assert tile.blocks * slices < 227 * 1024  # what a multiprocessor of Hopper has to share
    for problem in (*PAPER.values(), LAYER):
        tile = cutlass_hopper.choose(problem)
        assert (tile.channels == 64) == (problem.k_c <= 64)


@pytest.mark.parametrize(
    "shape, word",
    [
        ("12x12x12,3x3x64", "i_c=12"),
        ("12x12x8,3x3x12", "k_c=12"),
        ("40x40x8,3x3x8,s9", "stride="),
        ("300x300x8,200x3x8", "127 pixels"),
        ("12x12x8,3x3x8", None),
    ],
)
def test_what_a_tensor_map_cannot_say_is_refused(monkeypatch, shape, word):
    hopper = types.SimpleNamespace(compute_capability="90")
    cupy = types.SimpleNamespace(cuda=types.SimpleNamespace(Device=lambda: hopper))
    monkeypatch.setitem(sys.modules, "cupy", cupy)
    monkeypatch.setattr("convladder.cuda.gpu", lambda: True)
    monkeypatch.setattr(cutlass, "include_folders", lambda: ("a", "b", "c"))
    reason = cutlass_hopper.unsupported(ConvProblem.parse(shape))
    assert reason is None if word is None else word in reason
