"""Past the seed: the one kernel on tensor cores, in half precision with float32 sums."""

from __future__ import annotations

import numpy as np

from ... import cuda
from ...cuda import streams
from ..network import Weights
from ..rungs import rung
from .bytes import FromBytes
from .fragments import fragments
from .session import kernel

IMAGES, THREADS = 16, 256  # of a block, as in tensor_core.cu
SHARED = 2 * (16 * 792 + 144 * 16 * 8)  # bytes: images, and maps after the first pool


@rung(
    name="tensor_core",
    title="One kernel on tensor cores",
    device="gpu",
    number=13,
    idea="A warp's matrix instruction does 2,048 multiply-adds where FFMA does 32: with the 16 "
    "images of a block as its rows, padding costs a third of them and the rest is still a gain.",
    precision=0.05,  # half's 11 bits: three times the largest error seen in a logit
    emulated=False,
)
class TensorCore(FromBytes):
    """As `one_kernel`, but for the kernel and its weights."""

    chunks = 5
    streams = 3

    def __init__(self, images: np.ndarray, weights: Weights):
        super().__init__(images, weights)
        self.answers = streams.pinned((self.count,), np.uint8)
        self.made = kernel("tensor_core.cu", "lenet")

    def arranged(self, weights: Weights) -> list[np.ndarray]:
        return fragments(weights)

    def room(self, count: int) -> dict[str, object]:
        return {"x": cuda.empty((count, 28, 28), np.uint8), "answer": cuda.empty(count, np.uint8)}

    def label(self, count: int, **arrays: object) -> None:
        self.launch(
            self.made, -(-count // IMAGES), THREADS,
            arrays["x"], *self.weights, arrays["answer"], count, shared_bytes=SHARED,
        )  # fmt: skip
