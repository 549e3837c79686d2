"""What each operator of an ONNX file becomes: nodes of this compiler, which has fewer forms.

One function an operator, entered in `READ`: it takes an `OnnxNode` and returns the name of what it
made. Where it can, it writes the operator by simpler ones: an average is a convolution of equal
weights, a softmax along any axis is one of rows. Nodes that read nothing but constants are computed
at once. The package onnx knows which attributes there are and their defaults; one that a node has
and its function did not ask for is refused.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from functools import reduce
from math import prod
from typing import Any, NamedTuple

import numpy as np

from .graph import Graph, GraphError, Node, Tensor
from .interpreter import value
from .operators import ELEMENTWISE, result

OWN = ("", "ai.onnx")  # the domain, by its two names
ON_CONSTANTS = ("Constant", "ConstantOfShape", "Gather", "Shape", "Slice", "Squeeze")  # alone


class Lowering:
    """The graph that is being made of a file's: `tensors` and `constants` by name, and `nodes`."""

    def __init__(self, file: Graph):
        self.file = file
        self.tensors, self.constants = dict(file.inputs), dict(file.constants)
        self.nodes: list[Node] = []
        self.taken = {*file.inputs, *file.constants, *(node.output for node in file.nodes)}

    def __getitem__(self, name: str) -> Tensor:
        if name in self.constants:
            return Tensor(self.constants[name].shape, str(self.constants[name].dtype))
        return self.tensors[name]

    def fresh(self, name: str) -> str:
        while name in self.taken:
            name += ".new"
        self.taken.add(name)
        return name

    def read(self, node: OnnxNode) -> None:
        """Make of one node of the file what it stands for. Raises `GraphError`."""
        node.into, at = self, len(self.nodes)
        if node.op == "Shape":
            shape = node.shape[node.take("start") : node.take("end")]
            made = node.constant("shape", shape, np.int64)
        elif node.op != "Dropout" and all(name in self.constants for name in node.inputs):
            made = node.constant("value", node.evaluate([self.constants[i] for i in node.inputs]))
        elif node.op in ON_CONSTANTS:
            raise node.refuse(f"{node.op} is supported of constants alone")
        else:
            made = READ[node.op](node)
            if node.left:
                raise node.refuse(f"the attribute {min(node.left)!r} is not supported")
        if made in self.constants:
            self.constants[node.output] = self.constants[made]
        elif len(self.nodes) > at and self.nodes[-1].output == made:
            self._add(replace(self.nodes.pop(), output=node.output), self[made])
        else:
            self._add(Node("Identity", (made,), node.output), self[made])

    def emit(self, node: Node, name: str) -> str:
        """Add a node as `name`, made fresh, or its value if it reads constants alone."""
        tensor, name = result(node, [self[each] for each in node.inputs]), self.fresh(name)
        if all(each in self.constants for each in node.inputs):
            wide = [self.constants[each].astype(np.float64) for each in node.inputs]
            self.constants[name] = np.asarray(value(node, wide), tensor.dtype, order="C")
        else:
            self._add(replace(node, output=name), tensor)
        return name

    def _add(self, node: Node, tensor: Tensor) -> None:
        self.nodes.append(node)
        self.tensors[node.output] = tensor

    def graph(self) -> Graph:
        """Return what was made, with the constants that it needs."""
        needed = {*self.file.outputs, *(name for node in self.nodes for name in node.inputs)}
        constants = {name: array for name, array in self.constants.items() if name in needed}
        return replace(self.file, nodes=tuple(self.nodes), constants=constants)


class OnnxNode:
    """One node of a file, as ONNX's own checker allows it. `left` are the attributes that it has
    and nobody asked for yet; `into` is the graph that it is read into."""

    into: Lowering

    def __init__(self, onnx: Any, proto: Any, number: int, opset: int):
        self.onnx, self.proto, self.opset, self.op = onnx, proto, opset, proto.op_type
        self.output = proto.output[0] if proto.output else ""
        self.title = f"node {proto.name or number} ({self.op}, makes {self.output!r})"
        if self.op not in (*READ, *ON_CONSTANTS):
            raise self.refuse(
                f"this compiler has no operator {self.op}; it has {', '.join(READ)}, and of "
                f"constants alone {', '.join(ON_CONSTANTS)}"
            )
        context = onnx.checker.C.CheckerContext()
        context.ir_version, context.opset_imports = onnx.IR_VERSION, {"": opset}
        value_of = onnx.helper.get_attribute_value
        if proto.domain == OWN[1]:
            proto.domain = OWN[0]
        try:
            onnx.checker.check_node(proto, context)
            known = onnx.defs.get_schema(self.op, opset).attributes
            defaults = {name: each.default_value for name, each in known.items()}
            self.defaults = {name: value_of(a) for name, a in defaults.items() if a.name}
            self.left = {a.name: value_of(a) for a in proto.attribute}
        except Exception as error:  # of several kinds
            raise self.refuse(first_line(error)) from None
        inputs = list(proto.input)
        while inputs and not inputs[-1]:  # left out
            inputs.pop()
        if "" in inputs:
            raise self.refuse(
                f"its input {inputs.index('') + 1} of {len(inputs)} is left out; only the last "
                "may be"
            )
        self.inputs = tuple(inputs)

    def refuse(self, why: str) -> GraphError:
        return GraphError(f"{self.title}: {why}")

    def evaluate(self, constants: Sequence[np.ndarray]) -> np.ndarray:
        """Return what it makes of constants, by the package onnx's own evaluation."""
        from onnx.reference import ReferenceEvaluator

        named = [[self.onnx.ValueInfoProto(name=name) for name in names]
                 for names in (self.inputs, [self.output])]  # fmt: skip
        try:
            graph = self.onnx.helper.make_graph([self.proto], "constant", *named)
            run = ReferenceEvaluator(graph, opsets={"": self.opset}).run
            return np.asarray(run(None, dict(zip(self.inputs, constants)))[0])
        except Exception as error:  # of any kind, by what the node lacks
            raise self.refuse(f"its constants give no value: {first_line(error)}") from None

    # --- what the functions below ask for, and make ---------------------------------------------

    @property
    def shape(self) -> tuple[int, ...]:
        """Return the first input's."""
        return self.into[self.inputs[0]].shape

    def known(self, which: int, what: str) -> np.ndarray:
        """Return the value of an input. Raises `GraphError` if it is computed."""
        name = self.inputs[which]
        if name not in self.into.constants:
            raise self.refuse(
                f"its {what} {name!r} is computed, or an input; it must be a constant of the file"
            )
        return self.into.constants[name]

    def take(self, attribute: str) -> Any:
        """Return an attribute, or ONNX's default, or None."""
        found = self.left.pop(attribute, self.defaults.get(attribute))
        if isinstance(found, float):
            return float(f"{found:.7g}")  # stored as float32
        return found.decode(errors="replace") if isinstance(found, bytes) else found

    def sides(self, attribute: str, default: Sequence[int], least: int = 1) -> tuple[int, ...]:
        """Return an attribute that has numbers for the two axes of maps, as `default` has."""
        found = self.take(attribute) or default
        if len(found) != len(default) or min(found) < least:
            raise self.refuse(
                f"{attribute}={list(found)}; it takes {len(default)} whole numbers, {least} or "
                "more, for maps of 2 axes"
            )
        return tuple(found)

    def axis(self, most: int = -1) -> int:
        """Return the attribute `axis`, counted from 0; up to `most` beyond the last one."""
        axis, axes = self.take("axis"), len(self.shape)
        if not -axes <= axis <= axes + most:
            raise self.refuse(f"axis={axis}; its input {self.inputs[0]!r} is {list(self.shape)}")
        return axis + axes if axis < 0 else axis

    def constant(self, what: str, array: object, dtype: object = None) -> str:
        """Add a constant; return its name."""
        name = self.into.fresh(f"{self.output}.{what}")
        self.into.constants[name] = np.asarray(array, dtype, order="C")
        return name

    def number(self, what: str, array: object) -> str:
        return self.constant(what, array, np.float32)

    def emit(self, op: str, *inputs: str, **attributes: object) -> str:
        """Add a node of this compiler; return the name of what it makes."""
        node = Node(op, inputs, self.output, attributes)
        try:
            return self.into.emit(node, f"{self.output}.{op.lower()}")
        except GraphError as error:  # of shapes that do not fit
            raise self.refuse(str(error)) from None

    def reshape(self, x: str, *shape: int) -> str:
        """Add a view, `Flatten` where it is one: the layout pass knows that."""
        old = self.into[x].shape
        if shape == old:
            return x
        if len(shape) == 2 and len(old) > 2 and shape[0] == old[0] and prod(shape) == prod(old):
            return self.emit("Flatten", x)
        return self.emit("Reshape", x, shape=shape)

    def turn(self, x: str, *order: int) -> str:
        return x if list(order) == sorted(order) else self.emit("Transpose", x, order=order)

    def rows(self, axis: int) -> tuple[str, list[int]]:
        """Return the input as a matrix, its rows along `axis`; the order of axes it had before."""
        order = [*range(axis), *range(axis + 1, len(self.shape)), axis]
        x = self.turn(self.inputs[0], *order)
        return self.reshape(x, prod(self.into[x].shape[:-1]), self.shape[axis]), order

    def windows(self, kernel: tuple[int, ...]) -> Windows:
        """Return where windows lie: stride, dilation, padding, `auto_pad` and `ceil_mode`."""
        if len(self.shape) != 4:
            raise self.refuse(f"its input {self.inputs[0]!r} is {list(self.shape)}; supported are "
                              "maps of 2 axes, [n,c,h,w]")  # fmt: skip
        stride, dilation = self.sides("strides", (1, 1)), self.sides("dilations", (1, 1))
        pads, auto = self.sides("pads", (0, 0, 0, 0), 0), self.take("auto_pad")
        if auto not in ("NOTSET", "VALID", "SAME_UPPER", "SAME_LOWER"):
            raise self.refuse(f"auto_pad={auto}, which ONNX does not define")
        if auto != "NOTSET" and any(pads):
            raise self.refuse(f"auto_pad={auto} and pads={list(pads)}; leave out one of them")
        rows, columns = (
            PaddedSide(image, (k - 1) * d + 1, s, d, begin, end)
            for image, k, s, d, begin, end in zip(
                self.shape[2:], kernel, stride, dilation, pads[:2], pads[2:], strict=True
            )
        )
        if auto.startswith("SAME"):
            rows, columns = (side.same(auto == "SAME_UPPER") for side in (rows, columns))
        if self.take("ceil_mode"):
            rows, columns = rows.rounded_up(), columns.rounded_up()
        return Windows(stride, dilation, rows, columns)


@dataclass(frozen=True)
class PaddedSide:
    """Rows (or columns) of maps and the windows over them, with padding at either end; `extra` of
    it are there for the last window alone."""

    image: int
    reach: int  # of a window, gaps included
    step: int
    dilation: int
    begin: int = 0
    end: int = 0
    extra: int = 0

    def same(self, upper: bool) -> PaddedSide:
        """As `auto_pad` pads: a window begins at every `step`-th row."""
        outputs = -(-self.image // self.step)
        total = max(0, (outputs - 1) * self.step + self.reach - self.image)
        end = (total + upper) // 2
        return replace(self, begin=total - end, end=end)

    def rounded_up(self) -> PaddedSide:
        """As `ceil_mode` asks: a last window may go beyond the padding, but not begin in it."""
        padded = self.begin + self.image + self.end
        last = -(-(padded - self.reach) // self.step) * self.step
        if last >= self.begin + self.image:
            last -= self.step
        return replace(self, extra=max(-self.end, last + self.reach - padded))

    def counts(self, padding: bool) -> np.ndarray:
        """Return how many values each window has, of the maps or of their padding too."""
        low, high = (-self.begin, self.image + self.end) if padding else (0, self.image)
        last = self.image + self.end + self.extra - self.reach
        taps = np.arange(-self.begin, last + 1, self.step)[:, np.newaxis]
        taps = taps + np.arange(0, self.reach, self.dilation)
        return ((taps >= low) & (taps < high)).sum(axis=1)


class Windows(NamedTuple):
    """Windows over maps."""

    stride: tuple[int, ...]
    dilation: tuple[int, ...]
    rows: PaddedSide
    columns: PaddedSide

    @property
    def pads(self) -> tuple[int, int, int, int]:
        """Return the padding: top, left, bottom, right."""
        rows, columns = self.rows, self.columns
        return rows.begin, columns.begin, rows.end + rows.extra, columns.end + columns.extra


def _convolve(node: OnnxNode, x: str, w: str, bias: list[str], at: Windows, group: int) -> str:
    top, left, bottom, right = at.pads
    if (top, left) != (bottom, right):
        x, top, left = node.emit("Pad", x, pads=at.pads, value=0.0), 0, 0
    dilation = {} if at.dilation == (1, 1) else {"dilation": at.dilation}
    return node.emit(
        "Conv", x, w, *bias, stride=at.stride, padding=(top, left), group=group, **dilation
    )


def conv(node: OnnxNode) -> str:
    x, name, *bias = node.inputs
    w = node.known(1, "weights")
    shape = node.sides("kernel_shape", w.shape[2:])
    if shape != w.shape[2:] or len(shape) != 2:
        raise node.refuse(
            f"kernel_shape={list(shape)}, and its weights {name!r} have the shape {list(w.shape)}; "
            "supported are kernels of 2 axes, and a kernel_shape that is the weights' or left out"
        )
    return _convolve(node, x, name, bias, node.windows(shape), node.take("group"))


def max_pool(node: OnnxNode) -> str:
    node.take("storage_order")  # of the indices, which are refused
    kernel, x = node.sides("kernel_shape", (1, 1)), node.inputs[0]
    at = node.windows(kernel)
    if at.dilation != (1, 1):
        raise node.refuse(f"dilations={list(at.dilation)}; supported is [1, 1]")
    x = node.emit("Pad", x, pads=at.pads, value=-np.inf) if any(at.pads) else x
    return node.emit("MaxPool", x, kernel=kernel, stride=at.stride)


def average_pool(node: OnnxNode) -> str:
    """A depthwise convolution of equal weights; of other sums where windows have fewer values."""
    kernel, padding = node.sides("kernel_shape", (1, 1)), bool(node.take("count_include_pad"))
    at, channels = node.windows(kernel), node.shape[1]
    counts = at.rows.counts(padding)[:, np.newaxis] * at.columns.counts(padding)
    if not counts.all():
        raise node.refuse(f"pads={list(at.pads)} leave a window of nothing but padding")
    same = not counts.size or counts.min() == counts.max()
    w = np.full((channels, 1, *kernel), 1 / counts.max(initial=1) if same else 1.0)
    y = _convolve(node, node.inputs[0], node.number("weights", w), [], at, channels)
    return y if same else node.emit("Mul", y, node.number("scale", 1 / counts))


def lrn(node: OnnxNode) -> str:
    """`x / (bias + alpha/size · sum)^beta`: sums of squares over neighbouring channels, which are
    a convolution once channels are rows."""
    x, (n, c, *sides), size = node.inputs[0], node.shape, node.take("size")
    if size < 1:
        raise node.refuse(f"size={size}; it is 1 or more")
    before, after = (size - 1) // 2, size // 2
    rows, columns = PaddedSide(c, size, 1, 1, before, after), PaddedSide(prod(sides), 1, 1, 1)
    w = node.number("weights", np.full((1, 1, size, 1), node.take("alpha") / size))
    bias = node.number("bias", [node.take("bias")])
    squares = node.reshape(node.emit("Mul", x, x), n, 1, c, prod(sides))
    y = _convolve(node, squares, w, [bias], Windows((1, 1), (1, 1), rows, columns), 1)
    y = node.emit("Pow", node.reshape(y, *node.shape), node.number("beta", [node.take("beta")]))
    return node.emit("Div", x, y)


def batch_norm(node: OnnxNode) -> str:
    node.take("momentum"), node.take("spatial")
    if node.take("training_mode"):
        raise node.refuse("training_mode=1; supported is 0")
    *_, variance = (node.known(which, "vector") for which in range(1, 5))
    epsilon = node.take("epsilon")
    if not (variance + epsilon > 0).all():
        raise node.refuse(
            f"its variance {node.inputs[4]!r} has the value {variance.min():.3g}, which with "
            f"epsilon={epsilon:.3g} is not above 0; a variance is 0 or more"
        )
    return node.emit("BatchNormalization", *node.inputs, epsilon=epsilon)


def gemm(node: OnnxNode) -> str:
    """`alpha·a·b + beta·c`; constants are turned and multiplied here."""
    a, b, *c = node.inputs
    a = node.turn(a, 1, 0) if node.take("transA") else a
    b = node.turn(b, 1, 0) if node.take("transB") else b
    if (alpha := node.take("alpha")) != 1:
        b = node.emit("Mul", b, node.number("alpha", alpha))
    if (beta := node.take("beta")) != 1 and c:
        c = [node.emit("Mul", c[0], node.number("beta", beta))]
    columns, bias = node.into[b].shape[-1:], node.into[c[0]].shape if c else ()
    if bias[-1:] == columns and prod(bias) == prod(columns):
        return node.emit("Gemm", a, b, node.reshape(c[0], *columns))
    y = node.emit("Gemm", a, b)
    whole, y = node.into[y], node.emit("Add", y, c[0]) if c else y
    if node.into[y] != whole:
        raise node.refuse(f"its third input {node.inputs[2]!r} does not fit into {whole}")
    return y


def softmax(node: OnnxNode) -> str:
    """Along an axis; before opset 13, over all axes from it on."""
    axis, shape = node.axis(), node.shape
    if node.opset < 13:
        x = node.reshape(node.inputs[0], prod(shape[:axis]), prod(shape[axis:]))
        return node.reshape(node.emit("Softmax", x), *shape)
    x, order = node.rows(axis)
    y = node.reshape(node.emit("Softmax", x), *(shape[axis] for axis in order))
    return node.turn(y, *np.argsort(order).tolist())


def arg_max(node: OnnxNode) -> str:
    axis, shape = node.axis(), list(node.shape)
    shape[axis : axis + 1] = [1] * bool(node.take("keepdims"))
    last = {"last": True} if node.take("select_last_index") else {}
    return node.reshape(node.emit("ArgMax", node.rows(axis)[0], **last), *shape)


def flatten(node: OnnxNode) -> str:
    axis, shape = node.axis(most=0), node.shape
    return node.reshape(node.inputs[0], prod(shape[:axis]), prod(shape[axis:]))


def reshape(node: OnnxNode) -> str:
    asked, old = node.known(1, "shape").ravel().tolist(), node.shape
    keep = not node.take("allowzero")
    shape = [
        old[axis] if side == 0 and keep and axis < len(old) else side
        for axis, side in enumerate(asked)
    ]
    if shape.count(-1) == 1:
        shape[shape.index(-1)] = prod(old) // max(1, abs(prod(shape)))
    if prod(shape) != prod(old) or min(shape, default=0) < 0:
        raise node.refuse(f"shape={asked} does not fit its input {node.inputs[0]!r}, {list(old)}")
    return node.reshape(node.inputs[0], *shape)


def unsqueeze(node: OnnxNode) -> str:
    asked = node.known(1, "axes").ravel().tolist() if node.inputs[1:] else node.take("axes")
    shape, full = list(node.shape), len(node.shape) + len(asked)
    axes = sorted({axis % full for axis in asked if -full <= axis < full})
    if len(axes) < len(asked):
        raise node.refuse(f"axes={asked}; its input {node.inputs[0]!r} is {shape}")
    for axis in axes:
        shape.insert(axis, 1)
    return node.reshape(node.inputs[0], *shape)


def dropout(node: OnnxNode) -> str:
    node.take("ratio"), node.take("seed")
    if node.inputs[2:] and node.known(2, "training_mode").any():
        raise node.refuse("training_mode=True; supported is False")
    return node.inputs[0]


def transpose(node: OnnxNode) -> str:
    order = node.take("perm") or range(len(node.shape))[::-1]
    return node.emit("Transpose", node.inputs[0], order=tuple(order))


def cast(node: OnnxNode) -> str:
    node.take("saturate"), node.take("round_mode")  # of types to which nothing is cast here
    if (to := node.take("to")) != 1:
        raise node.refuse(f"to={to}; supported is 1, which is float32")
    return node.emit("Cast", node.inputs[0])


def _same(node: OnnxNode) -> str:
    return node.emit(node.op, *node.inputs)


READ: dict[str, Callable[[OnnxNode], str]] = {
    "Conv": conv,
    "Gemm": gemm,
    "BatchNormalization": batch_norm,
    "MaxPool": max_pool,
    "AveragePool": average_pool,
    "LRN": lrn,
    "Softmax": softmax,
    "ArgMax": arg_max,
    **dict.fromkeys(("GlobalAveragePool", "Relu", *ELEMENTWISE), _same),
    "Sum": lambda node: reduce(lambda a, b: node.emit("Add", a, b), node.inputs),
    "Cast": cast,
    "Identity": lambda node: node.inputs[0],
    "Dropout": dropout,
    "Flatten": flatten,
    "Reshape": reshape,
    "Unsqueeze": unsqueeze,
    "Transpose": transpose,
    "Concat": lambda node: node.emit("Concat", *node.inputs, axis=node.axis()),
}


def first_line(error: Exception) -> str:
    """Return the first line of an error's text, which is all that fits into another's."""
    return next(iter(str(error).splitlines()), type(error).__name__)
