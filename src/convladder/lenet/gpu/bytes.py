"""Past the seed: bytes go up, labels come back."""

from __future__ import annotations

import numpy as np

from ... import cuda
from ...cuda import streams
from ..network import Weights
from ..rungs import rung
from .graph import Recorded
from .overlap_fused import IMAGES
from .session import POOL1, POOL2, kernel


class FromBytes(Recorded):
    """A recorded session that copies bytes there and labels back."""

    def __init__(self, images: np.ndarray, weights: Weights):
        super().__init__(images, weights)
        self.answers = streams.pinned((self.count,), np.int32)

    def hosted(self, images: np.ndarray) -> np.ndarray:
        host = streams.pinned(images.shape, np.uint8)
        host[...] = images
        return host

    def arranged(self, weights: Weights) -> list[np.ndarray]:
        """Products as `[inputs,outputs]`; the first layer's weights scale a byte to 0 to 1."""
        arrays = [np.ascontiguousarray(a.T) if a.ndim == 2 else a for a in weights]
        return [arrays[0] * np.float32(1 / 255), *arrays[1:]]

    def labels(self) -> np.ndarray:
        return self.answers.copy()


@rung(
    name="bytes",
    title="Bytes up, labels back",
    device="gpu",
    number=10,
    idea="A pixel is a byte: sent as one, and scaled where it is used, images need a quarter of "
    "the time on the wire, which is most of what is left; and only labels come back.",
)
class Bytes(FromBytes):
    """The three kernels, the outer ones for bytes and labels."""

    def __init__(self, images: np.ndarray, weights: Weights):
        super().__init__(images, weights)
        self.made = [
            kernel("bytes.cu", "conv1_relu_pool"), kernel("overlap_fused.cu", "conv2_relu_pool"),
            kernel("bytes.cu", "linear_label"),
        ]  # fmt: skip

    def room(self, count: int) -> dict[str, object]:
        return {
            "x": cuda.empty((count, 28, 28), np.uint8), "pooled1": cuda.empty((count, *POOL1)),
            "pooled2": cuda.empty((count, *POOL2)), "answer": cuda.empty(count, np.int32),
        }  # fmt: skip

    def label(self, count: int, **arrays: object) -> None:
        x, pooled1, pooled2, answer = (
            arrays[name] for name in ("x", "pooled1", "pooled2", "answer")
        )
        conv1, bias1, conv2, bias2, *products = self.weights
        self.launch(self.made[0], count, 160, x, conv1, bias1, pooled1)
        self.launch(self.made[1], count, 64, pooled1, conv2, bias2, pooled2)
        self.launch(self.made[2], -(-count // IMAGES), 128, pooled2, *products, answer, count)
