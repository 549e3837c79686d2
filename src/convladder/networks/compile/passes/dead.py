"""Dead code: nodes that no output needs."""

from __future__ import annotations

from ..graph import Graph


def remove_dead(graph: Graph) -> Graph:
    """Leave out nodes and constants that no output depends on. Inputs stay: callers give them."""
    needed, nodes = set(graph.outputs), []
    for node in reversed(graph.nodes):
        if node.output in needed:
            nodes.append(node)
            needed.update(node.inputs)
    constants = {name: array for name, array in graph.constants.items() if name in needed}
    return graph.having(nodes=tuple(reversed(nodes)), constants=constants)
