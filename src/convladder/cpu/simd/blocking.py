"""How a convolution is cut up: the tile's size, boxes of output pixels, tiles, groups of channels.

Everything follows from the problem and the machine; no shape has a rule of its own.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import lru_cache
from typing import NamedTuple

import numpy as np

from ...core.problem import ConvProblem
from ..isa import Isa

LEAST_LANES = 4  # no processor here has shorter vectors
WEIGHTS_IN_CACHE = 2**20  # bytes: a second-level cache, or a part of the third
IMAGE_IN_CACHE = 2**18  # bytes, beside weights that all stay there
MOST_PIXELS = 14  # beyond, a tile gains little and costs compilation
TILE_OVERHEAD = 1  # of starting a tile and loading its weights, in pixels' time


class Tile(NamedTuple):
    """The largest tile: output pixels by vectors of `lanes` channels."""

    pixels: int
    vectors: int
    lanes: int


BOX = np.dtype(
    [
        (name, np.int64)
        for name in (
            *("images", "rows", "cols"),  # sides of the box, in output pixels
            *("tiles", "cost"),  # tiles it is cut into; steps of one, and a step to start
            *("x_at", "w_at", "y_at"),  # first value of x and y, first step of the weights
            *("k_rows", "run"),  # kernel rows inside the image, and steps of each
        )
    ]
)
LAYOUT = np.dtype(
    [
        (name, np.int64)
        for name in (
            *("boxes", "steps", "k_c"),
            # vectors of channels in all; blocks they make; blocks done before the next group's
            *("vectors", "blocks", "group"),
            "cost",  # of everything
            *("x_col", "x_row", "x_image", "x_next"),  # values from one to the next
            *("y_col", "y_row", "y_image"),
            "w_next",  # steps from a kernel row to the next
            "x_step",  # values of x from a step to the next
            "tiles",  # address of the addresses of tiles, see `tile_table`; 0 in a plan
        )
    ]
)


@lru_cache(maxsize=256)
def tile_for(problem: ConvProblem, isa: Isa, times: int = 1) -> Tile:
    """Return the largest tile for a problem that the registers of `isa` hold.

    A step loads `p + v` values and vectors for `p · v` multiply-adds: of 1, 2 or 4 vectors, those
    that load least (6 x 4 of 32 registers, 6 x 2 of 16). Fewer vectors where there are no more
    channels, and where weights do not stay in the cache from tile to tile: all of them for 4,
    beside a part of the image; for 2 those of two vectors. Then more pixels should share each load.
    Channels that fit into half a vector get a shorter one. The image's size does not count: who has
    packed the weights may use them for any. `times`: how many such problems, of a small image,
    follow on each other, with weights of their own.
    """
    lanes = isa.lanes
    while lanes > LEAST_LANES and problem.k_c <= lanes // 2:
        lanes //= 2
    there = -(-problem.k_c // lanes)
    column, image = 4 * problem.window, IMAGE_IN_CACHE if times == 1 else 0
    near = {1: 0, 2: column * 2 * lanes, 4: column * problem.k_c * times + image}
    sizes = [
        Tile(min((isa.registers - v - 1) // v, MOST_PIXELS), v, lanes)  # one for the input value
        for v, weights in near.items()
        if v == 1 or v // 2 < there and weights <= WEIGHTS_IN_CACHE
    ]
    return min(sizes, key=lambda size: 1 / size.pixels + 1 / size.vectors)


@lru_cache(maxsize=256)
def plan(
    problem: ConvProblem, size: Tile, threads: int, apart: int = 1
) -> tuple[np.ndarray, np.ndarray]:
    """Return `(layout, boxes)` for `threads` threads: a LAYOUT, several BOX, all seen as int64.

    `apart`: values of x from a pixel's step of the sum to the next one's, 1 but for depthwise
    convolution. Dilation along the width needs it: else a kernel row's steps lie side by side.
    """
    p = problem
    rows = list(clips(p.o_h, p.k_h, p.i_h, p.s_h, p.p_h, p.d_h))
    cols = list(clips(p.o_w, p.k_w, p.i_w, p.s_w, p.p_w, p.d_w))
    vectors, blocks = channel_blocks(p.k_c, size)
    groups = -(-blocks // max(1, WEIGHTS_IN_CACHE // (4 * p.window * size.lanes * size.vectors)))
    # Every thread should find several tiles to do, else the groups are made smaller.
    fewest = len(rows) * len(cols) + p.pixels // size.pixels
    groups = min(blocks, max(groups, -(-4 * threads // fewest)))
    group = -(-blocks // groups)
    image, row, pixel = (apart * p.i_c * pixels for pixels in (p.i_h * p.i_w, p.i_w, 1))
    boxes = []
    for top, bottom, a_first, a_last in rows:
        for left, right, b_first, b_last in cols:
            k_rows, k_cols = a_last - a_first, b_last - b_first
            inside = k_rows > 0 and k_cols > 0  # else zeros are stored, and nothing is read
            steps = k_rows * k_cols * p.i_c
            x_row = top * p.s_h - p.p_h + a_first * p.d_h
            x_col = left * p.s_w - p.p_w + b_first * p.d_w
            sides = p.i_n, bottom - top, right - left
            boxes.append(
                (
                    *sides,
                    tiles(int(np.prod(sides)), size.pixels, groups, threads),
                    steps + 1,
                    x_row * row + x_col * pixel if inside else 0,
                    (a_first * p.k_w + b_first) * p.i_c if inside else 0,
                    (top * p.o_w + left) * p.k_c,
                    *((k_rows, k_cols * p.i_c) if inside else (0, 0)),
                )
            )
    boxes = np.array(boxes, BOX)
    layout = (
        *(len(boxes), p.window, p.k_c, vectors, blocks, group),
        vectors * int((boxes["tiles"] * boxes["cost"]).sum()),
        *(p.s_w * pixel, p.s_h * row, image, p.d_h * row),
        *(p.k_c, p.o_w * p.k_c, p.o_h * p.o_w * p.k_c),
        *(p.k_w * p.i_c, p.d_w * apart, 0),
    )
    return np.array(layout, np.int64), boxes.view(np.int64)


def tile_sizes(layout: np.ndarray, boxes: np.ndarray) -> frozenset[tuple[int, int]]:
    """Return the `(pixels, vectors)` of all tiles of a plan: tiles are as equal as can be."""
    a = layout.view(LAYOUT)[0]
    vectors = _parts(a["vectors"], a["blocks"])
    return frozenset(
        (pixels, each)
        for box in boxes.view(BOX)
        for each in vectors
        for pixels in _parts(box["images"] * box["rows"] * box["cols"], box["tiles"])
    )


def _parts(whole: int, count: int) -> set[int]:
    """Return the sizes of `count` parts that differ by one at most."""
    return {int(whole // count), int(-(-whole // count))}


def channel_blocks(k_c: int, size: Tile) -> tuple[int, int]:
    """Return `(vectors, blocks)`: vectors of channels, and into how many blocks they are put.

    Blocks are as equal as can be, the first ones larger by one: a last block of a single vector
    would load almost as much as it multiplies.
    """
    vectors = -(-k_c // size.lanes)
    return vectors, -(-vectors // size.vectors)


def clips(
    o: int, k: int, i: int, s: int, p: int, d: int = 1
) -> Iterator[tuple[int, int, int, int]]:
    """Yield, along an axis, outputs `[begin, end)` that see one part `[first, last)` of the kernel.

    What lies in the padding is cut off, so that no zero is ever multiplied, nor stored.
    """
    begin, part = 0, None
    for at in range(o):
        first, last = max(0, -(-(p - s * at) // d)), min(k, -(-(i + p - s * at) // d))
        now = (first, last) if first < last else (0, 0)
        if part is not None and now != part:
            yield begin, at, *part
            begin = at
        part = now
    yield begin, o, *part


def tiles(pixels: int, most: int, groups: int, threads: int) -> int:
    """Return how many tiles of `most` pixels or less to cut a box into, done `groups` times.

    The fewest, unless more of them share out better among the threads.
    """
    fewest = -(-pixels // most)

    def time(count: int) -> float:
        return -(-count * groups // threads) * (pixels / count + TILE_OVERHEAD)

    return min(range(fewest, min(pixels, fewest + threads) + 1), key=time)
