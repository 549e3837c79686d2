"""The pixels of each tile of a plan, thread by thread, in the kernel's own order."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from ...core.problem import ConvProblem
from .blocking import BOX, LAYOUT, Tile, plan
from .tile_order import place_of, tiles_of


def tile_pixels(problem: ConvProblem, tile: Tile, threads: int) -> Iterator[tuple[int, list[int]]]:
    """Yield a thread and the output pixels, by number, of each tile of one image and one group."""
    p = problem
    layout, boxes = (
        each.view(kind).view(np.recarray)
        for each, kind in zip(plan(p, tile, threads), (LAYOUT, BOX), strict=True)
    )
    for thread in range(threads):
        before = 0
        for box in boxes.reshape(-1):
            first, last, before = tiles_of.py_func(
                layout[0], box, tile.vectors, before, thread, threads
            )
            for number in range(first, last):
                _, row, col, fewest, larger = place_of.py_func(box, number)
                at = row * box.cols + col + np.arange(fewest + (number < larger))
                corner = box.y_at // p.k_c
                yield thread, [int(corner + i // box.cols * p.o_w + i % box.cols) for i in at]
