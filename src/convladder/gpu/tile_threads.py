"""Which thread of a block has which values of its tile, and what a multiply-add loads."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from ..cuda.memory_model import LANES
from .tile_choice import BlockTile

TOGETHER = 4  # values that a thread has side by side, and loads or stores as one vector


@dataclass(frozen=True)
class TileThreads:
    """`thread[pixels, channels]` of a block's tile; `warp` and `lane` follow from it."""

    thread: np.ndarray
    lanes_down: int
    lanes_across: int

    @property
    def warp(self) -> np.ndarray:
        return self.thread // LANES

    @property
    def lane(self) -> np.ndarray:
        return self.thread % LANES


def threads_of(tile: BlockTile) -> TileThreads:
    """Return the threads of a tile. A thread has several vectors of four, `lanes` of them apart."""
    across = 8 if tile.channels // tile.thread_channels % 8 == 0 else 4  # LX of the kernel
    down = LANES // across  # LY
    warps_across = tile.channels // tile.thread_channels // across
    thread = np.full((tile.pixels, tile.channels), -1)
    for number in range(tile.threads):
        warp, lane = divmod(number, LANES)
        m = warp // warps_across * down * tile.thread_pixels + lane // across * TOGETHER
        n = warp % warps_across * across * tile.thread_channels + lane % across * TOGETHER
        for i in range(tile.thread_pixels):
            row = m + i // TOGETHER * down * TOGETHER + i % TOGETHER
            for j in range(0, tile.thread_channels, TOGETHER):
                thread[row, n + j * across : n + j * across + TOGETHER] = number
    return TileThreads(thread, down, across)


def loads_a_mac(tile: BlockTile) -> dict[str, float]:
    """Return values loaded for one multiply-add, by where from: image and weights,
    or shared memory.
    """
    block = (tile.pixels + tile.channels) / (tile.pixels * tile.channels)
    own = (tile.thread_pixels + tile.thread_channels) / (tile.thread_pixels * tile.thread_channels)
    return {"global memory": block, "shared memory": own}
