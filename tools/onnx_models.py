"""Chapter 15's networks as ONNX files. Needs the package onnx, of the extra `peers`.

`python -m tools.onnx_models` writes `networks/compile/models/*.onnx`.
"""

from __future__ import annotations

from pathlib import Path

import numpy as np

from convladder.networks.compile.graph import Graph
from convladder.networks.compile.networks import MODELS, NETWORKS
from convladder.networks.compile.operators import infer_shapes

OPSET, IR = 17, 8  # what any onnxruntime of these years reads


def write_onnx(graph: Graph, path: str | Path) -> None:
    """Write a graph that no pass has changed, its first axis left open."""
    import onnx

    helper = onnx.helper
    rename = {
        "stride": "strides",
        "dilation": "dilations",
        "kernel": "kernel_shape",
        "order": "perm",
    }
    nodes = []
    for node in graph.nodes:
        attributes = {rename.get(k, k): v for k, v in node.attributes.items()}
        if "padding" in attributes:
            attributes["pads"] = attributes.pop("padding") * 2
        if node.op == "ArgMax":
            attributes |= {"axis": 1, "keepdims": 0}
        if node.op == "Cast":
            attributes["to"] = onnx.TensorProto.FLOAT
        nodes.append(
            helper.make_node(node.op, node.inputs, [node.output], node.output, **attributes)
        )
    known = infer_shapes(graph)

    def info(name: str):
        tensor = known[name]
        kind = helper.np_dtype_to_tensor_dtype(np.dtype(tensor.dtype))
        return helper.make_tensor_value_info(name, kind, ["n", *tensor.shape[1:]])

    model = helper.make_model(
        helper.make_graph(
            nodes,
            graph.name,
            [info(n) for n in graph.inputs],
            [info(n) for n in graph.outputs],
            [onnx.numpy_helper.from_array(a, n) for n, a in graph.constants.items()],
        ),
        opset_imports=[helper.make_opsetid("", OPSET)],
        ir_version=IR,
    )
    onnx.checker.check_model(model)
    Path(path).write_bytes(model.SerializeToString())


if __name__ == "__main__":
    for name, build in NETWORKS.items():
        write_onnx(build(1), MODELS / f"{name}.onnx")
