"""LeNet-5 in Numba: plain loops, an image after the other, so that its maps stay in the cache."""

from __future__ import annotations

import numpy as np

from ....cpu import threads
from ..network import Weights
from ..rungs import rung


class Compiled:
    """Plain loops over the layers of an image, on one thread or on all."""

    in_threads = False

    def __init__(self, images: np.ndarray, weights: Weights):
        from .jit import loops

        self.images = images.view()
        self.images.flags.writeable = False  # one type for Numba, whoever made them
        self.weights = loops.prepare(weights)
        self._label(self.images[:1])  # compiles

    def run(self) -> np.ndarray:
        return self._label(self.images)

    def _label(self, images: np.ndarray) -> np.ndarray:
        from .jit import loops

        labels = np.empty(len(images), np.uint8)
        alone = not self.in_threads or threads.forked_late
        (loops.label if alone else loops.label_in_threads)(images, self.weights, labels)
        return labels


@rung(
    name="compiled",
    title="Numba: all layers of one image, then the next",
    device="cpu",
    number=2,
    idea="Loops in machine code pool and cut off as they sum: nothing is lowered, and an image's "
    "maps never leave the cache.",
)
class OneThread(Compiled):
    """On one thread, whatever Numba may use."""


@rung(
    name="threads",
    title="Numba: images shared by threads",
    device="cpu",
    number=3,
    idea="Images do not depend on one another, so threads need nothing but their own part of them: "
    "as many times faster as there are cores.",
)
class Threads(Compiled):
    """On all threads that Numba may use."""

    in_threads = True
