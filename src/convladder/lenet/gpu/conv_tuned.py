"""The seed's third program: convolutions that load once what many threads need."""

from __future__ import annotations

import numpy as np

from ..network import Weights
from ..rungs import rung
from .batched import AllAtOnce
from .session import POOL1, POOL2, kernel


@rung(
    name="conv_tuned",
    title="Convolutions tuned",
    device="gpu",
    number=3,
    idea="An image and the weights are loaded into shared memory once, and a thread keeps the sums "
    "of all channels of its pixel: 6 or 16 multiply-adds for each value loaded, not one.",
)
class ConvTuned(AllAtOnce):
    """A block an image, 192 threads for 576 pixels and 64 for 64."""

    def __init__(self, images: np.ndarray, weights: Weights):
        super().__init__(images, weights)
        self.conv1, self.conv2 = (kernel("conv_tuned.cu", f"conv{n}_relu") for n in (1, 2))

    def convolve(self) -> None:
        conv1, bias1, conv2, bias2 = self.weights[:4]
        self.launch(self.conv1, self.count, 192, self.x, conv1, bias1, self.map1)
        self.wait()
        self.step(self.pool, self.pooled1, self.map1, self.pooled1, *POOL1)
        self.launch(self.conv2, self.count, 64, self.pooled1, conv2, bias2, self.map2)
        self.wait()
        self.step(self.pool, self.pooled2, self.map2, self.pooled2, *POOL2)
