"""What CUTLASS is asked for; its kernels themselves need a GPU."""

import pytest

from convladder import ConvProblem
from convladder.gpu import cutlass
from convladder.gpu.cutlass_tiles import HALF, SIMT, TF32, TF32X3, choose, source

LAYER = ConvProblem.parse("32x112x112x64,3x3x128")


@pytest.mark.parametrize("precision", [SIMT, TF32, TF32X3, HALF])
def test_every_name_of_the_text_is_defined(precision):
    for tile in precision.tiles:
        text = source(precision, tile)
        defined = {line.split()[1] for line in text.splitlines() if line.startswith("#define")}
        assert defined == {"IN", "OUT", "OP", "MATH", "INSTRUCTION", "WIDTH", "ALIGN", "TILE",
                           "WARP", "STAGES"}
        (pixels, channels, depth), warp, _ = tile
        assert f"#define WARP {warp[0]}, {warp[1]}, {depth}\n" in text
        assert pixels % warp[0] == channels % warp[1] == 0


@pytest.mark.parametrize("precision", [SIMT, TF32, TF32X3, HALF])
def test_large_tiles_for_large_layers(precision):
    assert choose(LAYER, precision, 132) == precision.tiles[0]
    small = choose(LAYER.with_batch(1), precision, 10**6)
    assert small == precision.tiles[-1]
    narrow = ConvProblem.parse("32x112x112x64,3x3x64")
    assert choose(narrow, precision, 132)[0][1] <= 64


def test_headers_are_found_where_wheels_put_them(tmp_path, monkeypatch):
    headers = {"cutlass_library": "source/include/cutlass/cutlass.h",
               "nvidia": "cu13/include/crt/mma.h"}
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
