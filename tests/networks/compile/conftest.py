"""Inputs of the shipped networks, and how near float32 must come to float64."""

import numpy as np

from convladder.networks.compile import Graph, Tensor
from convladder.networks.compile.networks import Builder

CLOSE = dict(rtol=1e-5, atol=3e-6)  # of sums of up to 576 products, through a dozen layers


def input_of(graph: Graph, seed: int = 3) -> dict[str, np.ndarray]:
    """Signed, without symmetry; bytes of all values."""
    ((name, tensor),) = graph.inputs.items()
    rng = np.random.default_rng(seed)
    if tensor.dtype == "uint8":
        return {name: rng.integers(0, 256, tensor.shape, np.uint8)}
    return {name: rng.standard_normal(tensor.shape, np.float32) + np.float32(0.25)}


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
