"""Graphs from ONNX files. Needs the package onnx, of the extra `peers`."""

from __future__ import annotations

from collections import Counter
from pathlib import Path

import numpy as np

from .graph import Graph, GraphError, Node, Tensor
from .onnx_nodes import OWN, Lowering, OnnxNode, first_line
from .operators import infer_shapes


def onnx_package():
    """Return the package onnx. Raises `ImportError`, which says how to install it."""
    try:
        import onnx
    except ImportError:
        raise ImportError(
            "to read .onnx files, install onnx (pip install onnx); the same "
            "networks are built without it by convladder.networks.compile.networks"
        ) from None
    return onnx


def read_onnx(path: str | Path, batch: int = 1) -> Graph:
    """Read the graph in a file; a first axis that was left open becomes `batch`.

    `onnx_nodes.READ` has the operators. Weights and shapes must be constants of the file.
    Raises `GraphError` for a file that is not a valid ONNX model, and for an operator, attribute
    or type that this compiler lacks: it names the node and what there is; `FileNotFoundError`.
    """
    onnx = onnx_package()
    path = Path(path)
    if not path.exists():
        raise FileNotFoundError(f"there is no file {path}")
    try:
        model = onnx.load(path, load_external_data=False)
    except OSError:
        raise
    except Exception as error:  # protobuf's own, of several kinds
        raise GraphError(f"{path} is not an ONNX file: {error}") from None
    try:
        onnx.load_external_data_for_model(model, str(path.parent))
    except Exception as error:  # of several kinds
        raise GraphError(
            f"{path} keeps weights in files beside it, which cannot be read: {first_line(error)}"
        ) from None
    if not model.graph.node:
        raise GraphError(f"{path} holds no node: it is empty, or not an ONNX file")
    graph = _graph(onnx, model, path.stem, batch)
    infer_shapes(graph)
    return graph


def _graph(onnx, model, stem: str, batch: int) -> Graph:
    graph = model.graph
    constants = {c.name: _array(onnx, c, f"the constant {c.name!r}") for c in graph.initializer}
    given = [value for value in graph.input if value.name not in constants]
    names = Counter(each.name for each in (*graph.initializer, *given))
    if names and (most := names.most_common(1)[0])[1] > 1:
        raise GraphError(
            f"{most[0]!r} is the name of {most[1]} constants or inputs; it must be one's"
        )
    outputs = tuple(value.name for value in graph.output)
    if not outputs:
        raise GraphError(f"{graph.name or stem} has no output; name at least one")
    opset = next((each.version for each in model.opset_import if each.domain in OWN), 1)
    read = {*outputs, *(name for proto in graph.node for name in proto.input)}
    inputs = {value.name: _tensor(onnx, value, batch, value.name in read) for value in given}
    nodes = [OnnxNode(onnx, proto, number, opset) for number, proto in enumerate(graph.node)]
    for node in nodes:
        for name in node.proto.output[1:]:
            if name and name in read:
                raise node.refuse(f"its output {name!r} is read; only the first one is supported")
    files = tuple(Node(node.op, node.inputs, node.output) for node in nodes)
    made = Lowering(Graph(graph.name or stem, inputs, outputs, files, constants))
    of = {node.output: node for node in nodes}
    for each in made.file.nodes:  # in order, unlike the file's
        made.read(of[each.output])
    return made.graph()


def _array(onnx, proto, what: str) -> np.ndarray:
    try:
        return onnx.numpy_helper.to_array(proto)
    except Exception as error:  # of several kinds, by what is damaged
        raise GraphError(f"{what} cannot be read: {first_line(error)}") from None


def _tensor(onnx, value, batch: int, read: bool) -> Tensor:
    kind = value.type.tensor_type
    if (form := value.type.WhichOneof("value")) not in ("tensor_type", None):
        raise GraphError(f"input {value.name!r} is of the {form}; it must be a tensor")
    if not kind.HasField("shape"):
        raise GraphError(f"input {value.name!r} has no shape; export the model with one")
    shape = []
    for axis, dim in enumerate(kind.shape.dim):
        if not dim.HasField("dim_value") and axis:
            raise GraphError(
                f"input {value.name!r} leaves axis {axis} open ({dim.dim_param!r}); "
                "only the first, the batch, may be"
            )
        side = dim.dim_value if dim.HasField("dim_value") else batch
        if side < 1 and read:
            raise GraphError(
                f"input {value.name!r} has {side} values along axis {axis}; 1 or more are supported"
            )
        shape.append(side)
    try:
        dtype = onnx.helper.tensor_dtype_to_np_dtype(kind.elem_type)
    except KeyError:
        raise GraphError(
            f"input {value.name!r} has the element type {kind.elem_type}, which ONNX "
            "does not define"
        ) from None
    if dtype.kind in "OcUS":
        raise GraphError(f"input {value.name!r} is of texts or complex numbers; it must be real")
    return Tensor(tuple(shape), str(dtype))
