"""The seed's second program: all images in one launch."""

from __future__ import annotations

import numpy as np

from ... import cuda
from ..network import FULL, Weights
from ..rungs import rung
from .session import CONV1, CONV2, POOL1, POOL2, Batched, kernel

THREADS = 256


@rung(
    name="batched",
    title="All images at once",
    device="gpu",
    number=2,
    idea="Images do not depend on one another: one launch a layer for all of them fills the chip, "
    "and 70,000 launches and waits become seven.",
)
class AllAtOnce(Batched):
    """Seven launches, each followed by a wait, which the seed removes four rungs on."""

    def __init__(self, images: np.ndarray, weights: Weights):
        super().__init__(images, weights)
        self.conv, self.pool, self.linear = (
            kernel("batched.cu", name) for name in ("conv_relu", "max_pool", "linear")
        )

    def compute(self) -> None:
        self.convolve()
        self.multiply()

    def convolve(self) -> None:
        """From the images to the 256 inputs of the first product."""
        conv1, bias1, conv2, bias2 = self.weights[:4]
        self.step(self.conv, self.map1, self.x, conv1, bias1, self.map1, 28, 28, 1, *CONV1)
        self.step(self.pool, self.pooled1, self.map1, self.pooled1, *POOL1)
        self.step(self.conv, self.map2, self.pooled1, conv2, bias2, self.map2, 12, 12, 6, *CONV2)
        self.step(self.pool, self.pooled2, self.map2, self.pooled2, *POOL2)

    def multiply(self) -> None:
        """From there to the logits."""
        maps = self.pooled2, self.first, self.second, self.logits
        for number, (outputs, inputs) in enumerate(FULL):
            x, y = maps[number : number + 2]
            w, bias = self.weights[4 + 2 * number : 6 + 2 * number]
            self.step(self.linear, y, x, w, bias, y, inputs, outputs, int(number < 2))

    def step(self, made: cuda.Kernel, result: object, *arguments: object) -> None:
        """A thread for each value of the result, and a wait."""
        self.launch(made, -(-result.size // THREADS), THREADS, *arguments, self.count)
        self.wait()

    def wait(self) -> None:
        """Let the host wait for the device: nothing needs it, but errors show here."""
        cuda.synchronize()
