"""The whole network in one pass, an image in each lane of a vector: bytes in, labels out."""

from __future__ import annotations

import itertools
from ctypes import CFUNCTYPE, c_int64, c_void_p

import numpy as np

from ....cpu.isa import host_isa
from ....cpu.microkernel import aligned
from ....cpu.threads import threads_now
from ....cpu.workers import workers
from ..network import Weights
from ..rungs import rung

AT_A_TIME = 8  # blocks that a thread takes: few enough that none waits long for the last
PIXELS = 28 * 28


@rung(name="lanes", device="cpu", number=4)
class Lanes:
    """Blocks of one or two vectors of images, taken in turns by all threads that Numba may use.

    All layers are small, but images are many: with one in each lane no vector is ever part empty,
    sums stay in registers through ReLU and pool, and maps in the nearest cache.
    """

    def __init__(self, images: np.ndarray, weights: Weights):
        from .jit.block import compiled, pack, tiling  # Numba, and compilation

        self.sizes = tiling(host_isa())
        self.images = images
        packed = pack(weights, self.sizes)
        self.packed = aligned(packed.size)
        self.packed[:] = packed
        # Called through ctypes, which lets go of the interpreter's lock.
        self.label = CFUNCTYPE(None, c_int64, *[c_void_p] * 4)(compiled(self.sizes).address)

    def run(self) -> np.ndarray:
        size, count = self.sizes.images, len(self.images)
        whole, rest = divmod(count, size)
        labels = np.empty((whole + 1) * size, np.uint8)
        threads = threads_now()
        turns = itertools.count(0, AT_A_TIME)  # next() is one step, which no thread can divide

        def work(thread: int) -> None:
            # Addresses, since a slice for each turn would take Python as long as ten images.
            images_at, labels_at = self.images.ctypes.data, labels.ctypes.data
            scratch = aligned(self.sizes.scratch)
            for begin in turns:
                if begin >= whole:
                    return
                blocks, at = min(AT_A_TIME, whole - begin), begin * size
                self._label(blocks, images_at + at * PIXELS, scratch, labels_at + at)

        workers(threads).together(work)
        if rest:
            last = np.zeros((size, PIXELS), np.uint8)
            last[:rest] = self.images[-rest:].reshape(rest, PIXELS)
            scratch = aligned(self.sizes.scratch)
            self._label(1, last.ctypes.data, scratch, labels[whole * size :].ctypes.data)
        return labels[:count]

    def _label(self, blocks: int, images_at: int, scratch: np.ndarray, labels_at: int) -> None:
        self.label(blocks, images_at, self.packed.ctypes.data, scratch.ctypes.data, labels_at)
