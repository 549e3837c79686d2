"""A whole network as one kernel: an image in each vector lane, chapter 14's best rung on CPUs."""

from __future__ import annotations

import itertools
from typing import NamedTuple

from ..graph import Graph, Node
from ..operators import conv_problem, infer_shapes, operator

LEAST_PIXELS = 16  # pixels of an image come in whole vectors, of this many values at most


class LaneLayer(NamedTuple):
    """A convolution and its pool of 2×2, or a product, where all `k_h k_w i_h i_w` are 1."""

    i_h: int
    i_w: int
    i_c: int
    k_h: int
    k_w: int
    k_c: int
    relu: bool

    @property
    def pools(self) -> bool:
        return (self.i_h, self.i_w) != (1, 1)

    @property
    def rows(self) -> int:
        """Return the rows of the result, after the pool."""
        return (self.i_h - self.k_h + 1) // 2 if self.pools else 1

    @property
    def cols(self) -> int:
        return (self.i_w - self.k_w + 1) // 2 if self.pools else 1

    @property
    def steps(self) -> int:
        """Return the multiply-adds of one sum."""
        return self.k_h * self.k_w * self.i_c

    @property
    def values(self) -> int:
        """Return the values of the result, for one image."""
        return self.rows * self.cols * self.k_c


def images_in_lanes(graph: Graph) -> Graph:
    """Put one node `ImagesInLanes` in the place of a network that it can do, else change nothing.

    It can do a chain of bytes `[n,1,h,w]`, convolutions with ReLU and pool of 2×2, products, and
    the largest; after `fold_scale`, the fusions, and `to_nhwc`.
    """
    nodes = graph.nodes
    ops = [node.op for node in nodes]
    convs, products = ops.count("Conv"), ops.count("Gemm")
    chain = ["Transpose", "Cast", *["Conv"] * convs, "Flatten", *["Gemm"] * products, "ArgMax"]
    if ops != chain or not convs or not products or len(graph.inputs) != 1:
        return graph
    graph = graph if graph.tensors else infer_shapes(graph)
    name, pixels = next(iter(graph.inputs.items()))
    _, channels, rows, cols = pixels.shape
    straight = all(b.inputs[0] == a.output for a, b in itertools.pairwise(nodes))
    bytes_ = pixels.dtype == "uint8" and channels == 1 and rows * cols % LEAST_PIXELS == 0
    layers = [_layer(graph, node) for node in nodes if node.op in ("Conv", "Gemm")]
    last = graph.outputs == (nodes[-1].output,) and layers[-1] and layers[-1].k_c <= 256
    if not (straight and bytes_ and last and all(layers)):
        return graph
    constants = [name for node in nodes for name in node.inputs[1:]]
    macs = sum(operator(node).macs(node, [graph[i] for i in node.inputs]) for node in nodes)
    one = Node(
        "ImagesInLanes",
        (name, *constants),
        nodes[-1].output,
        {"layers": tuple(layers), "macs": macs // pixels.shape[0]},
    )
    return graph.having(nodes=(one,))


def _layer(graph: Graph, node: Node) -> LaneLayer | None:
    """Return the kernel's layer for a `Conv` or `Gemm`; None if the kernel can't do it."""
    if len(node.inputs) != 3 or any(name not in graph.constants for name in node.inputs[1:]):
        return None
    relu = bool(node.get("relu"))
    if node.op == "Gemm":
        return LaneLayer(
            1, 1, graph[node.inputs[1]].shape[0], 1, 1, graph[node.output].shape[1], relu
        )
    p = conv_problem(node, graph[node.inputs[0]], graph[node.inputs[1]])
    whole = p.o_h % 2 == p.o_w % 2 == 0 and node.get("group") == 1
    whole = whole and p.dilation == (1, 1)
    if node.get("pool") != (2, 2) or p.stride != (1, 1) or p.padding != (0, 0) or not whole:
        return None
    return LaneLayer(p.i_h, p.i_w, p.i_c, p.k_h, p.k_w, p.k_c, relu)
