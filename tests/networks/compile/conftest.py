"""Inputs of graphs, graphs of what the networks have none of, and how near float32 must come."""

import numpy as np

from convladder.networks.compile import Graph, Tensor, evaluate
from convladder.networks.compile.networks import Builder

CLOSE = dict(rtol=1e-5, atol=3e-6)  # of sums of up to 576 products, through a dozen layers


def input_of(graph: Graph, seed: int = 3) -> dict[str, np.ndarray]:
    """Signed, without symmetry; bytes of all values."""
    rng = np.random.default_rng(seed)
    return {
        name: rng.integers(0, 256, tensor.shape, np.uint8)
        if tensor.dtype == "uint8"
        else rng.standard_normal(tensor.shape, np.float32) + np.float32(0.25)
        for name, tensor in graph.inputs.items()
    }


def agree(program, graph: Graph, seed: int = 3, **close: float) -> None:
    """Compare all outputs of a program with the float64 oracle of the graph it came from."""
    inputs = input_of(graph, seed)
    results = program(**inputs)
    for output, expected in evaluate(graph, **inputs).items():
        np.testing.assert_allclose(results[output], expected, **close or CLOSE, err_msg=output)


def groups_and_dilation() -> Graph:
    """Groups, dilation, a multiplier; bias, addition, ReLU and pool fused to them."""
    b = Builder("parts", {"x": Tensor((3, 4, 11, 9))}, seed=4)
    y = b.add("Conv", "a", "x", b.random("a.w", 6, 2, 3, 2), b.random("a.b", 6), group=2,
              dilation=(2, 3), padding=(2, 1), stride=(2, 1))  # fmt: skip
    z = b.add("Conv", "c", b.add("Relu", "r", y), b.random("c.w", 6, 6, 3, 3), dilation=(2, 1),
              padding=(2, 1))  # fmt: skip
    z = b.add("Relu", "s", b.add("Add", "sum", z, y))
    z = b.add("Conv", "d", z, b.random("d.w", 12, 1, 2, 3, spread=0.3), b.random("d.b", 12),
              group=6, padding=(1, 1))  # fmt: skip
    return b.graph(b.add("MaxPool", "p", b.add("Relu", "t", z), kernel=(2, 2), stride=(2, 2)))


def odd() -> Graph:
    """Sizes that differ in both directions, lone operators, a result that is read again."""
    b = Builder("odd", {"x": Tensor((2, 3, 9, 7))}, seed=5)
    y = b.add("Conv", "a", "x", b.random("a.w", 5, 3, 3, 2), b.random("a.b", 5), stride=(2, 1),
              padding=(1, 0))  # fmt: skip
    y = b.add("Mul", "scaled", y, b.random("by", 5, 1, 1))
    y = b.add("Div", "halved", y, b.constant("two", np.array([2.0])))
    z = b.add("Conv", "c", y, b.random("c.w", 5, 1, 2, 3), group=5, padding=(1, 1))
    pooled = b.add("MaxPool", "pooled", z, kernel=(3, 2), stride=(1, 2))
    flat = b.add("Flatten", "flat", b.add("Relu", "r", b.add("Add", "twice", pooled, pooled)))
    b.add("Gemm", "g", flat, b.random("g.w", 4 * 5 * 3, 6, spread=0.1))
    return b.graph("g", "r")


def of_files() -> Graph:
    """Operators that files have and the networks do not; maps that others read as they came."""
    inputs = {"x": Tensor((2, 3, 5, 4)), "v": Tensor((4,)), "m": Tensor((42, 6))}
    b = Builder("files", inputs, seed=6)
    y = b.add("Pad", "padded", "x", pads=(1, 0, 2, 1), value=-np.inf)
    y = b.add("MaxPool", "pooled", y, kernel=(4, 2), stride=(1, 1))
    y = b.add("Concat", "both", y, "x", b.random("c", 2, 1, 5, 4), axis=1)
    b.add("Add", "sum", b.add("Mul", "positive", "v", "v"), b.add("Mul", "square", y, y))
    b.add("Pow", "root", "sum", b.constant("half", np.array([0.5])))
    b.add("Reshape", "rows", b.add("Concat", "long", "root", "sum", axis=2), shape=(10, 4, 14))
    b.add("Reshape", "flat", "rows", shape=(20, 28))
    b.add("Reshape", "wide", "both", shape=(2, 140))
    w = b.random("w", 56, 42, spread=0.03)
    b.add("Gemm", "product", b.add("Reshape", "r", "flat", shape=(10, 56)), w)
    b.add("Softmax", "chances", b.add("Relu", "s", b.add("Gemm", "g", "product", "m")))
    b.add("ArgMax", "last", b.add("Concat", "twice", "chances", "chances", axis=1), last=True)
    return b.graph("sum", "root", "wide", "chances", "last")


ODD = {"groups": groups_and_dilation(), "odd": odd(), "of files": of_files()}
