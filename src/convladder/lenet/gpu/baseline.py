"""The seed's first program: an image at a time, a kernel a layer, and a wait after each."""

from __future__ import annotations

import numpy as np

from ... import cuda
from ...cuda import streams
from ..network import CLASSES, Weights
from ..rungs import rung
from .session import CONV1, CONV2, POOL1, POOL2, DeviceSession, kernel, scaled

THREADS = 128


@rung(
    name="baseline",
    title="An image at a time",
    device="gpu",
    number=1,
    idea="Each layer is a kernel with a thread for each value, and the host waits after each: "
    "at most 3,456 threads are at work, on a chip with room for 270,000.",
)
class Baseline(DeviceSession):
    """Seven kernels, seven waits and two copies for each image."""

    def __init__(self, images: np.ndarray, weights: Weights):
        super().__init__(images, weights)
        self.host = scaled(images, pinned=False)
        self.answers = np.empty((self.count, CLASSES), np.float32)
        self.conv, self.pool, self.linear = (
            kernel("baseline.cu", name) for name in ("conv_relu", "max_pool", "linear")
        )
        self.x = cuda.empty(images.shape[1:])
        self.map1, self.pooled1, self.map2, self.pooled2 = map(
            cuda.empty, (CONV1, POOL1, CONV2, POOL2)
        )
        self.first, self.second, self.logits = map(cuda.empty, (120, 84, CLASSES))

    def run(self) -> np.ndarray:
        for image, answer in zip(self.host, self.answers, strict=True):
            streams.upload(self.x, image)
            self._label()
            streams.download(answer, self.logits)
            cuda.synchronize()
        return self.answers.argmax(axis=1)

    def compute(self) -> None:
        """As often as there are images, each time the last one, which lies there."""
        for _ in range(self.count):
            self._label()

    def _label(self) -> None:
        conv1, bias1, conv2, bias2, fc1, fc1_bias, fc2, fc2_bias, fc3, fc3_bias = self.weights
        self._step(self.conv, self.map1, self.x, conv1, bias1, self.map1, 28, 1, *CONV1)
        self._step(self.pool, self.pooled1, self.map1, self.pooled1, *POOL1)
        self._step(self.conv, self.map2, self.pooled1, conv2, bias2, self.map2, 12, 6, *CONV2)
        self._step(self.pool, self.pooled2, self.map2, self.pooled2, *POOL2)
        self._step(self.linear, self.first, self.pooled2, fc1, fc1_bias, self.first, 256, 120, 1)
        self._step(self.linear, self.second, self.first, fc2, fc2_bias, self.second, 120, 84, 1)
        self._step(self.linear, self.logits, self.second, fc3, fc3_bias, self.logits, 84, 10, 0)

    def _step(self, made: cuda.Kernel, result: object, *arguments: object) -> None:
        self.launch(made, -(-result.size // THREADS), THREADS, *arguments)
        cuda.synchronize()
