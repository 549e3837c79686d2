"""The seed's fourth program: products that use each weight for several images."""

from __future__ import annotations

import numpy as np

from ..network import FULL, Weights
from ..rungs import rung
from .conv_tuned import ConvTuned
from .session import kernel

IMAGES = 8  # of a block, as in fc_tuned.cu
THREADS = 128  # an output each


@rung(
    name="fc_tuned",
    title="Products tuned",
    device="gpu",
    number=4,
    idea="Every image needs every weight: a block that does eight images loads each weight once "
    "for all of them, and keeps their inputs in shared memory.",
)
class ProductsTuned(ConvTuned):
    """A block for eight images, a thread for an output of each."""

    source = "fc_tuned.cu"

    def __init__(self, images: np.ndarray, weights: Weights):
        super().__init__(images, weights)
        self.linear = kernel(self.source, "linear")

    def multiply(self) -> None:
        maps = self.pooled2, self.first, self.second, self.logits
        for number, (outputs, inputs) in enumerate(FULL):
            x, y = maps[number : number + 2]
            w, bias = self.weights[4 + 2 * number : 6 + 2 * number]
            self.launch(
                self.linear, -(-self.count // IMAGES), THREADS, x, w, bias, y, inputs, outputs,
                int(number < 2), self.count, shared_bytes=4 * IMAGES * inputs,
            )  # fmt: skip
            self.wait()
