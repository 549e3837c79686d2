"""Passes: each takes a graph and returns one that computes the same, in a function of its own.

`optimise` runs them in order and keeps every step, to be shown: graph before, graph after, and
what was saved.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from ..cost import Cost, cost
from ..graph import Graph, Node
from ..operators import infer_shapes
from .dead import remove_dead
from .fold import fold_batch_norm, fold_constants, fold_scale
from .fuse import fuse_add, fuse_pool, fuse_relu
from .lanes import images_in_lanes
from .layout import to_nhwc
from .rematerialise import compute_again

Pass = Callable[[Graph], Graph]
# In an order in which each prepares the next: normalisation must be gone before ReLU can follow the
# convolution, an addition comes before its ReLU, and a pool after it.
PASSES: tuple[Pass, ...] = (
    infer_shapes,
    fold_constants,
    remove_dead,
    fold_batch_norm,
    fold_scale,
    fuse_add,
    fuse_relu,
    fuse_pool,
    to_nhwc,
    remove_dead,
)


@dataclass(frozen=True)
class PassResult:
    """One pass as it ran; both graphs know their shapes."""

    name: str
    before: Graph
    after: Graph

    @property
    def saved(self) -> Cost:
        """Return the nodes, bytes and operations that the pass saved; negative if it added some."""
        return cost(self.before) - cost(self.after)

    @property
    def gone(self) -> list[Node]:
        """Return the nodes of `before` that are not in `after` as they were, for pictures."""
        return [node for node in self.before.nodes if node not in self.after.nodes]

    @property
    def new(self) -> list[Node]:
        """Return the nodes of `after` that were not in `before` as they are."""
        return [node for node in self.after.nodes if node not in self.before.nodes]

    def __str__(self) -> str:
        return f"{self.name}: saves {self.saved}"


def optimise(graph: Graph, passes: Sequence[Pass] = PASSES) -> list[PassResult]:
    """Run `passes` in order; the last step's `after` is the result. Raises `GraphError`."""
    steps, graph = [], infer_shapes(graph)
    for run in passes:
        after = infer_shapes(run(graph))
        steps.append(PassResult(run.__name__, graph, after))
        graph = after
    return steps


def stages(graph: Graph, passes: Sequence[Pass] = PASSES) -> dict[str, Graph]:
    """Return the graph as it came and after each pass that saves something, by pass.

    All have been through `to_nhwc` as well, without which no kernel takes them.
    """
    found = {"as it came": infer_shapes(to_nhwc(infer_shapes(graph)))}
    for step in optimise(graph, passes):
        after = infer_shapes(to_nhwc(step.after))
        if after.nodes != list(found.values())[-1].nodes:
            found[step.name] = after
    return found


__all__ = [
    "PASSES",
    "Pass",
    "PassResult",
    "compute_again",
    "fold_batch_norm",
    "fold_constants",
    "fold_scale",
    "fuse_add",
    "fuse_pool",
    "fuse_relu",
    "images_in_lanes",
    "infer_shapes",
    "optimise",
    "remove_dead",
    "stages",
    "to_nhwc",
]
