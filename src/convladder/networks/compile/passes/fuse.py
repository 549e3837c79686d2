"""Fusion: steps after a convolution or a product, done before its result goes to memory."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

import numpy as np

from ..graph import Graph, Node


def fuse_relu(graph: Graph) -> Graph:
    """Fuse `Relu` into the `Conv` or `Gemm` that alone it follows."""
    return _fuse(
        graph,
        "Relu",
        lambda before, relu: before.having(relu=True) if _plain(before) else None,
    )


def fuse_pool(graph: Graph) -> Graph:
    """Fuse `MaxPool` whose windows do not overlap into the `Conv` that alone it follows."""

    def merge(before: Node, pool: Node) -> Node | None:
        apart = pool.get("kernel") == pool.get("stride")
        if before.op == "Conv" and not before.get("pool") and apart:
            return before.having(pool=pool.get("kernel"))
        return None

    return _fuse(graph, "MaxPool", merge)


def fuse_add(graph: Graph) -> Graph:
    """Fuse `Add` of two maps into the `Conv` that makes one of them: a skip connection's sum.

    The convolution then runs where the addition did, after what it adds.
    """
    constants = dict(graph.constants)

    def merge(before: Node, add: Node) -> Node | None:
        other = add.inputs[1] if add.inputs[0] == before.output else add.inputs[0]
        linear = before.op == "Conv" and _plain(before) and len(before.inputs) < 4
        same = graph[other] == graph[before.output] and other not in graph.constants
        if not linear or not same or other == before.output:
            return None
        inputs = before.inputs
        if len(inputs) == 2:
            k_c = graph[before.output].shape[3 if before.get("layout") == "NHWC" else 1]
            name = graph.fresh(f"{before.output}.zeros")
            constants[name] = np.zeros(k_c, np.float32)
            inputs = (*inputs, name)
        return replace(before, inputs=(*inputs, other))

    return _fuse(graph, "Add", merge, constants)


def _plain(node: Node) -> bool:
    """Whether `node` is a `Conv` or `Gemm` that ends with its sum."""
    return node.op in ("Conv", "Gemm") and not node.get("relu") and not node.get("pool")


def _fuse(
    graph: Graph,
    op: str,
    merge: Callable[[Node, Node], Node | None],
    constants: dict[str, np.ndarray] | None = None,
) -> Graph:
    """Put `merge(before, after)` in the place of each `after` of operator `op`, unless it is None.

    `before` makes one of its inputs, which nobody else reads. `constants` are the new graph's.
    """
    nodes = {node.output: node for node in graph.nodes}
    for after in graph.nodes:
        if after.op != op:
            continue
        for name in after.inputs:
            before = nodes.get(name)
            if before is None or graph.only_user(name) is None:
                continue
            fused = merge(before, after)
            if fused:
                del nodes[name]
                nodes[after.output] = replace(fused, output=after.output)
                break
    return graph.having(nodes=tuple(nodes.values()), constants=constants or graph.constants)
