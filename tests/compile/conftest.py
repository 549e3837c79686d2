"""Inputs of the shipped networks, and how near float32 must come to float64."""

import numpy as np

from convladder.compile import Graph

CLOSE = dict(rtol=1e-5, atol=3e-6)  # of sums of up to 576 products, through a dozen layers


def input_of(graph: Graph, seed: int = 3) -> dict[str, np.ndarray]:
    """Signed, without symmetry; bytes of all values."""
    (name, tensor), = graph.inputs.items()
    rng = np.random.default_rng(seed)
    if tensor.dtype == "uint8":
        return {name: rng.integers(0, 256, tensor.shape, np.uint8)}
    return {name: rng.standard_normal(tensor.shape, np.float32) + np.float32(0.25)}
