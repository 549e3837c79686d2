"""Threads share a tile evenly, and a thread stores what is its own."""

import numpy as np
import pytest

from convladder import ConvProblem, cuda
from convladder.core.reference import random_arrays
from convladder.gpu.block_waves import plan_with
from convladder.gpu.implicit_gemm import Counted
from convladder.gpu.tile_choice import TILES
from convladder.gpu.tile_threads import threads_of

from ..sampling import sampled

PROBLEM = ConvProblem(1, 1, 128, 4, 1, 1, 128)  # one tile of any size, or several


@pytest.mark.parametrize("tile", TILES, ids=str)
def test_threads_share_the_tile_evenly(tile):
    found = threads_of(tile)
    numbers, counts = np.unique(found.thread, return_counts=True)
    assert (numbers == np.arange(tile.threads)).all()
    assert (counts == tile.thread_pixels * tile.thread_channels).all()


@pytest.mark.parametrize("tile", sampled(TILES[:4], 1, str))
def test_the_watched_warp_stores_what_is_its_own(tile):
    arrays = [*map(cuda.to_device, random_arrays(PROBLEM)), cuda.empty(PROBLEM.output_shape)]
    report = Counted(PROBLEM, plan_with(PROBLEM, tile, 1)).profile(*arrays)
    stores = [
        request for request in report.requests if request.kind == "stores" and request.array == "y"
    ]
    thread = threads_of(tile).thread
    assert len(stores) == tile.thread_pixels * tile.thread_channels // 4
    for request in stores:
        for lane, offset in enumerate(request.offsets):
            row, column = divmod(offset // 4, PROBLEM.k_c)
            assert (thread[row, column : column + 4] == lane).all()
