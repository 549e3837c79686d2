"""The shapes and the cost of each operator. `interpreter` says what it does to values.

Names and meaning are ONNX's, of fewer forms: `onnx_nodes` says how a file's others become these. A
node whose maps are `[n,c,h,w]` has no attribute `layout`; the layout pass makes it `layout="NHWC"`,
with weights `[k_h,k_w,i_c,k_c]` as everywhere in the course. Fused work lies in attributes of
`Conv` and `Gemm`: `relu`, and for `Conv` `pool` and a fourth input that is added before the ReLU.

ONNX does not say what a NaN does. Here it is as in NumPy and PyTorch: `Relu`, `MaxPool` and
`Softmax` pass it on, and `ArgMax` takes the first one for the largest. (ONNX Runtime's pool and
argmax skip it.) `Relu` of -0 may be 0 or -0.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from math import prod

import numpy as np

from ...core.problem import ConvProblem
from .graph import Graph, GraphError, Node, Tensor

MAPS = ("Conv", "MaxPool", "GlobalAveragePool", "BatchNormalization", "Pad")  # have a layout
VIEWS = ("Flatten", "Reshape", "Identity")  # the same bytes by another name
# Value by value, one input broadcast to the other: NumPy's functions.
ELEMENTWISE = {"Add": "add", "Mul": "multiply", "Div": "divide", "Pow": "power"}


@dataclass(frozen=True)
class Operator:
    """`shape(node, tensors)` gives the output; `macs(node, tensors)` its multiply-accumulates."""

    inputs: range
    shape: Callable[[Node, list[Tensor]], Tensor]
    macs: Callable[[Node, list[Tensor]], int] = lambda node, tensors: 0


def refuse(node: Node, why: str) -> GraphError:
    """Return the error for a node that cannot be, to be raised."""
    return GraphError(f"{node.op} {node.output!r}: {why}")


def pair(node: Node, attribute: str, default: int) -> tuple[int, int]:
    """Return an attribute of two ints, vertical and horizontal."""
    return tuple(node.get(attribute, (default, default)))


def conv_problem(node: Node, x: Tensor, w: Tensor) -> ConvProblem:
    """Return the convolution of one group of a `Conv`, whichever layout. Raises `GraphError`."""
    if len(x.shape) != 4 or len(w.shape) != 4:
        raise refuse(node, f"x is {x} and w is {w}; both need 4 axes")
    if node.get("layout") == "NHWC":
        (i_n, i_h, i_w, i_c), (k_h, k_w, w_c, k_c) = x.shape, w.shape
    else:
        (i_n, i_c, i_h, i_w), (k_c, w_c, k_h, k_w) = x.shape, w.shape
    group = node.get("group", 1)
    if i_c != w_c * group or k_c % group:
        raise refuse(
            node,
            f"x has {i_c} channels; weights {w} in {group} group(s) take "
            f"{w_c * group} and give {k_c}",
        )
    try:
        s, p, d = pair(node, "stride", 1), pair(node, "padding", 0), pair(node, "dilation", 1)
        return ConvProblem(i_n, i_h, i_w, w_c, k_h, k_w, k_c // group, s, p, d)
    except ValueError as error:
        raise refuse(node, str(error)) from None


def _maps(node: Node, n: int, h: int, w: int, c: int) -> tuple[int, ...]:
    return (n, h, w, c) if node.get("layout") == "NHWC" else (n, c, h, w)


def _sides(node: Node, x: Tensor) -> tuple[int, int, int, int]:
    """`n, h, w, c` of maps in either layout."""
    if len(x.shape) != 4:
        raise refuse(node, f"x is {x}; it needs 4 axes")
    if node.get("layout") == "NHWC":
        return x.shape
    n, c, h, w = x.shape
    return n, h, w, c


def _conv(node: Node, tensors: list[Tensor]) -> Tensor:
    p, group = conv_problem(node, *tensors[:2]), node.get("group", 1)
    k_c = p.k_c * group
    _vector(node, "the bias", tensors[2:3], k_c)
    full = Tensor(_maps(node, p.i_n, p.o_h, p.o_w, k_c))
    if tensors[3:] and tensors[3] != full:
        raise refuse(node, f"it adds {tensors[3]} to {full}")
    return _pooled(node, full, pair(node, "pool", 1), pair(node, "pool", 1))


def _conv_macs(node: Node, tensors: list[Tensor]) -> int:
    return conv_problem(node, *tensors[:2]).macs * node.get("group", 1)


def _vector(node: Node, what: str, tensors: list[Tensor], length: int) -> None:
    for tensor in tensors:
        if tensor.shape != (length,):
            raise refuse(node, f"{what} is {tensor}; it needs one value per channel: ({length},)")


def _pooled(node: Node, x: Tensor, kernel: tuple[int, int], stride: tuple[int, int]) -> Tensor:
    n, h, w, c = _sides(node, x)
    if kernel[0] > h or kernel[1] > w:
        raise refuse(node, f"a window of {kernel} is larger than the map {x}")
    rows, cols = ((side - k) // s + 1 for side, k, s in zip((h, w), kernel, stride, strict=True))
    return Tensor(_maps(node, n, rows, cols, c), x.dtype)


def _max_pool(node: Node, tensors: list[Tensor]) -> Tensor:
    return _pooled(node, tensors[0], pair(node, "kernel", 1), pair(node, "stride", 1))


def _batch_norm(node: Node, tensors: list[Tensor]) -> Tensor:
    _vector(node, "one of its four vectors", tensors[1:], _sides(node, tensors[0])[3])
    return tensors[0]


def _average(node: Node, tensors: list[Tensor]) -> Tensor:
    n, _, _, c = _sides(node, tensors[0])
    return Tensor(_maps(node, n, 1, 1, c), tensors[0].dtype)


def _gemm(node: Node, tensors: list[Tensor]) -> Tensor:
    x, w = tensors[:2]
    if len(x.shape) != 2 or len(w.shape) != 2 or x.shape[1] != w.shape[0]:
        raise refuse(node, f"x {x} by w {w}: columns of x must be rows of w")
    _vector(node, "the bias", tensors[2:3], w.shape[1])
    return Tensor((x.shape[0], w.shape[1]))


def _gemm_macs(node: Node, tensors: list[Tensor]) -> int:
    return prod(tensors[0].shape) * tensors[1].shape[1]


def _together(node: Node, tensors: list[Tensor]) -> Tensor:
    """Two tensors, broadcast as NumPy does: `[n,c,h,w]` and `[c,1,1]`."""
    try:
        return Tensor(np.broadcast_shapes(*(t.shape for t in tensors)))
    except ValueError:
        (a, b), (x, y) = node.inputs, tensors
        raise refuse(node, f"{a!r} is {x} and {b!r} is {y}; one must fit into the other") from None


def _transpose(node: Node, tensors: list[Tensor]) -> Tensor:
    order, x = node.get("order"), tensors[0]
    if order is None or sorted(order) != list(range(len(x.shape))):
        raise refuse(node, f"order={order} does not name each axis of {x} once")
    return Tensor(tuple(x.shape[axis] for axis in order), x.dtype)


def _same(node: Node, tensors: list[Tensor]) -> Tensor:
    return tensors[0]


def _flatten(node: Node, tensors: list[Tensor]) -> Tensor:
    x = tensors[0]
    if not x.shape:
        raise refuse(node, f"x is {x}; it needs 1 axis or more")
    return Tensor((x.shape[0], prod(x.shape[1:])), x.dtype)


def _reshape(node: Node, tensors: list[Tensor]) -> Tensor:
    (x,), shape = tensors, node.get("shape")
    if prod(shape) != prod(x.shape):
        raise refuse(node, f"shape={list(shape)} has {prod(shape)} values, and x is {x}")
    return Tensor(shape, x.dtype)


def _pad(node: Node, tensors: list[Tensor]) -> Tensor:
    n, h, w, c = _sides(node, tensors[0])
    top, left, bottom, right = node.get("pads")
    return Tensor(_maps(node, n, top + h + bottom, left + w + right, c))


def _concat(node: Node, tensors: list[Tensor]) -> Tensor:
    first, axis = tensors[0].shape, node.get("axis")
    for name, tensor in zip(node.inputs, tensors, strict=True):
        rest = tensor.shape[:axis], tensor.shape[axis + 1 :]
        if rest != (first[:axis], first[axis + 1 :]):
            raise refuse(
                node, f"{name!r} is {tensor}; beside axis {axis} it must be as {tensors[0]}"
            )
    joined = sum(tensor.shape[axis] for tensor in tensors)
    return Tensor((*first[:axis], joined, *first[axis + 1 :]))


def _rows(node: Node, tensors: list[Tensor]) -> Tensor:
    if len(tensors[0].shape) != 2:
        raise refuse(node, f"x is {tensors[0]}; it works on the rows of 2 axes")
    return tensors[0]


def _labels(node: Node, tensors: list[Tensor]) -> Tensor:
    return Tensor(_rows(node, tensors).shape[:1], "int64")


def _in_lanes(node: Node, tensors: list[Tensor]) -> Tensor:
    return Tensor(tensors[0].shape[:1], "int64")


OPERATORS: dict[str, Operator] = {
    "Conv": Operator(range(2, 5), _conv, _conv_macs),
    "Gemm": Operator(range(2, 4), _gemm, _gemm_macs),
    "BatchNormalization": Operator(range(5, 6), _batch_norm),
    "Relu": Operator(range(1, 2), _same),
    "MaxPool": Operator(range(1, 2), _max_pool),
    "GlobalAveragePool": Operator(range(1, 2), _average),
    **{op: Operator(range(2, 3), _together) for op in ELEMENTWISE},
    "Cast": Operator(range(1, 2), lambda node, t: Tensor(t[0].shape, "float32")),
    "Identity": Operator(range(1, 2), _same),
    "Flatten": Operator(range(1, 2), _flatten),
    "Reshape": Operator(range(1, 2), _reshape),
    "Transpose": Operator(range(1, 2), _transpose),
    "Concat": Operator(range(1, 1000), _concat),
    "Pad": Operator(range(1, 2), _pad),
    "Softmax": Operator(range(1, 2), _rows),
    "ArgMax": Operator(range(1, 2), _labels),
    # Of this compiler alone: a whole network of bytes to labels, see passes.lanes.
    "ImagesInLanes": Operator(
        range(1, 100), _in_lanes, lambda node, t: node.get("macs") * t[0].shape[0]
    ),
}
OF_ANY_TYPE = ("Cast", "ImagesInLanes", "Transpose", *VIEWS)  # all others take float32


def operator(node: Node) -> Operator:
    """Return the operator of a node. Raises `GraphError` that names both, and what there is."""
    if node.op not in OPERATORS:
        raise GraphError(
            f"node {node.output!r} is a {node.op}, which this compiler does not know; "
            f"it knows {', '.join(OPERATORS)}"
        )
    found = OPERATORS[node.op]
    if len(node.inputs) not in found.inputs:
        raise refuse(
            node,
            f"it has {len(node.inputs)} inputs; it takes {found.inputs.start} to "
            f"{found.inputs.stop - 1}",
        )
    return found


def result(node: Node, inputs: list[Tensor]) -> Tensor:
    """Return a node's result type for `inputs`. Raises `GraphError` where they do not fit."""
    found = operator(node)
    for name, tensor in zip(node.inputs, inputs, strict=True):
        if tensor.dtype != "float32" and node.op not in OF_ANY_TYPE:
            raise refuse(
                node, f"its input {name!r} is {tensor}; it takes float32 (put a Cast before it)"
            )
    return found.shape(node, inputs)


def infer_shapes(graph: Graph) -> Graph:
    """Find the shape and dtype of every tensor from those of the inputs.

    Raises `GraphError` that names node and tensor where they do not fit.
    """
    tensors: dict[str, Tensor] = {}
    for node in graph.nodes:
        inputs = [tensors.get(name) or graph[name] for name in node.inputs]
        tensors[node.output] = result(node, inputs)
    return graph.having(tensors=tensors)
