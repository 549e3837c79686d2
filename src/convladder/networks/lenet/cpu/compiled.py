"""LeNet-5 in Numba: plain loops, an image after the other, so that its maps stay in the cache."""

from __future__ import annotations

import numpy as np

from ....cpu.threads import threads_now
from ....cpu.workers import workers
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
        self.label = loops.label
        self.label(self.images[:1], self.weights, np.empty(1, np.uint8))  # compiles

    def run(self) -> np.ndarray:
        count, threads = len(self.images), threads_now() if self.in_threads else 1
        labels = np.empty(count, np.uint8)

        def work(thread: int) -> None:
            part = slice(count * thread // threads, count * (thread + 1) // threads)
            self.label(self.images[part], self.weights, labels[part])

        workers(threads).together(work)
        return labels


@rung(name="compiled", device="cpu", number=2)
class OneThread(Compiled):
    """On one thread, whatever Numba may use.

    Loops in machine code pool and cut off as they sum: nothing is lowered, and an image's maps
    never leave the cache.
    """


@rung(name="threads", device="cpu", number=3)
class Threads(Compiled):
    """On all threads that Numba may use.

    Images do not depend on one another, so threads need nothing but their own part of them: as many
    times faster as there are cores.
    """

    in_threads = True
