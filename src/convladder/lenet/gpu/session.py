"""What rungs on the GPU share: images and weights on the device, launches that can be watched.

Maps lie as everywhere in the course, `[i_n,i_h,i_w,i_c]`.
"""

from __future__ import annotations

from pathlib import Path

import numpy as np

from ... import cuda
from ...cuda import streams
from ..network import CLASSES, FULL, Weights

HERE = Path(__file__).parent
CONV1, POOL1, CONV2, POOL2 = (24, 24, 6), (12, 12, 6), (8, 8, 16), (4, 4, 16)


def kernel(file: str, name: str) -> cuda.Kernel:
    """The kernel `name` of a `.cu` file of this folder."""
    return cuda.Kernel(HERE / file, name)


def scaled(images: np.ndarray, pinned: bool) -> np.ndarray:
    """Bytes as the float32 from 0 to 1 that the network takes, in host memory."""
    x = streams.pinned(images.shape) if pinned else np.empty(images.shape, np.float32)
    np.multiply(images, np.float32(1 / 255), out=x)
    return x


class DeviceSession:
    """A rung's copies, launches and results. Subclasses say what `compute` launches."""

    def __init__(self, images: np.ndarray, weights: Weights):
        self.count = len(images)
        self.weights = [cuda.to_device(array) for array in self.arranged(weights)]
        self.reports = None

    def arranged(self, weights: Weights) -> list[np.ndarray]:
        """The arrays in the order of axes that the kernels take: here as they are."""
        return list(weights)

    def run(self) -> np.ndarray:
        """Labels `[count]`: images to the device, the network, its answers back."""
        raise NotImplementedError

    def compute(self) -> None:
        """Start the device's own work, from images that lie there."""
        raise NotImplementedError

    def kernels(self) -> None:
        """What `compute` starts, launched one by one."""
        self.compute()

    def launch(self, made: cuda.Kernel, grid: object, block: object, *arguments: object,
               shared_bytes: int = 0) -> None:
        """Launch a kernel, or have the emulator watch it if `traffic` asked for that."""
        if self.reports is None:
            made[grid, block, shared_bytes](*arguments)
        else:
            self.reports.append(made.profile(grid, block, shared_bytes, *arguments))

    def traffic(self) -> list[cuda.Report]:
        """Reports of all kernels of one run, in order: accesses by source line, faults."""
        self.run()
        self.reports = []
        try:
            self.kernels()
            return self.reports
        finally:
            self.reports = None


class Batched(DeviceSession):
    """All images at once: one copy there, one launch a layer, one copy back."""

    pinned = False

    def __init__(self, images: np.ndarray, weights: Weights):
        super().__init__(images, weights)
        count = self.count
        self.host = scaled(images, self.pinned)
        make = streams.pinned if self.pinned else np.empty
        self.answers = make((count, CLASSES), np.float32)
        self.x = cuda.empty(images.shape)
        self.map1, self.pooled1, self.map2, self.pooled2 = (
            cuda.empty((count, *shape)) for shape in (CONV1, POOL1, CONV2, POOL2)
        )
        self.first, self.second, self.logits = (
            cuda.empty((count, outputs)) for outputs, _ in FULL
        )

    def run(self) -> np.ndarray:
        streams.upload(self.x, self.host)
        self.compute()
        streams.download(self.answers, self.logits)
        cuda.synchronize()
        return self.answers.argmax(axis=1)
