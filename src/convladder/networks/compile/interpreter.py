"""The judge of every compiled graph: its nodes one by one in float64, nothing planned or reused."""

from __future__ import annotations

import numpy as np

from ...core.reference import conv2d_float64
from .graph import Graph, Node, Tensor
from .operators import ELEMENTWISE, conv_problem, operator, pair, refuse


def evaluate(graph: Graph, **inputs: np.ndarray) -> dict[str, np.ndarray]:
    """Compute the graph's outputs by name, float64 (labels int64), from an array for each input.

    Raises `GraphError` or `ValueError` for a missing, unknown or ill-shaped input.
    """
    check_inputs(graph, inputs)
    values = {name: _wide(array) for name, array in (graph.constants | inputs).items()}
    for node in graph.nodes:
        values[node.output] = value(node, [values[name] for name in node.inputs])
    return {name: values[name] for name in graph.outputs}


def check_inputs(graph: Graph, inputs: dict[str, np.ndarray]) -> None:
    """Raise `ValueError` or `TypeError` unless `inputs` are what the graph takes."""
    if inputs.keys() != graph.inputs.keys():
        raise ValueError(
            f"{graph.name} takes the inputs {', '.join(graph.inputs)}; it was given "
            f"{', '.join(inputs) or 'none'}"
        )
    for name, tensor in graph.inputs.items():
        array = inputs[name]
        if not isinstance(array, np.ndarray) or isinstance(array, np.ma.MaskedArray):
            raise TypeError(
                f"input {name!r} is a {type(array).__name__}; {graph.name} takes "
                f"{tensor}, as a plain NumPy array"
            )
        if array.shape != tensor.shape:
            raise ValueError(f"input {name!r} has shape {array.shape}; {graph.name} takes {tensor}")
        if array.dtype != np.dtype(tensor.dtype):  # its name as text would take 5 µs
            raise TypeError(f"input {name!r} is {array.dtype}; {graph.name} takes {tensor}")


def _wide(array: np.ndarray) -> np.ndarray:
    return array.astype(np.float64)


def value(node: Node, arrays: list[np.ndarray]) -> np.ndarray:
    """Compute what `node` makes of float64 `arrays`. Raises `GraphError` for unknown operators."""
    operator(node)
    x = arrays[0]
    match node.op:
        case "Conv":
            return _conv(node, *arrays)
        case "Gemm":
            y = x @ arrays[1] + (arrays[2] if arrays[2:] else 0)
            return np.maximum(y, 0) if node.get("relu") else y
        case "BatchNormalization":
            gamma, beta, mean, variance = (_channels(node, a) for a in arrays[1:])
            return gamma * (x - mean) / np.sqrt(variance + node.get("epsilon", 1e-5)) + beta
        case "Relu":
            return np.maximum(x, 0)
        case "MaxPool":
            return _max_pool(node, x, pair(node, "kernel", 1), pair(node, "stride", 1))
        case "GlobalAveragePool":
            axes = (1, 2) if node.get("layout") == "NHWC" else (2, 3)
            return x.mean(axis=axes, keepdims=True)
        case op if op in ELEMENTWISE:
            return getattr(np, ELEMENTWISE[op])(x, arrays[1])
        case "Flatten":
            return x.reshape(len(x), -1)
        case "Transpose":
            return x.transpose(node.get("order"))
        case "Reshape":
            return x.reshape(node.get("shape"))
        case "Concat":
            return np.concatenate(arrays, node.get("axis"))
        case "Pad":
            return _pad(node, x)
        case "Softmax":
            y = np.exp(x - x.max(axis=1, keepdims=True))
            return y / y.sum(axis=1, keepdims=True)
        case "ArgMax" if node.get("last"):
            return x.shape[1] - 1 - x[:, ::-1].argmax(axis=1)
        case "ArgMax":
            return x.argmax(axis=1)
        case "Cast" | "Identity":
            return x
    raise refuse(node, "it is made by a pass; judge the graph from before that pass")


def _channels(node: Node, vector: np.ndarray) -> np.ndarray:
    """A value for each channel, so shaped that it meets maps of the node's layout."""
    return vector if node.get("layout") == "NHWC" else vector[:, np.newaxis, np.newaxis]


def _conv(node: Node, x, w, bias=None, added=None) -> np.ndarray:
    problem = conv_problem(node, Tensor(x.shape), Tensor(w.shape))
    if node.get("layout") != "NHWC":
        x, w = x.transpose(0, 2, 3, 1), w.transpose(2, 3, 1, 0)
    groups = node.get("group", 1)
    y = np.concatenate(
        [
            conv2d_float64(*parts, problem)
            for parts in zip(np.split(x, groups, 3), np.split(w, groups, 3), strict=True)
        ],
        axis=3,
    )
    y = y if node.get("layout") == "NHWC" else y.transpose(0, 3, 1, 2)
    y = y if bias is None else y + _channels(node, bias)
    y = y if added is None else y + added
    y = np.maximum(y, 0) if node.get("relu") else y
    return _max_pool(node, y, node.get("pool"), node.get("pool")) if node.get("pool") else y


def _max_pool(node: Node, x, kernel, stride) -> np.ndarray:
    first = 1 if node.get("layout") == "NHWC" else 2
    windows = np.lib.stride_tricks.sliding_window_view(x, kernel, axis=(first, first + 1))
    steps = [slice(None)] * 4
    steps[first], steps[first + 1] = (slice(None, None, s) for s in stride)
    return windows[tuple(steps)].max(axis=(-2, -1))


def _pad(node: Node, x: np.ndarray) -> np.ndarray:
    top, left, bottom, right = node.get("pads")
    first = 1 if node.get("layout") == "NHWC" else 2
    around = [(0, 0)] * 4
    around[first : first + 2] = (top, bottom), (left, right)
    return np.pad(x, around, constant_values=node.get("value", 0.0))
