"""Graphs from ONNX files. Needs the package onnx, of the extra `peers`."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence
from pathlib import Path

import numpy as np

from .graph import Graph, GraphError, Node, Tensor
from .operators import OPERATORS, infer_shapes

SUPPORTED = tuple(op for op in OPERATORS if op != "ImagesInLanes")  # which a pass alone makes


def onnx_package():
    """Return the package onnx. Raises `ImportError`, which says how to install it."""
    try:
        import onnx
    except ImportError:
        raise ImportError(
            "to read or write .onnx files, install onnx (pip install onnx); the same "
            "networks are built without it by convladder.networks.compile.networks"
        ) from None
    return onnx


def read_onnx(path: str | Path, batch: int = 1) -> Graph:
    """Read the graph in a file; a first axis that was left open becomes `batch`.

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
            f"{path} keeps weights in files beside it, which cannot be read: {_first_line(error)}"
        ) from None
    if not model.graph.node:
        raise GraphError(f"{path} holds no node: it is empty, or not an ONNX file")
    graph = _graph(onnx, model.graph, path.stem, batch)
    infer_shapes(graph)
    return graph


def _graph(onnx, graph, stem: str, batch: int) -> Graph:
    constants = {c.name: _array(onnx, c, f"the constant {c.name!r}") for c in graph.initializer}
    given = [value for value in graph.input if value.name not in constants]
    inputs = {value.name: _tensor(onnx, value, batch) for value in given}
    readers = [_Reader(onnx, proto, n, constants) for n, proto in enumerate(graph.node)]
    late = [reader for reader in readers if reader.op == "Constant"]
    names = Counter(each.name for each in (*graph.initializer, *given))
    names.update(reader.output for reader in late)
    if names and (most := names.most_common(1)[0])[1] > 1:
        raise GraphError(
            f"{most[0]!r} is the name of {most[1]} constants or inputs; it must be one's"
        )
    constants |= {reader.output: reader.constant() for reader in late}
    nodes = [reader.node() for reader in readers if reader.op != "Constant"]
    outputs = tuple(value.name for value in graph.output)
    if not outputs:
        raise GraphError(f"{graph.name or stem} has no output; name at least one")
    return Graph(graph.name or stem, inputs, outputs, tuple(nodes), constants)


def _array(onnx, proto, what: str) -> np.ndarray:
    try:
        return onnx.numpy_helper.to_array(proto)
    except Exception as error:  # of several kinds, by what is damaged
        raise GraphError(f"{what} cannot be read: {_first_line(error)}") from None


def _first_line(error: Exception) -> str:
    return next(iter(str(error).splitlines()), type(error).__name__)


def _tensor(onnx, value, batch: int) -> Tensor:
    kind = value.type.tensor_type
    if not value.type.HasField("tensor_type") or not kind.HasField("shape"):
        raise GraphError(f"input {value.name!r} has no shape; export the model with one")
    shape = []
    for axis, dim in enumerate(kind.shape.dim):
        if not dim.HasField("dim_value") and axis:
            raise GraphError(
                f"input {value.name!r} leaves axis {axis} open ({dim.dim_param!r}); "
                "only the first, the batch, may be"
            )
        side = dim.dim_value if dim.HasField("dim_value") else batch
        if side < 1:
            raise GraphError(
                f"input {value.name!r} has {side} values along axis {axis}; 1 or more are supported"
            )
        shape.append(side)
    try:
        return Tensor(tuple(shape), str(onnx.helper.tensor_dtype_to_np_dtype(kind.elem_type)))
    except KeyError:
        raise GraphError(
            f"input {value.name!r} has the element type {kind.elem_type}, which ONNX "
            "does not define"
        ) from None


class _Reader:
    """One ONNX node; attributes that were understood are taken out, any left over is refused."""

    def __init__(self, onnx, proto, number: int, constants: dict[str, np.ndarray]):
        self.onnx, self.op, self.constants = onnx, proto.op_type, constants
        self.output = proto.output[0] if proto.output else ""
        self.name = f"node {proto.name or number} ({self.op}, makes {self.output!r})"
        if proto.domain not in ("", "ai.onnx"):
            raise self.refuse(
                f"it is of the domain {proto.domain!r}; this compiler has ONNX's own operators only"
            )
        if self.op not in (*SUPPORTED, "Constant"):
            raise self.refuse(
                f"this compiler has no operator {self.op}; it has {', '.join(SUPPORTED)}"
            )
        if len(proto.output) != 1 or not self.output:
            raise self.refuse(
                f"it has {len(proto.output)} outputs, {', '.join(proto.output)}; "
                "one, with a name, is supported"
            )
        self.inputs = self.given(proto.input)
        try:
            self.left = {a.name: onnx.helper.get_attribute_value(a) for a in proto.attribute}
        except ValueError as error:
            raise self.refuse(f"an attribute cannot be read: {_first_line(error)}") from None

    def given(self, names: Sequence[str]) -> tuple[str, ...]:
        """Return the inputs without those at the end that are left out: ONNX names these ''."""
        names = list(names)
        while names and not names[-1]:
            names.pop()
        if "" in names:
            raise self.refuse(
                f"its input {names.index('') + 1} of {len(names)} is left out; only the last may be"
            )
        return tuple(names)

    def refuse(self, why: str) -> GraphError:
        return GraphError(f"{self.name}: {why}")

    def take(self, attribute: str, default: object = None) -> object:
        return self.left.pop(attribute, default)

    def need(self, attribute: str, default: object, *only: object) -> None:
        """An attribute that may have but one of these values."""
        found = self.take(attribute, default)
        found = found.decode(errors="replace") if isinstance(found, bytes) else found
        if found not in only:
            raise self.refuse(f"{attribute}={found}; supported is {' or '.join(map(str, only))}")

    def ints(self, attribute: str, default: tuple[int, ...] | None) -> tuple[int, ...]:
        """Return an attribute of `len(default)` whole numbers; of 2, and required, for None."""
        found, length = self.take(attribute, default), len(default or (1, 1))
        if found is None:
            raise self.refuse(f"it has no {attribute}, which must be given")
        if not (
            isinstance(found, (list, tuple))
            and len(found) == length
            and all(isinstance(n, int) for n in found)
        ):
            raise self.refuse(
                f"{attribute}={found}; it takes {length} whole numbers, for maps of 2 axes"
            )
        return tuple(found)

    def constant(self) -> np.ndarray:
        if "value" not in self.left:
            raise self.refuse(
                f"it gives its value as {min(self.left, default='nothing')}; "
                "supported is a tensor, as `value`"
            )
        return _array(self.onnx, self.left["value"], self.name)

    def node(self) -> Node:
        if len(self.inputs) not in OPERATORS[self.op].inputs:
            takes = OPERATORS[self.op].inputs
            raise self.refuse(
                f"it has {len(self.inputs)} inputs; it takes {takes.start} to {takes.stop - 1}"
            )
        read: dict[str, Callable[[], dict]] = {
            "Conv": self.conv,
            "MaxPool": self.max_pool,
            "Gemm": self.gemm,
            "Transpose": self.transpose,
            "BatchNormalization": self.batch_norm,
            "ArgMax": self.arg_max,
            "Cast": self.cast,
            "Flatten": self.flatten,
        }
        attributes = read.get(self.op, dict)()
        if self.left:
            raise self.refuse(f"the attribute {min(self.left)!r} is not supported")
        return Node(self.op, self.inputs, self.output, attributes)

    def windows(self) -> tuple[int, int]:
        """Padding, the same on opposite sides."""
        self.need("auto_pad", "NOTSET", "NOTSET")
        top, left, bottom, right = self.ints("pads", (0, 0, 0, 0))
        if (top, left) != (bottom, right):
            raise self.refuse(
                f"pads={[top, left, bottom, right]} differ from side to side; "
                "supported is the same on opposite sides"
            )
        return top, left

    def conv(self) -> dict:
        w = self.constants.get(self.inputs[1])
        if (
            "kernel_shape" in self.left
            and (shape := self.ints("kernel_shape", None))
            and (w is not None and shape != w.shape[2:])
        ):
            raise self.refuse(
                f"kernel_shape={list(shape)}, and its weights {self.inputs[1]!r} "
                f"have the shape {list(w.shape)}: leave kernel_shape out, or mend it"
            )
        group = self.take("group", 1)
        if not isinstance(group, int) or group < 1:
            raise self.refuse(f"group={group}; it is a whole number, 1 or more")
        found = {"stride": self.ints("strides", (1, 1)), "padding": self.windows(), "group": group}
        dilation = self.ints("dilations", (1, 1))
        return found if dilation == (1, 1) else {**found, "dilation": dilation}

    def max_pool(self) -> dict:
        self.need("dilations", [1, 1], [1, 1])
        if self.windows() != (0, 0):
            raise self.refuse("a pool with padding is not supported")
        self.need("ceil_mode", 0, 0)
        self.need("storage_order", 0, 0)
        return {"kernel": self.ints("kernel_shape", None), "stride": self.ints("strides", (1, 1))}

    def batch_norm(self) -> dict:
        self.need("training_mode", 0, 0)
        self.take("momentum")
        epsilon = self.take("epsilon", 1e-5)
        if not isinstance(epsilon, float) or not epsilon >= 0:
            raise self.refuse(f"epsilon={epsilon}; it is a number, 0 or more")
        variance = self.constants.get(self.inputs[4])
        if variance is not None and not (variance + epsilon > 0).all():
            raise self.refuse(
                f"its variance {self.inputs[4]!r} has the value {variance.min():.3g}, which with "
                f"epsilon={epsilon:.3g} is not above 0; a variance is 0 or more"
            )
        return {"epsilon": float(f"{epsilon:.7g}")}  # stored as float32

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

    def transpose(self) -> dict:
        order = self.take("perm")
        if not isinstance(order, list):
            raise self.refuse("it has no perm; write the order of the axes")
        return {"order": tuple(order)}

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
