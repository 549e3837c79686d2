"""Tiles as drawn are tiles as launched: the kernel's own stores say who has which value."""

import numpy as np
import pytest

from convladder import ConvProblem, cuda
from convladder.core.problem import PAPER
from convladder.core.reference import compare, random_arrays
from convladder.gpu.epilogue import bias_relu_launch
from convladder.gpu.implicit_gemm import Counted
from convladder.gpu.tile_choice import H200, TILES, choose
from convladder.gpu.waves import Waves, plan_with, waves
from convladder.teach.plots.implicit_gemm import LANES, loads_a_mac, shares

PROBLEM = ConvProblem(1, 1, 128, 4, 1, 1, 128)  # one tile of any size, or several
COUNTED = ConvProblem(1, 6, 7, 4, 3, 3, 12)


def on_device(problem):
    x, w = random_arrays(problem)
    return x, w, [cuda.to_device(x), cuda.to_device(w), cuda.empty(problem.output_shape)]


@pytest.mark.parametrize("tile", TILES, ids=str)
def test_threads_share_the_tile_evenly(tile):
    found = shares(tile)
    numbers, counts = np.unique(found.thread, return_counts=True)
    assert (numbers == np.arange(tile.threads)).all()
    assert (counts == tile.thread_pixels * tile.thread_channels).all()


@pytest.mark.parametrize("tile", TILES[:4], ids=str)
def test_the_watched_warp_stores_what_is_its_own(tile):
    *_, arrays = on_device(PROBLEM)
    report = Counted(PROBLEM, plan_with(PROBLEM, tile, 1)).profile(*arrays)
    stores = [
        request for request in report.requests if request.kind == "stores" and request.array == "y"
    ]
    thread = shares(tile).thread
    assert len(stores) == tile.thread_pixels * tile.thread_channels // 4
    for request in stores:
        for lane, offset in enumerate(request.offsets):
            row, column = divmod(offset // 4, PROBLEM.k_c)
            assert (thread[row, column : column + 4] == lane).all()


def test_a_counted_launch_is_right_with_its_epilogue():
    x, w, arrays = on_device(COUNTED)
    plain = Counted(COUNTED).profile(*arrays)
    assert compare(arrays[2].get(), x, w, COUNTED).ok
    y, bias = arrays[2].get(), np.linspace(-3, 3, COUNTED.k_c, dtype=np.float32)
    fused = Counted(COUNTED).profile(*arrays, cuda.to_device(bias))
    assert np.allclose(arrays[2].get(), np.maximum(y + bias, 0), atol=1e-5)
    assert fused.global_store_sectors == plain.global_store_sectors
    again = cuda.to_device(y)
    apart = bias_relu_launch(COUNTED).profile(again, cuda.to_device(bias))
    assert (again.get() == np.maximum(y + bias, 0)).all()
    assert apart.global_store_sectors == y.size * 4 // 32 and apart.ok
    with pytest.raises(ValueError, match="k_c=10 does not divide by 4"):
        bias_relu_launch(ConvProblem(1, 3, 3, 1, 1, 1, 10))


def test_waves_count_places():
    assert Waves(264, 132, 2).number == 1 and Waves(265, 132, 2).number == 2
    assert Waves(200, 132, 2).share == 200 / 264 and Waves(200, 132, 2).idle == 0
    assert Waves(8, 132, 4).idle == 124 and Waves(265, 132, 2).idle == 131
    p = PAPER["cv12"]
    assert waves(p, choose(p)).blocks == 64 and waves(p, choose(p), H200).idle == 68


def test_loads_for_a_multiply_add():
    assert loads_a_mac(TILES[-1]) == {"global memory": 256 / 128**2, "shared memory": 1 / 4}
    assert LANES == 32
