"""The graphs that planners are tried on: blocks with their lives."""

from __future__ import annotations

from functools import cache

import numpy as np

from ...networks.compile import NETWORKS, optimise
from ...networks.compile.arena import blocks
from ...networks.compile.operators import VIEWS
from ...networks.memory import PUZZLE, Block


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
    last = len(sizes) - 1
    return tuple(Block(f"b{i}", 64 * size, i, min(i + 1, last)) for i, size in enumerate(sizes))


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
