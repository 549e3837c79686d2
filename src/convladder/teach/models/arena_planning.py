"""A reader's planner among the package's, on the graphs of lab 15."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from ... import memory
from ...memory import Block
from ..exercises import load_exercise
from ..grading.check import grade
from ..grading.stages import OVER_BUDGET, PASSED
from ..plots.planners import planners_picture
from ..plots.style import Picture

PACKAGE = {"in order": memory.in_order, "largest first": memory.best_fit, "best": memory.best}


def compare_planners(planner: Callable[[Sequence[Block]], dict[str, int]]) -> Picture:
    """Return arenas on each graph of exercise "my_planner", over the graph's lower bound.

    `planner` takes part if all of its plans are valid, however large.
    """
    from ..exercises.lab15.graphs import graphs

    arenas = {
        name: {graph: _times(blocks, make(blocks).offsets) for graph, blocks in graphs().items()}
        for name, make in PACKAGE.items()
    }
    exercise = load_exercise("my_planner")
    if grade(exercise, planner).stage in (PASSED, OVER_BUDGET):
        plans = {graph: planner(blocks) for graph, blocks in graphs().items()}
        objections = [exercise.accept(graphs()[graph], plan) for graph, plan in plans.items()]
        if all(each is None or each[0] == OVER_BUDGET for each in objections):
            arenas["yours"] = {
                graph: _times(graphs()[graph], plan) for graph, plan in plans.items()
            }
    return planners_picture(arenas)


def _times(blocks: Sequence[Block], offsets: dict[str, int]) -> float:
    """Return an arena over the lower bound."""
    return max(offsets[b.name] + b.bytes for b in blocks) / memory.lower_bound(blocks)
