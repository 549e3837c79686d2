"""Compute a tensor again for a late reader, so that it need not be kept until then."""

from __future__ import annotations

from dataclasses import replace

from ..graph import Graph, GraphError


def compute_again(graph: Graph, tensor: str, reader: str) -> Graph:
    """Return `graph` with a second node that makes `tensor`, right before its reader `reader`.

    Not one of `PASSES`: it costs arithmetic, and pays only where memory is what lacks. The copy is
    named `tensor.again`. What the maker reads is then kept as long: it may lie elsewhere (an
    input), be smaller, or be computed again too. Raises `GraphError` for names that do not fit.
    """
    makers = {node.output: node for node in graph.nodes}
    if tensor not in makers:
        raise GraphError(f"{graph.name}: no node makes {tensor!r}, so none can make it again")
    if reader not in makers or tensor not in makers[reader].inputs:
        raise GraphError(
            f"{graph.name}: {reader!r} is not a node that reads {tensor!r}; its "
            f"readers are {', '.join(node.output for node in graph.users(tensor))}"
        )
    name = graph.fresh(f"{tensor}.again")
    nodes = []
    for node in graph.nodes:
        if node.output == reader:
            nodes.append(replace(makers[tensor], output=name))
            inputs = tuple(name if each == tensor else each for each in node.inputs)
            node = replace(node, inputs=inputs)
        nodes.append(node)
    return graph.having(nodes=tuple(nodes))
