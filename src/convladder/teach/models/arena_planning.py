"""A reader's planner among the package's, on the graphs of lab 15."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from contextlib import suppress

from ... import memory
from ...memory import Block, Plan
from ...exercises.lab15.graphs import graphs
from ..plots.small_memory import planners_picture
from ..plots.style import Picture

PACKAGE = {"in order": memory.in_order, "largest first": memory.best_fit, "best": memory.best}


def compare_planners(planner: Callable[[Sequence[Block]], dict[str, int]]) -> Picture:
    """Return arenas on each graph of exercise "my_planner", over the graph's lower bound.

    `planner` takes part if all of its plans are valid, however large.
    """
    arenas = {
        name: {graph: _times(blocks, make(blocks).offsets) for graph, blocks in graphs().items()}
        for name, make in PACKAGE.items()
    }
    with suppress(Exception):  # whatever a reader's planner does: then it takes no part
        plans = {g: Plan("yours", blocks, planner(blocks)) for g, blocks in graphs().items()}
        arenas["yours"] = {g: _times(plan.blocks, plan.offsets) for g, plan in plans.items()}
    return planners_picture(arenas)


def _times(blocks: Sequence[Block], offsets: dict[str, int]) -> float:
    """Return an arena over the lower bound."""
    return max(offsets[b.name] + b.bytes for b in blocks) / memory.lower_bound(blocks)
