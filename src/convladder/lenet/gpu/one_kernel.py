"""Past the seed: the whole network in one kernel, chunk by chunk beside the copies."""

from __future__ import annotations

import numpy as np

from ... import cuda
from ...cuda import streams
from ..network import Weights
from ..rungs import rung
from .bytes import FromBytes
from .session import kernel, scaled

BLOCK_IMAGES, THREADS = 16, 256  # of a block, as in one_kernel.cu
BLOCK_SHARED_BYTES = 4 * (16 * 786 + 6 * 12 * 12 * 16)  # images, and maps after the first pool


class OneKernel(FromBytes):
    """One launch and two copies a chunk; `pixel` is what the kernel is an instance for."""

    chunks = 5  # of 2,000 images: 125 blocks, one for each multiprocessor of an H200
    streams = 3
    pixel = "unsigned char"

    def __init__(self, images: np.ndarray, weights: Weights):
        super().__init__(images, weights)
        self.answers = streams.pinned((self.count,), np.uint8)
        self.made = kernel("one_kernel.cu", f"lenet<{self.pixel}>")
        for name, values in zip(("conv1", "conv1_bias"), self.arranged(weights)[:2], strict=True):
            self.made.set_constant(name, values)

    def arranged(self, weights: Weights) -> list[np.ndarray]:
        """As `FromBytes` has them, the second convolution's as `[i_c,k_h,k_w,k_c]`."""
        arrays = super().arranged(weights)
        arrays[2] = np.ascontiguousarray(arrays[2].transpose(2, 0, 1, 3))
        return arrays

    def room(self, count: int) -> dict[str, object]:
        return {
            "x": cuda.empty((count, 28, 28), self.host.dtype),
            "answer": cuda.empty(count, np.uint8),
        }

    def label(self, count: int, **arrays: object) -> None:
        self.launch(
            self.made, -(-count // BLOCK_IMAGES), THREADS,
            arrays["x"], *self.weights[2:], arrays["answer"], count,
            shared_bytes=BLOCK_SHARED_BYTES,
        )  # fmt: skip


@rung(
    name="one_kernel",
    title="One kernel",
    device="gpu",
    number=11,
    idea="Two maps of 16 images fit into shared memory: only bytes and labels touch global memory, "
    "sums stay in registers, and the arithmetic is all that is left.",
)
class OneKernelBytes(OneKernel):
    """Bytes up, labels back."""


@rung(
    name="one_kernel_floats",
    title="One kernel, float32 images",
    device="gpu",
    number=12,
    idea="The same kernel for images that come as float32, as PyTorch takes them: the wire is "
    "then four times as long, and hides all of the arithmetic.",
)
class OneKernelFloats(OneKernel):
    """For a comparison on equal terms; more chunks, since the last one's kernel is what shows."""

    chunks = 10
    pixel = "float"

    def hosted(self, images: np.ndarray) -> np.ndarray:
        return scaled(images, pinned=True)

    def arranged(self, weights: Weights) -> list[np.ndarray]:
        arrays = super().arranged(weights)
        return [weights.conv1, *arrays[1:]]
