"""A graph's cost on paper: bytes to and from memory, arithmetic, nodes; chapter 02's model."""

from __future__ import annotations

from dataclasses import dataclass
from math import prod

from .graph import Graph
from .operators import VIEWS, infer_shapes, operator


@dataclass(frozen=True)
class Cost:
    """`map_bytes`: every node reads its maps from memory and writes its own there once;
    `weight_bytes` likewise of constants. `passes` counts values that nodes other than `Conv`,
    `Gemm` and views go through: each is an operation of its own."""

    nodes: int
    macs: int
    passes: int
    map_bytes: int
    weight_bytes: int

    @property
    def bytes(self) -> int:
        return self.map_bytes + self.weight_bytes

    def __sub__(self, other: Cost) -> Cost:
        """Return the saving from this cost to `other`."""
        return Cost(
            *(
                getattr(self, name) - getattr(other, name)
                for name in ("nodes", "macs", "passes", "map_bytes", "weight_bytes")
            )
        )

    def __str__(self) -> str:
        return (
            f"{self.nodes} nodes, {self.macs:,} MACs, {self.passes:,} other operations, "
            f"{self.map_bytes:,} B of maps, {self.weight_bytes:,} B of weights"
        )


def cost(graph: Graph) -> Cost:
    """Return the cost of `graph`, whose shapes are inferred if they are not known."""
    graph = graph if graph.tensors else infer_shapes(graph)
    macs = passes = map_bytes = 0
    for node in graph.nodes:
        tensors = [graph[name] for name in node.inputs]
        macs += operator(node).macs(node, tensors)
        if node.op in VIEWS:
            continue
        result = graph[node.output]
        maps = [
            t for name, t in zip(node.inputs, tensors, strict=True) if name not in graph.constants
        ]
        map_bytes += result.bytes + sum(t.bytes for t in maps)
        if node.op not in ("Conv", "Gemm", "ImagesInLanes"):
            passes += max(prod(t.shape) for t in (*tensors, result))
    read = {name for node in graph.nodes for name in node.inputs} & graph.constants.keys()
    return Cost(
        len(graph.nodes),
        macs,
        passes,
        map_bytes,
        sum(graph.constants[name].nbytes for name in read),
    )
