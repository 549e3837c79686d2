"""A plan of copies and kernels on streams, carried out: real images, on a GPU or the emulator."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from types import SimpleNamespace
from typing import Any

import numpy as np

from ... import cuda
from ...core.machine_error import MachineError
from ...cuda import streams
from ...networks.lenet.digits import images, labels
from ...networks.lenet.reference import judge
from ...networks.lenet.rungs import get_rung
from .copy_engines import equal_chunks

RUNG = "one_kernel_floats"  # whose kernel labels a chunk
WHERE = {"gpu": "this GPU", "emulator": "the emulator"}


class Carrier:
    """A carrier for `RehearsalGpu`, with the kernel of one rung: `answers` are the labels."""

    def __init__(self, pixels: np.ndarray) -> None:
        self.session: Any = get_rung(RUNG).session(pixels)
        self.answers = streams.pinned((len(pixels),), np.uint8)
        self.answers[...] = 255  # no label
        self.queues: dict[int, streams.Stream] = {}
        self.rooms: dict[tuple[int, int], SimpleNamespace] = {}
        self.back = 0

    def upload(self, chunk: Sequence[int], stream: int) -> None:
        """Copy a chunk's images to the device."""
        with self._queue(stream):
            streams.upload(self._room(chunk).x, self.session.host[chunk[0] : chunk[1]])

    def kernel(self, chunk: Sequence[int], stream: int) -> None:
        """Launch the kernel for a chunk."""
        with self._queue(stream):
            self.session.label(chunk[1] - chunk[0], self._room(chunk))

    def download(self, chunk: Sequence[int], stream: int) -> None:
        """Copy a chunk's labels back."""
        with self._queue(stream):
            streams.download(self.answers[chunk[0] : chunk[1]], self._room(chunk).answer)
        self.back += chunk[1] - chunk[0]

    def after(self, stream: int, other: int) -> None:
        """Let `stream` go on when `other` has done what is on it."""
        self._queue(stream).after(self._queue(other))

    def wait(self, stream: int | None = None) -> int:
        """Wait for the device, and return how many labels were asked for."""
        cuda.synchronize()
        return self.back

    def _queue(self, stream: int) -> streams.Stream:
        if stream not in self.queues:
            self.queues[stream] = streams.stream()
        return self.queues[stream]

    def _room(self, chunk: Sequence[int]) -> SimpleNamespace:
        first, end = chunk
        return self.rooms.setdefault((first, end), self.session.arrays(end - first))


def run_on_device(plan: Callable, count: int = 96, chunks: int = 6) -> str:
    """Carry out `plan(gpu, chunks)` on the first `count` images, and say how that went."""
    pixels = images()[:count]
    try:
        gpu = Carrier(pixels)
        plan(gpu, equal_chunks(count, chunks))
    except MachineError as error:
        return f"Your plan cannot be carried out here: {error}"
    verdict = judge(gpu.answers, get_rung(RUNG).precision, pixels, labels()[:count])
    return f"Your plan on {WHERE[cuda.backend()]}: {verdict}"
