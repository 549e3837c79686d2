"""The graphs that lab 15's planners are tried on: arrays with their lives."""

from __future__ import annotations

from functools import cache

import numpy as np

from ....compile import NETWORKS, optimise
from ....compile.arena import VIEWS, blocks
from ....memory import Block
from ...models.arena_puzzle import PUZZLE


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
    return tuple(Block(f"b{at}", 64 * size, at, min(at + 1, len(sizes) - 1))
                 for at, size in enumerate(sizes))


def _of(network: str) -> tuple[Block, ...]:
    graph = optimise(NETWORKS[network](1))[-1].after
    steps = [node for node in graph.nodes if node.op not in VIEWS]
    return tuple(blocks(graph, steps, rooms={}))


def _by_chance(seed: int, count: int, longest: int) -> tuple[Block, ...]:
    rng = np.random.default_rng(seed)
    return tuple(Block(f"t{at}", 64 * int(rng.integers(1, 40)), at,
                       min(count - 1, at + 1 + int(rng.integers(0, longest) ** 2 // longest)))
                 for at in range(count))
