"""The seed's last program: copies beside kernels, and three kernels instead of seven."""

from __future__ import annotations

import numpy as np

from ... import cuda
from ...cuda import streams
from ..network import CLASSES, Weights
from ..rungs import rung
from .chunks import Chunked
from .session import POOL1, POOL2, kernel, scaled

IMAGES = 8  # of a block of `linear_all`


@rung(
    name="overlap_fused",
    title="Copies beside kernels, layers fused",
    device="gpu",
    number=8,
    idea="In 16 chunks on several streams, one chunk is copied while another is computed; and "
    "ReLU, pool and products join their neighbours, so that fewer maps go through memory.",
)
class OverlapFused(Chunked):
    """Three kernels and two copies a chunk."""

    def __init__(self, images: np.ndarray, weights: Weights):
        super().__init__(images, weights)
        self.answers = streams.pinned((self.count, CLASSES))
        names = "conv1_relu_pool", "conv2_relu_pool", "linear_all"
        self.made = [kernel("overlap_fused.cu", name) for name in names]

    def hosted(self, images: np.ndarray) -> np.ndarray:
        return scaled(images, pinned=True)

    def arranged(self, weights: Weights) -> list[np.ndarray]:
        """Weights of products as `[inputs,outputs]`."""
        return [np.ascontiguousarray(a.T) if a.ndim == 2 else a for a in weights]

    def room(self, count: int) -> dict[str, object]:
        shapes = {"x": (28, 28), "pooled1": POOL1, "pooled2": POOL2, "answer": (CLASSES,)}
        return {name: cuda.empty((count, *shape)) for name, shape in shapes.items()}

    def label(self, count: int, **arrays: object) -> None:
        x, pooled1, pooled2, answer = (
            arrays[name] for name in ("x", "pooled1", "pooled2", "answer")
        )
        conv1, bias1, conv2, bias2, *products = self.weights
        self.launch(self.made[0], count, 160, x, conv1, bias1, pooled1)
        self.launch(self.made[1], count, 64, pooled1, conv2, bias2, pooled2)
        self.launch(
            self.made[2], -(-count // IMAGES), 128, pooled2, *products, answer, count
        )
