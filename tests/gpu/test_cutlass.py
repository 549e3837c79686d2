"""What CUTLASS is asked for; its kernels themselves need a GPU."""

import sys
import types

import pytest

from convladder import PAPER, ConvProblem
from convladder.gpu import cutlass, cutlass_hopper
from convladder.gpu.cutlass_tiles import HALF, SIMT, TF32, TF32X3, choose, source

LAYER = ConvProblem.parse("32x112x112x64,3x3x128")


@pytest.mark.parametrize("precision", [SIMT, TF32, TF32X3, HALF])
def test_warps_divide_their_tiles(precision):
    for tile in precision.tiles:
        (pixels, channels, depth), warp, _ = tile
        assert f"#define WARP {warp[0]}, {warp[1]}, {depth}\n" in source(precision, tile)
        assert pixels % warp[0] == channels % warp[1] == 0


@pytest.mark.parametrize("precision", [SIMT, TF32, TF32X3, HALF])
def test_large_tiles_for_large_layers(precision):
    assert choose(LAYER, precision, 132) == precision.tiles[0]
    small = choose(LAYER.with_batch(1), precision, 10**6)
    assert small == precision.tiles[-1]
    narrow = ConvProblem.parse("32x112x112x64,3x3x64")
    assert choose(narrow, precision, 132)[0][1] <= 64


def test_headers_are_found_where_wheels_put_them(tmp_path, monkeypatch):
    headers = {
        "cutlass_library": "source/include/cutlass/cutlass.h",
        "nvidia": "cu13/include/crt/mma.h",
    }
    for package, file in headers.items():
        (tmp_path / package).mkdir()
        (tmp_path / package / "__init__.py").touch()
        (tmp_path / package / file).parent.mkdir(parents=True)
        (tmp_path / package / file).touch()
    monkeypatch.syspath_prepend(str(tmp_path))
    monkeypatch.setenv("CUDA_PATH", str(tmp_path / "toolkit"))
    inner = tmp_path / "toolkit/include/cccl/cuda/std/type_traits"
    inner.parent.mkdir(parents=True)
    inner.touch()
    cutlass.include_folders.cache_clear()
    try:
        first, second, third = cutlass.include_folders()
    finally:
        cutlass.include_folders.cache_clear()
    assert first == str(tmp_path / "cutlass_library/source/include")
    assert second.endswith("toolkit/include/cccl") and third.endswith("cu13/include")


def test_hoppers_tiles_fit_into_shared_memory():
    for tile in (cutlass_hopper.NARROW, cutlass_hopper.SHORT, cutlass_hopper.DEEP):
        slices = 2 * tile.stages * cutlass_hopper.DEPTH * (tile.pixels + tile.channels)
        assert tile.blocks * slices < 227 * 1024  # what a multiprocessor of Hopper has to share


def test_hoppers_tile_is_no_wider_than_the_channels():
    for problem in (*PAPER.values(), LAYER):
        tile = cutlass_hopper.choose(problem)
        assert (tile.channels == 64) == (problem.k_c <= 64)


def test_without_a_gpu_hoppers_kernel_says_so(monkeypatch):
    monkeypatch.setattr("convladder.cuda.gpu", lambda: False)
    assert "NVIDIA GPU alone" in cutlass_hopper.unsupported(LAYER)


class Hopper:
    """Compute capability 9.0, as CuPy tells it."""

    compute_capability = "90"


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
    cupy = types.SimpleNamespace(cuda=types.SimpleNamespace(Device=Hopper))
    monkeypatch.setitem(sys.modules, "cupy", cupy)
    monkeypatch.setattr("convladder.cuda.gpu", lambda: True)
    monkeypatch.setattr(cutlass, "include_folders", lambda: ("a", "b", "c"))
    reason = cutlass_hopper.unsupported(ConvProblem.parse(shape))
    assert reason is None if word is None else word in reason
