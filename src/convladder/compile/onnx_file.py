"""Graphs from ONNX files and back. Needs the package onnx, of the extra `peers`."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import numpy as np

from .graph import Graph, GraphError, Node, Tensor
from .operators import OPERATORS

OPSET, IR = 17, 8  # what any onnxruntime of these years reads


def _onnx():
    try:
        import onnx
    except ImportError:
        raise ImportError("to read or write .onnx files, install onnx (pip install onnx); the same "
                          "networks are built without it by convladder.compile.networks") from None
    return onnx


def read_onnx(path: str | Path, batch: int = 1) -> Graph:
    """Read the graph in a file; a first axis that was left open becomes `batch`.

    Raises `GraphError` for an operator, attribute or type that this compiler lacks: it names the
    node and what there is; `FileNotFoundError`.
    """
    onnx = _onnx()
    path = Path(path)
    if not path.exists():
        raise FileNotFoundError(f"there is no file {path}")
    try:
        model = onnx.load(path)
    except Exception as error:  # protobuf's own, of several kinds
        raise GraphError(f"{path} is not an ONNX file: {error}") from None
    graph = model.graph
    constants = {c.name: onnx.numpy_helper.to_array(c) for c in graph.initializer}
    inputs = {
        value.name: _tensor(onnx, value, batch)
        for value in graph.input if value.name not in constants
    }  # fmt: skip
    nodes = []
    for number, proto in enumerate(graph.node):
        attributes = {a.name: onnx.helper.get_attribute_value(a) for a in proto.attribute}
        if proto.op_type == "Constant":
            if "value" not in attributes:
                raise GraphError(f"node {proto.name or number} (Constant, makes "
                                 f"{proto.output[0]!r}): it gives its value as {min(attributes)}; "
                                 "supported is a tensor, as `value`")
            constants[proto.output[0]] = onnx.numpy_helper.to_array(attributes["value"])
        else:
            nodes.append(_Reader(proto, number, attributes, constants).node())
    outputs = tuple(value.name for value in graph.output)
    return Graph(graph.name or path.stem, inputs, outputs, tuple(nodes), constants)


def _tensor(onnx, value, batch: int) -> Tensor:
    kind = value.type.tensor_type
    if not value.type.HasField("tensor_type") or not kind.HasField("shape"):
        raise GraphError(f"input {value.name!r} has no shape; export the model with one")
    shape = []
    for axis, dim in enumerate(kind.shape.dim):
        if not dim.HasField("dim_value") and axis:
            raise GraphError(f"input {value.name!r} leaves axis {axis} open ({dim.dim_param!r}); "
                             "only the first, the batch, may be")
        shape.append(dim.dim_value if dim.HasField("dim_value") else batch)
    return Tensor(tuple(shape), str(onnx.helper.tensor_dtype_to_np_dtype(kind.elem_type)))


class _Reader:
    """One ONNX node; attributes that were understood are taken out, any left over is refused."""

    def __init__(self, proto, number: int, attributes: dict, constants: dict[str, np.ndarray]):
        self.op, self.inputs = proto.op_type, tuple(proto.input)
        self.output, self.left, self.constants = proto.output[0], dict(attributes), constants
        self.name = f"node {proto.name or number} ({self.op}, makes {self.output!r})"
        if proto.domain not in ("", "ai.onnx"):
            raise self.refuse(f"it is of the domain {proto.domain!r}; this compiler has ONNX's own "
                              "operators only")
        if self.op not in OPERATORS or self.op == "ImagesInLanes":
            known = ", ".join(op for op in OPERATORS if op != "ImagesInLanes")
            raise self.refuse(f"this compiler has no operator {self.op}; it has {known}")
        if len(proto.output) != 1:
            raise self.refuse(f"it has {len(proto.output)} outputs, {', '.join(proto.output)}; "
                              "one is supported")

    def refuse(self, why: str) -> GraphError:
        return GraphError(f"{self.name}: {why}")

    def take(self, attribute: str, default: object = None) -> object:
        return self.left.pop(attribute, default)

    def need(self, attribute: str, default: object, *only: object) -> None:
        """An attribute that may have but one of these values."""
        found = self.take(attribute, default)
        if found not in only:
            raise self.refuse(f"{attribute}={found}; supported is {' or '.join(map(str, only))}")

    def node(self) -> Node:
        read: dict[str, Callable[[], dict]] = {
            "Conv": self.conv, "MaxPool": self.max_pool, "Gemm": self.gemm,
            "Transpose": lambda: {"order": tuple(self.take("perm", ()))},
            "BatchNormalization": self.batch_norm, "ArgMax": self.arg_max, "Cast": self.cast,
            "Flatten": self.flatten,
        }  # fmt: skip
        attributes = read.get(self.op, dict)()
        if self.left:
            raise self.refuse(f"the attribute {min(self.left)!r} is not supported")
        return Node(self.op, self.inputs, self.output, attributes)

    def windows(self) -> tuple[int, int]:
        """Padding, the same on opposite sides."""
        self.need("auto_pad", b"NOTSET", b"NOTSET")
        self.need("dilations", [1, 1], [1, 1])
        top, left, bottom, right = self.take("pads", [0, 0, 0, 0])
        if (top, left) != (bottom, right):
            raise self.refuse(f"pads={[top, left, bottom, right]} differ from side to side; "
                              "supported is the same on opposite sides")
        return top, left

    def conv(self) -> dict:
        self.take("kernel_shape")  # the weights say it
        return {"stride": tuple(self.take("strides", (1, 1))), "padding": self.windows(),
                "group": self.take("group", 1)}

    def max_pool(self) -> dict:
        if self.windows() != (0, 0):
            raise self.refuse("a pool with padding is not supported")
        self.need("ceil_mode", 0, 0)
        self.need("storage_order", 0, 0)
        return {"kernel": tuple(self.take("kernel_shape")),
                "stride": tuple(self.take("strides", (1, 1)))}

    def batch_norm(self) -> dict:
        self.need("training_mode", 0, 0)
        self.take("momentum")
        return {"epsilon": float(f"{self.take('epsilon', 1e-5):.7g}")}  # stored as float32

    def gemm(self) -> dict:
        """Weights of `transB` are turned here."""
        for attribute, only in (("alpha", 1.0), ("beta", 1.0), ("transA", 0)):
            self.need(attribute, only, only)
        if self.take("transB", 0):
            name = self.inputs[1]
            if name not in self.constants:
                raise self.refuse(f"transB is supported for constants; {name!r} is none")
            self.constants[f"{self.output}.turned"] = np.ascontiguousarray(self.constants[name].T)
            self.inputs = (self.inputs[0], f"{self.output}.turned", *self.inputs[2:])
        return {}

    def arg_max(self) -> dict:
        self.need("axis", 0, 1, -1)
        self.need("keepdims", 1, 0)
        self.need("select_last_index", 0, 0)
        return {}

    def cast(self) -> dict:
        self.need("to", None, 1)  # TensorProto.FLOAT
        return {}

    def flatten(self) -> dict:
        self.need("axis", 1, 1)
        return {}


def write_onnx(graph: Graph, path: str | Path) -> None:
    """Write a graph that no pass has changed, its first axis left open. Raises `ImportError`."""
    onnx = _onnx()
    helper = onnx.helper
    rename = {"stride": "strides", "kernel": "kernel_shape", "order": "perm"}
    nodes = []
    for node in graph.nodes:
        attributes = {rename.get(k, k): v for k, v in node.attributes.items()}
        if "padding" in attributes:
            attributes["pads"] = attributes.pop("padding") * 2
        if node.op == "ArgMax":
            attributes |= {"axis": 1, "keepdims": 0}
        if node.op == "Cast":
            attributes["to"] = onnx.TensorProto.FLOAT
        nodes.append(helper.make_node(node.op, node.inputs, [node.output], node.output,
                                      **attributes))  # fmt: skip
    from .operators import infer_shapes

    known = infer_shapes(graph)

    def info(name: str):
        tensor = known[name]
        kind = helper.np_dtype_to_tensor_dtype(np.dtype(tensor.dtype))
        return helper.make_tensor_value_info(name, kind, ["n", *tensor.shape[1:]])

    model = helper.make_model(
        helper.make_graph(
            nodes, graph.name, [info(n) for n in graph.inputs], [info(n) for n in graph.outputs],
            [onnx.numpy_helper.from_array(a, n) for n, a in graph.constants.items()],
        ),
        opset_imports=[helper.make_opsetid("", OPSET)], ir_version=IR,
    )  # fmt: skip
    onnx.checker.check_model(model)
    Path(path).write_bytes(model.SerializeToString())
