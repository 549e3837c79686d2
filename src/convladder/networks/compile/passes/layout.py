"""From ONNX's `[n,c,h,w]` to this package's `[n,h,w,c]`."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from ..graph import Graph, Node
from ..operators import refuse

TO_NHWC, TO_NCHW = (0, 2, 3, 1), (0, 3, 1, 2)
MAPS = ("Conv", "MaxPool", "GlobalAveragePool", "BatchNormalization")


def to_nhwc(graph: Graph) -> Graph:
    """Make every map `[n,h,w,c]`; weights are turned once, here.

    What is left to do at run time: a `Transpose` of each input and output that is a map, and before
    a `Flatten` that is not followed by a product alone (whose weights are turned instead).
    """
    return _Turn(graph).run() if not _turned(graph) else graph


def _turned(graph: Graph) -> bool:
    return any(node.get("layout") == "NHWC" for node in graph.nodes)


class _Turn:
    """One walk over the graph; `names` are the turned tensors in place of the old ones."""

    def __init__(self, graph: Graph):
        self.graph = graph
        self.names: dict[str, str] = {}
        self.nodes: list[Node] = []
        self.constants = dict(graph.constants)

    def run(self) -> Graph:
        for name in self.graph.inputs:
            if len(self.graph[name].shape) == 4:
                self.transpose(name, f"{name}.nhwc", TO_NHWC)
                self.names[name] = f"{name}.nhwc"
        for node in self.graph.nodes:
            self.turn(node)
        for name in self.graph.outputs:
            if name in self.names and name not in self.graph.inputs:
                self.transpose(self.names[name], name, TO_NCHW)
        return self.graph.having(nodes=tuple(self.nodes), constants=self.constants)

    def transpose(self, source: str, output: str, order: tuple[int, ...]) -> None:
        self.nodes.append(Node("Transpose", (source,), output, {"order": order}))

    def turn(self, node: Node) -> None:
        maps = any(name in self.names for name in node.inputs)
        if not maps:
            if node.op in MAPS:
                raise refuse(node, "its maps are constants; run fold_constants before the layout")
            self.nodes.append(node)
        elif node.op == "Flatten":
            self.flatten(node)
        elif node.op == "Transpose":
            self.back(node.inputs[0])
            self.nodes.append(replace(node, inputs=(f"{node.inputs[0]}.nchw",)))
        else:
            inputs = tuple(
                self.names.get(name) or self.constant(node, name) for name in node.inputs
            )
            output = f"{node.output}.nhwc" if node.output in self.graph.outputs else node.output
            self.names[node.output] = output
            node = replace(node, inputs=inputs, output=output)
            self.nodes.append(node.having(layout="NHWC") if node.op in MAPS else node)

    def constant(self, node: Node, name: str) -> str:
        """A constant that a node on maps reads, turned if it has their axes."""
        if name not in self.constants:
            raise refuse(
                node, f"its input {name!r} is computed and no map; beside maps it takes constants"
            )
        array = self.constants[name]
        if node.op == "Conv" and array.ndim == 4:
            array = array.transpose(2, 3, 1, 0)
        elif node.op in ("Add", "Mul", "Div") and array.ndim in (3, 4):
            array = array.reshape((1,) * (4 - array.ndim) + array.shape).transpose(TO_NHWC)
        else:
            return name
        self.constants[f"{name}.nhwc"] = np.ascontiguousarray(array)
        return f"{name}.nhwc"

    def back(self, name: str) -> None:
        if any(node.output == f"{name}.nchw" for node in self.nodes):
            return  # another reader needed it
        self.transpose(self.names[name], f"{name}.nchw", TO_NCHW)

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
            # The product is appended later, and must find its weights under their own name.
            weights = self.constants[product.inputs[1]]
            turned = weights.reshape(c, h, w, -1).transpose(1, 2, 0, 3).reshape(weights.shape)
            others = [n for n in self.graph.users(product.inputs[1]) if n is not product]
            if others:
                raise refuse(
                    product,
                    f"its weights {product.inputs[1]!r} have other readers; give it its own",
                )
            self.constants[product.inputs[1]] = np.ascontiguousarray(turned)
            self.nodes.append(replace(node, inputs=(self.names[name],)))
        else:
            self.back(name)
            self.nodes.append(replace(node, inputs=(f"{name}.nchw",)))
