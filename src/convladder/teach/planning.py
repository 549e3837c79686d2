"""A reader's planner among the package's, on the graphs of lab 14."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from .. import memory
from ..memory import Block
from .check import judge
from .exercises import load_exercises
from .plots.planners import planners_picture
from .plots.style import Picture
from .verdict import OVER_BUDGET

PACKAGE = {"in order": memory.in_order, "largest first": memory.best_fit, "best": memory.best}


def planning(planner: Callable[[Sequence[Block]], dict[str, int]]) -> Picture:
    """Arenas on each graph of exercise "my_planner", over the graph's lower bound.

    `planner` takes part if the check passes it or finds its plans valid but large.
    """
    from .exercises.lab14.graphs import graphs

    found = {name: {graph: _times(blocks, make(blocks).offsets) for graph, blocks in
                    graphs().items()} for name, make in PACKAGE.items()}
    verdict = judge(load_exercises()["my_planner"], planner)
    if verdict.passed or verdict.stage == OVER_BUDGET:
        found["yours"] = {graph: _times(blocks, planner(blocks))
                          for graph, blocks in graphs().items()}
    return planners_picture(found)


def _times(blocks: Sequence[Block], offsets: dict[str, int]) -> float:
    """An arena over the lower bound."""
    return max(offsets[b.name] + b.bytes for b in blocks) / memory.lower_bound(blocks)
