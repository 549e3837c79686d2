"""How a convolution is cut up: the tile's size, boxes of output pixels, tiles, panels of channels.

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
HALF_WAY = 2048  # bytes: of lines so far apart every other shares a set of the first-level cache,
MOST_IN_A_SET = 8  # of 8 or 12 ways: pixels
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
            # kernel rows inside the image; of each, runs of values side by side; steps of one
            *("k_rows", "k_cols", "run"),
        )
    ]
)
LAYOUT = np.dtype(
    [
        (name, np.int64)
        for name in (
            *("boxes", "steps"),
            # of one group of the problem: vectors of its filters, blocks they make; from a group to
            # the next, values in x, in the weights and in y
            *("vectors", "blocks", "x_group", "w_group", "y_group"),
            # blocks of all groups; those of a panel, which are done before the next panel's
            *("all_blocks", "panel"),
            "cost",  # of everything
            # values from one to the next
            *("x_col", "x_row", "x_image", "x_next", "x_col_next"),
            *("y_col", "y_row", "y_image"),
            "w_next",  # steps from a kernel row to the next
            *("lanes", "each_own"),  # of a vector; whether channels have filters of their own
            "tiles",  # address of the addresses of tiles, see `tile_table`; 0 in a plan
        )
    ]
)


@lru_cache(maxsize=256)
def tile_for(problem: ConvProblem, isa: Isa, times: int = 1) -> Tile:
    """Return the largest tile for a problem that the registers of `isa` hold.

    A step loads `p + v` values and vectors for `p · v` multiply-adds. Of 1, 2 or 4 vectors, take
    the number that loads least (6 x 4 with 32 registers, 6 x 2 with 16). Take fewer where there are
    no more channels, or where weights do not stay in the cache from tile to tile: for 4 vectors all
    weights must fit, beside a part of the image; for 2, those of two vectors. Otherwise more pixels
    should share each load. Channels that fit into half a vector get a shorter one. Pixels that
    share a set of the first-level cache are no more than its ways, or they would push each other
    out. The image's size does not count, since packed weights may be used for any image. `times`:
    how many such problems, of a small image, follow each other, each with its own weights.
    """
    lanes = isa.lanes
    while lanes > LEAST_LANES and problem.group_k_c <= lanes // 2:
        lanes //= 2
    there = -(-problem.group_k_c // lanes)
    most = MOST_IN_A_SET if 4 * problem.s_w * problem.i_c % HALF_WAY == 0 else MOST_PIXELS
    column, image = 4 * problem.window, IMAGE_IN_CACHE if times == 1 else 0
    near = {1: 0, 2: column * 2 * lanes, 4: column * problem.group_k_c * times + image}
    sizes = [
        Tile(min((isa.registers - v - 1) // v, most), v, lanes)  # one for the input value
        for v, weights in near.items()
        if v == 1 or v // 2 < there and weights <= WEIGHTS_IN_CACHE
    ]
    return min(sizes, key=lambda size: 1 / size.pixels + 1 / size.vectors)


@lru_cache(maxsize=256)
def plan(
    problem: ConvProblem, size: Tile, threads: int, channels: int | None = None
) -> tuple[np.ndarray, np.ndarray]:
    """Return `(layout, boxes)` for `threads` threads: a LAYOUT, several BOX, all seen as int64.

    `channels`: of a depthwise convolution, whose `problem` is as `depthwise` describes it.
    """
    p = problem
    side_by_side = channels is None and p.groups == p.d_w == 1  # a kernel row is one run
    rows = list(clips(p.o_h, p.k_h, p.i_h, p.s_h, p.p_h, p.d_h))
    cols = list(clips(p.o_w, p.k_w, p.i_w, p.s_w, p.p_w, p.d_w))
    vectors, blocks = channel_blocks(p.group_k_c, size)
    all_blocks, near = p.groups * blocks, 4 * p.window * size.lanes * size.vectors
    if p.groups > 1:  # each has its own part of the image, too
        near += 4 * p.k_h * p.i_w * p.group_i_c
    panels = -(-all_blocks // max(1, WEIGHTS_IN_CACHE // near))
    # Every thread should find several tiles to do, else the panels are made smaller.
    fewest = len(rows) * len(cols) + p.pixels // size.pixels
    panels = min(all_blocks, max(panels, -(-4 * threads // fewest)))
    panel = -(-all_blocks // panels)
    image, row, pixel = ((channels or p.i_c) * pixels for pixels in (p.i_h * p.i_w, p.i_w, 1))
    boxes = []
    for top, bottom, a_first, a_last in rows:
        for left, right, b_first, b_last in cols:
            k_rows, k_cols = a_last - a_first, b_last - b_first
            inside = k_rows > 0 and k_cols > 0  # else zeros are stored, and nothing is read
            runs, run = (1, k_cols * p.i_c) if side_by_side else (k_cols, p.group_i_c)
            x_row = top * p.s_h - p.p_h + a_first * p.d_h
            x_col = left * p.s_w - p.p_w + b_first * p.d_w
            sides = p.i_n, bottom - top, right - left
            boxes.append(
                (
                    *sides,
                    tiles(int(np.prod(sides)), size.pixels, panels, threads),
                    k_rows * runs * run + 1,
                    x_row * row + x_col * pixel if inside else 0,
                    (a_first * p.k_w + b_first) * p.group_i_c if inside else 0,
                    (top * p.o_w + left) * p.k_c,
                    *((k_rows, runs, run) if inside else (0, 0, 0)),
                )
            )
    boxes = np.array(boxes, BOX)
    layout = (
        *(len(boxes), p.window, vectors, blocks),
        *(p.group_i_c, vectors * size.lanes * p.window, p.group_k_c, all_blocks, panel),
        p.groups * vectors * int((boxes["tiles"] * boxes["cost"]).sum()),
        *(p.s_w * pixel, p.s_h * row, image, p.d_h * row, p.d_w * pixel),
        *(p.k_c, p.o_w * p.k_c, p.o_h * p.o_w * p.k_c),
        *(p.k_w * p.group_i_c, size.lanes, channels is not None, 0),
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


def tiles(pixels: int, most: int, panels: int, threads: int) -> int:
    """Return how many tiles of `most` pixels or less to cut a box into, done `panels` times.

    The fewest, unless more of them share out better among the threads.
    """
    fewest = -(-pixels // most)

    def time(count: int) -> float:
        return -(-count * panels // threads) * (pixels / count + TILE_OVERHEAD)

    return min(range(fewest, min(pixels, fewest + threads) + 1), key=time)
