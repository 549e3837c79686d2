"""The whole network for one block of images, which never leaves the first two caches.

`networks.compile.image_lanes` generates such loops from the layers of a graph.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numba import types

from .....core.jit import compiled_once, numba
from .....cpu.isa import Isa
from ...network import CLASSES, FULL, Weights
from .tile import spread_bytes, tile

PIXELS = 28 * 28
POOLED = (12 * 12 * 6, 4 * 4 * 16)  # values of an image after each pool
BYTES, FLOATS = types.CPointer(types.uint8), types.CPointer(types.float32)
SIGNATURE = types.void(types.int64, BYTES, FLOATS, FLOATS, BYTES)


class BlockTiling(NamedTuple):
    """A block is `groups` of `lanes` images; the others are channels of a tile, layer by layer."""

    lanes: int
    groups: int
    conv1: int
    conv2: int
    first: int
    second: int
    last: int

    @property
    def images(self) -> int:
        """Return the images of a block."""
        return self.groups * self.lanes

    @property
    def scratch(self) -> int:
        """Return how many float32 values a block needs room for."""
        values = POOLED[1] + FULL[0][0] + FULL[1][0] + CLASSES
        return self.lanes * (PIXELS + POOLED[0] + self.groups * values)


def tiling(isa: Isa) -> BlockTiling:
    """Return the largest tiles that the registers hold, of sizes that divide the layers.

    A tile of a product has one weight for each multiply-add of a group. AVX-512 takes it from
    memory on the way; where registers are few and it must be loaded, it had better serve two.
    """
    if isa.registers >= 32:
        return BlockTiling(isa.lanes, 1, conv1=6, conv2=4, first=24, second=28, last=10)
    return BlockTiling(isa.lanes, 2, conv1=3, conv2=2, first=6, second=6, last=5)


def pack(weights: Weights, sizes: BlockTiling) -> np.ndarray:
    """Return all weights in the order of use, one float32 array: a layer's bias, then for a tile's
    channels the steps of the sum. A pixel's byte is scaled by the first layer's."""
    conv1, bias1, conv2, bias2, *full = weights
    parts = []
    for matrix, bias, channels in (
        ((conv1 * np.float32(1 / 255)).reshape(25, 6), bias1, sizes.conv1),
        (conv2.reshape(150, 16), bias2, sizes.conv2),
        (full[0].T, full[1], sizes.first),
        (full[2].T, full[3], sizes.second),
        (full[4].T, full[5], sizes.last),
    ):
        steps, k_c = matrix.shape
        tiles = matrix.reshape(steps, k_c // channels, channels).transpose(1, 0, 2)
        parts += [bias, tiles.ravel()]
    return np.concatenate(parts)


@compiled_once
def compiled(sizes: BlockTiling):
    """Return `label(blocks, images, weights, scratch, labels)`, a C function for so many blocks of
    `sizes.images` images.

    Arrays may begin anywhere, best at a cache line. Kept on disk by Numba.
    """
    # Constants to the compiler, and part of the name under which the code is kept.
    lanes, groups, c1, c2, c3, c4, c5 = sizes

    @numba.cfunc(SIGNATURE, cache=True)
    def label(blocks, images, weights, scratch, labels):
        # Where maps begin in the scratch, and layers in the weights, each with its bias.
        pooled = 784 * lanes
        flat = pooled + 864 * lanes
        first = flat + groups * 256 * lanes
        second = first + groups * 120 * lanes
        logits = second + groups * 84 * lanes
        w_conv2 = 6 + 25 * 6
        w_first = w_conv2 + 16 + 150 * 16
        w_second = w_first + 120 + 256 * 120
        w_logits = w_second + 84 + 120 * 84
        arrays = (scratch, weights, weights, scratch)
        for block in range(blocks):
            for group in range(groups):
                source = (block * groups + group) * lanes * 784
                done = 0  # pixels that lie in the scratch
                # Row by row through both convolutions, so that what is read was just written.
                for h in range(12):
                    needed = min(784, -(-(2 * h + 6) * 28 // lanes) * lanes)
                    spread_bytes(lanes, 784, images, source, done, needed, scratch)
                    done = needed
                    for c in range(0, 6, c1):
                        for v in range(12):
                            tile(
                                (lanes, c1, 5, 5, 28, 1, 1, 1, 0, 4),
                                arrays,
                                (
                                    (2 * h * 28 + 2 * v) * lanes,
                                    6 + c * 25,
                                    c,
                                    pooled + ((h * 12 + v) * 6 + c) * lanes,
                                ),
                            )
                    if h < 5 or h % 2 == 0:
                        continue  # six rows are needed, then two more each time
                    row = (h - 5) // 2
                    for c in range(0, 16, c2):
                        for v in range(4):
                            tile(
                                (lanes, c2, 5, 30, 72, 6, 1, 1, 0, 4),
                                arrays,
                                (
                                    pooled + (2 * row * 72 + 2 * v * 6) * lanes,
                                    w_conv2 + 16 + c * 150,
                                    w_conv2 + c,
                                    flat + (group * 256 + (row * 4 + v) * 16 + c) * lanes,
                                ),
                            )
            for c in range(0, 120, c3):
                tile(
                    (lanes, c3, 1, 256, 0, 256, 0, 1, 120, groups),
                    arrays,
                    (flat, w_first + 120 + c * 256, w_first + c, first + c * lanes),
                )
            for c in range(0, 84, c4):
                tile(
                    (lanes, c4, 1, 120, 0, 120, 0, 1, 84, groups),
                    arrays,
                    (first, w_second + 84 + c * 120, w_second + c, second + c * lanes),
                )
            for c in range(0, 10, c5):
                tile(
                    (lanes, c5, 1, 84, 0, 84, 0, 0, 10, groups),
                    arrays,
                    (second, w_logits + 10 + c * 84, w_logits + c, logits + c * lanes),
                )
            found = numba.carray(scratch, logits + groups * 10 * lanes)
            answers = numba.carray(labels, blocks * groups * lanes)
            for image in range(groups * lanes):
                at = logits + image // lanes * 10 * lanes + image % lanes
                best = 0
                for digit in range(1, 10):
                    if found[at + digit * lanes] > found[at + best * lanes]:
                        best = digit
                answers[block * groups * lanes + image] = best

    return label
