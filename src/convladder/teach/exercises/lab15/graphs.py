"""The graphs that lab 15's planners are tried on: arrays with their lives."""

from __future__ import annotations

from functools import cache

import numpy as np

from ....compile import NETWORKS, optimise
from ....compile.arena import VIEWS, blocks
from ....memory import PUZZLE, Block

# Sizes in bytes, and lives.
ARRAYS = (
    ([128, 64, 100], [(0, 1), (1, 2), (2, 2)]),
    ([300, 200, 100, 300], [(0, 1), (1, 2), (2, 3), (3, 3)]),
    ([200, 700, 200, 600, 610, 400, 720], [(0, 3), (0, 1), (0, 3), (1, 3), (3, 5), (4, 5), (4, 5)]),
    # Gaps as large as the array, several gaps to choose from, low arrays beside tall ones.
    (
        [320, 192, 192, 320, 128, 320, 192, 320, 256],
        [(3, 6), (1, 4), (1, 1), (1, 4), (1, 2), (5, 5), (0, 1), (2, 2), (3, 3)],
    ),
    # Between 100 and 128 there are bytes, but no whole line.
    ([200, 100, 60, 20], [(0, 2), (0, 3), (1, 2), (0, 3)]),
    # Behind the third array, which begins higher than the first, the first still reaches further.
    ([1000, 448, 100, 50], [(0, 1), (2, 3), (3, 4), (1, 4)]),
    # The third array fits into two gaps, of which the higher one is larger.
    ([256, 128, 64, 320, 192, 100], [(3, 3), (0, 1), (1, 2), (3, 5), (0, 0), (2, 3)]),
    # Of the two that the last one meets, that which begins higher ends lower.
    ([1000, 512, 100, 64], [(0, 1), (3, 4), (2, 3), (1, 2)]),
)


@cache
def graphs() -> dict[str, tuple[Block, ...]]:
    """Return blocks by the graph's name; sizes in bytes."""
    return {
        "puzzle": PUZZLE,
        "chain": chain(5, 4, 3, 5, 1, 6, 2),
        **{name: _of(name) for name in ("skip", "depthwise")},
        "branches": _by_chance(12, 24, 6),
        "long skips": _by_chance(39, 30, 14),
    }


def chain(*sizes: int) -> tuple[Block, ...]:
    """Return blocks of so many lines of 64 bytes, each of which the next one is made from."""
    return tuple(
        Block(f"b{at}", 64 * size, at, min(at + 1, len(sizes) - 1)) for at, size in enumerate(sizes)
    )


def _of(network: str) -> tuple[Block, ...]:
    graph = optimise(NETWORKS[network](1))[-1].after
    steps = [node for node in graph.nodes if node.op not in VIEWS]
    return tuple(blocks(graph, steps, rooms={}))


def _by_chance(seed: int, count: int, longest: int) -> tuple[Block, ...]:
    rng = np.random.default_rng(seed)
    return tuple(
        Block(
            f"t{at}",
            64 * int(rng.integers(1, 40)),
            at,
            min(count - 1, at + 1 + int(rng.integers(0, longest) ** 2 // longest)),
        )
        for at in range(count)
    )
