"""From ONNX's `[n,c,h,w]` to this package's `[n,h,w,c]`."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from ..graph import Graph, Node
from ..operators import ELEMENTWISE, MAPS, refuse

TO_NHWC, TO_NCHW = (0, 2, 3, 1), (0, 3, 1, 2)
ALIKE = ("Relu", "Cast", "Identity", "Concat", *ELEMENTWISE)  # the same in either layout


def to_nhwc(graph: Graph) -> Graph:
    """Make every map `[n,h,w,c]`; weights are turned once, here.

    What is left to do at run time: a `Transpose` of each input and output that is a map, and before
    a `Flatten` that is not followed by a product alone (whose weights are turned instead).
    """
    return _Turn(graph).run() if not _turned(graph) else graph


def _turned(graph: Graph) -> bool:
    return any(node.get("layout") == "NHWC" for node in graph.nodes)


class _Turn:
    """One walk over the graph; `names` are the turned tensors in place of the old ones.

    `back` are tensors `[n,c,h,w]` of turned ones, `own` turned weights by the product behind a
    `Flatten`.
    """

    def __init__(self, graph: Graph):
        self.graph = graph
        self.names: dict[str, str] = {}
        self.nodes: list[Node] = []
        self.constants = dict(graph.constants)
        self.back: dict[str, str] = {}
        self.own: dict[str, str] = {}

    def run(self) -> Graph:
        for name in self.graph.inputs:
            if any(user.op != "Transpose" for user in self.graph.users(name)):
                self.turned(name)
        for node in self.graph.nodes:
            self.turn(node)
        for name in self.graph.outputs:
            made = name in self.graph.inputs or any(node.output == name for node in self.nodes)
            if name in self.names and not made:
                self.transpose(self.names[name], name, TO_NCHW)
        return self.graph.having(nodes=tuple(self.nodes), constants=self.constants)

    def transpose(self, source: str, output: str, order: tuple[int, ...]) -> None:
        self.nodes.append(Node("Transpose", (source,), output, {"order": order}))

    def turned(self, name: str) -> str | None:
        """Turn a tensor that is computed; None if it is a constant or no map."""
        if name in self.constants or len(self.graph[name].shape) != 4:
            return None
        if name not in self.names:
            self.names[name], self.back[name] = self.graph.fresh(f"{name}.nhwc"), name
            self.transpose(name, self.names[name], TO_NHWC)
        return self.names[name]

    def turn(self, node: Node) -> None:
        if node.op not in MAPS and not any(name in self.names for name in node.inputs):
            own = self.own.get(node.output)
            inputs = (node.inputs[0], own, *node.inputs[2:]) if own else node.inputs
            self.nodes.append(replace(node, inputs=inputs))
        elif node.op == "Flatten":
            self.flatten(node)
        elif node.op not in (*MAPS, *ALIKE) or len(self.graph[node.output].shape) != 4:
            inputs = tuple(self.turned_back(n) if n in self.names else n for n in node.inputs)
            self.nodes.append(replace(node, inputs=inputs))
        elif node.op in MAPS and node.inputs[0] in self.constants:
            raise refuse(node, "its maps are constants; run fold_constants before the layout")
        elif node.op == "Conv" and node.inputs[1] not in self.constants:
            raise refuse(node, f"its weights {node.inputs[1]!r} are computed; give it constants")
        else:
            inputs = tuple(self.turned(name) or self.beside(node, name) for name in node.inputs)
            output = node.output
            if output in self.graph.outputs:
                output = self.graph.fresh(f"{output}.nhwc")
            self.names[node.output] = output
            node = replace(node, inputs=inputs, output=output)
            if node.op == "Concat":
                node = node.having(axis=TO_NHWC.index(node.get("axis")))
            self.nodes.append(node.having(layout="NHWC") if node.op in MAPS else node)

    def beside(self, node: Node, name: str) -> str:
        """What a node reads beside maps: turned if it has their axes or is broadcast to them."""
        if name not in self.constants:
            if node.op not in ELEMENTWISE:  # a bias
                return name
            shape = self.graph[name].shape
            made = self.graph.fresh(f"{name}.beside.{node.output}")
            full = Node("Reshape", (name,), made, {"shape": (1,) * (4 - len(shape)) + shape})
            self.nodes.append(full)
            self.transpose(made, f"{made}.nhwc", TO_NHWC)
            return f"{made}.nhwc"
        array = self.constants[name]
        if node.op == "Conv" and array.ndim == 4:
            new, array = f"{name}.nhwc", array.transpose(2, 3, 1, 0)
        elif node.op in (*ELEMENTWISE, "Concat") and array.size > 1:
            array = array.reshape((1,) * (4 - array.ndim) + array.shape)
            new, array = f"{name}.beside", array.transpose(TO_NHWC)
        else:
            return name
        new = self.graph.fresh(new)
        self.constants[new] = np.ascontiguousarray(array)
        return new

    def turned_back(self, name: str) -> str:
        if name not in self.back:
            self.back[name] = self.graph.fresh(f"{name}.nchw")
            self.transpose(self.names[name], self.back[name], TO_NCHW)
        return self.back[name]

    def flatten(self, node: Node) -> None:
        name = node.inputs[0]
        _, c, h, w = self.graph[name].shape
        product = self.graph.only_user(node.output)
        fixed = (
            product is not None
            and product.op == "Gemm"
            and (product.inputs[0] == node.output and product.inputs[1] in self.constants)
        )
        if h * w == 1 or c == 1:  # the same values in the same order
            self.nodes.append(replace(node, inputs=(self.names[name],)))
        elif fixed:
            own = product.inputs[1]
            weights = self.constants[own]
            turned = weights.reshape(c, h, w, -1).transpose(1, 2, 0, 3).reshape(weights.shape)
            if self.graph.only_user(own) is None:
                own = self.graph.fresh(f"{product.output}.turned")
            self.constants[own] = np.ascontiguousarray(turned)
            self.own[product.output] = own
            self.nodes.append(replace(node, inputs=(self.names[name],)))
        else:
            self.nodes.append(replace(node, inputs=(self.turned_back(name),)))
