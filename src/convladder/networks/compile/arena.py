"""Which arrays of a graph lie in its arena, and from which step to which each is needed."""

from __future__ import annotations

from collections.abc import Container, Mapping, Sequence

from .. import memory
from ..memory import Block
from .graph import Graph, Node
from .operators import ELEMENTWISE, VIEWS

LINE = 64  # bytes: every array begins with a cache line
IN_PLACE = ("Relu", "BatchNormalization", *ELEMENTWISE)  # may write over what they read


def roots(graph: Graph) -> dict[str, str]:
    """Return each tensor that a node makes with the one whose bytes it is, but views of inputs."""
    found: dict[str, str] = {}
    for node in graph.nodes:
        if node.op not in VIEWS:
            found[node.output] = node.output
        elif node.inputs[0] in found:
            found[node.output] = found[node.inputs[0]]
    return found


def blocks(
    graph: Graph, steps: Sequence[Node], rooms: Mapping[str, int], elsewhere: Container[str] = ()
) -> list[Block]:
    """Return a block for each array that `steps` make, in bytes rounded up to whole cache lines.

    `rooms` are bytes that a node needs while it runs, by what it makes. What is `elsewhere` has no
    block. Outputs of the graph live to the end.
    """
    root = {name: of for name, of in roots(graph).items() if of not in elsewhere}
    reads = [(node.output, [root[name] for name in node.inputs if name in root]) for node in steps]
    sizes = {node.output: rounded(graph[node.output].bytes) for node in steps}
    kept = [root.get(name, name) for name in graph.outputs]
    found = []
    for node, block in zip(steps, memory.lifetimes(reads, sizes, kept), strict=True):
        over: tuple[str, ...] = ()
        if node.op in IN_PLACE:
            over = tuple(
                root[name]
                for name in node.inputs
                if name in root and root[name] not in kept and graph[name] == graph[node.output]
            )
        if block.name not in elsewhere:
            found.append(Block(block.name, block.bytes, block.first, block.last, over))
        if rooms.get(node.output):
            found.append(
                Block(f"{node.output}.room", rounded(rooms[node.output]), block.first, block.first)
            )
    return found


def rounded(size: int) -> int:
    """Round up bytes to whole cache lines."""
    return -(-size // LINE) * LINE
