"""Work on constants done once, by the compiler."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from ....cpu.batchnorm import fold_batchnorm
from ..graph import Graph, Node
from ..interpreter import value
from ..operators import infer_shapes

LEAST = 1e-30  # of a filter's largest weight: float32 resolves 1e-45, and 1e-15 of it is enough


def fold_constants(graph: Graph) -> Graph:
    """Compute nodes that read nothing but constants, and leave out `Identity` nodes."""
    graph = graph if graph.tensors else infer_shapes(graph)
    constants, nodes, renamed = dict(graph.constants), [], {}
    for node in graph.nodes:
        node = replace(node, inputs=tuple(renamed.get(name, name) for name in node.inputs))
        if node.op == "Identity" and node.output not in graph.outputs:
            renamed[node.output] = node.inputs[0]
        elif all(name in constants for name in node.inputs) and node.output not in graph.outputs:
            wide = [constants[name].astype(np.float64) for name in node.inputs]
            made = np.asarray(value(node, wide), graph[node.output].dtype, order="C")
            constants[node.output] = made
        else:
            nodes.append(node)
    return graph.having(nodes=tuple(nodes), constants=constants)


def fold_batch_norm(graph: Graph) -> Graph:
    """Multiply a `BatchNormalization` into the weights of the convolution before it.

    Where the convolution's result has other readers, or is not alone linear (a ReLU is fused), it
    stays as it is; so it does where weights would leave float32.
    """
    constants, nodes = dict(graph.constants), {node.output: node for node in graph.nodes}
    for norm in graph.nodes:
        conv = nodes.get(norm.inputs[0]) if norm.op == "BatchNormalization" else None
        if not _foldable(graph, conv, norm):
            continue
        weights, *bias = (constants[name] for name in conv.inputs[1:])
        gamma, beta, mean, variance = (constants[name] for name in norm.inputs[1:])
        epsilon = norm.get("epsilon", 1e-5)
        last = -1 if conv.get("layout") == "NHWC" else 0  # the axis of output channels
        weights = np.moveaxis(weights, last, -1)
        if variance.min() < 0 or not _keeps(weights, gamma / np.sqrt(variance + epsilon)):
            continue
        w, shift = fold_batchnorm(
            weights, bias[0] if bias else None, gamma, beta, mean, variance, epsilon
        )
        names = graph.fresh(f"{norm.output}.w"), graph.fresh(f"{norm.output}.bias")
        constants |= {names[0]: np.ascontiguousarray(np.moveaxis(w, -1, last)), names[1]: shift}
        del nodes[conv.output]
        nodes[norm.output] = replace(conv, inputs=(conv.inputs[0], *names), output=norm.output)
    return graph.having(nodes=tuple(nodes.values()), constants=constants)


def _foldable(graph: Graph, conv: Node | None, norm: Node) -> bool:
    if conv is None or conv.op != "Conv" or graph.only_user(conv.output) is None:
        return False
    linear = not conv.get("relu") and not conv.get("pool") and len(conv.inputs) < 4
    fixed = (*conv.inputs[1:], *norm.inputs[1:])
    return linear and all(name in graph.constants for name in fixed)


def _keeps(w: np.ndarray, by: np.ndarray | float) -> bool:
    """Whether float32 holds the filters `w[..., k_c]` times `by`, neither infinite nor as zeros."""
    largest = np.abs(w).max(axis=(0, 1, 2)).astype(np.float64)
    with np.errstate(invalid="ignore"):
        largest = largest * np.abs(by)
    return bool(((largest == 0) | (largest > LEAST) & (largest < np.finfo(np.float32).max)).all())


def fold_scale(graph: Graph) -> Graph:
    """Multiply a `Mul` or `Div` by one constant into the weights of the convolution after it.

    The padding is 0, which no factor changes. Where products would leave float32, it stays.
    """
    constants, nodes = dict(graph.constants), {node.output: node for node in graph.nodes}
    for scale in graph.nodes:
        conv = graph.only_user(scale.output)
        if scale.op not in ("Mul", "Div") or conv is None or conv.op != "Conv":
            continue
        factor = constants.get(scale.inputs[1])
        weights = constants.get(conv.inputs[1])
        if factor is None or factor.size != 1 or weights is None or scale.output in conv.inputs[1:]:
            continue
        by = float(factor.reshape(()))
        if scale.op == "Div":
            by = 1 / by if by else np.inf
        last = -1 if conv.get("layout") == "NHWC" else 0
        if not _keeps(np.moveaxis(weights, last, -1), by):
            continue
        name = graph.fresh(f"{conv.output}.scaled")
        constants[name] = (weights.astype(np.float64) * by).astype(np.float32)
        conv = nodes[conv.output]
        inputs = (scale.inputs[0], name, *conv.inputs[2:])
        nodes[conv.output] = replace(conv, inputs=inputs)
        del nodes[scale.output]
    return graph.having(nodes=tuple(nodes.values()), constants=constants)
