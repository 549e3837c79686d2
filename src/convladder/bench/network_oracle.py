"""Images for the networks of chapter 13, the right answers, and how far others may be from them."""

from __future__ import annotations

import numpy as np

from .. import lenet
from ..compile.graph import Graph, Tensor
from ..compile.oracle import evaluate

ROUNDING = 1e-5  # of the largest value: what float32 may be off by after a dozen layers
OTHERS = 5e-4  # of all labels: a few hang on a logit's last digits


def sample(graph: Graph, count: int) -> np.ndarray:
    """Return `count` images for a network: the first test digits, or values by chance."""
    (name,) = graph.inputs
    shape, rng = graph[name].shape[1:], np.random.default_rng(12)
    if graph.name == "lenet":
        return np.ascontiguousarray(lenet.images()[:count, np.newaxis])
    return rng.standard_normal((count, *shape), np.float32)


def expected(graph: Graph, x: np.ndarray) -> np.ndarray:
    """Return the float64 oracle's labels or values for images `x`, of whatever number."""
    if graph.name == "lenet":
        return lenet.logits(x[:, 0], lenet.weights()).argmax(axis=1)
    (name,) = graph.inputs
    whole = graph.having(inputs={name: Tensor(x.shape, graph[name].dtype)})
    return evaluate(whole, **{name: x})[graph.outputs[0]]


def distance(values: np.ndarray, right: np.ndarray) -> float:
    """Return how far values are from right ones, over the largest; of labels the share wrong."""
    if right.dtype.kind == "i":
        return float(np.mean(values != right))
    return float(np.abs(values - right).max() / np.abs(right).max())


def limit(graph: Graph) -> float:
    """Return how far values may be from the right ones and be right."""
    return OTHERS if graph.name == "lenet" else ROUNDING
