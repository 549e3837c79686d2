"""Sessions that cut the images into chunks, so that one is copied while another is computed."""

from __future__ import annotations

import numpy as np

from ...cuda import streams
from ..network import Weights
from .session import DeviceSession


class Chunked(DeviceSession):
    """`chunks` parts of the images, equal to within one, on a few streams in turn.

    Subclasses make the arrays of a chunk on the device, and launch its kernels. `answers` is
    pinned memory for what comes back.
    """

    chunks = 16
    streams = 4
    answers: np.ndarray

    def __init__(self, images: np.ndarray, weights: Weights):
        super().__init__(images, weights)
        number = min(self.chunks, self.count)
        edges = [self.count * part // number for part in range(number + 1)]
        self.parts = [slice(*pair) for pair in zip(edges[:-1], edges[1:], strict=True)]
        self.host = self.hosted(images)
        self.queues = [streams.stream() for _ in range(min(self.streams, number))]
        self.buffers = [self.room(part.stop - part.start) for part in self.parts]

    def hosted(self, images: np.ndarray) -> np.ndarray:
        """The images in pinned memory, as they are copied."""
        raise NotImplementedError

    def room(self, count: int) -> dict[str, object]:
        """Device arrays for `count` images, among them `x` and `answer`."""
        raise NotImplementedError

    def label(self, count: int, **arrays: object) -> None:
        """Launch the kernels for the `count` images of one chunk."""
        raise NotImplementedError

    def run(self) -> np.ndarray:
        self.enqueue(copies=True)
        streams.current().synchronize()
        return self.labels()

    def labels(self) -> np.ndarray:
        """From what came back."""
        return self.answers.argmax(axis=1)

    def compute(self) -> None:
        self.enqueue(copies=False)

    def enqueue(self, copies: bool) -> None:
        """Put every chunk on its stream: its images' way there, its kernels, its answers' way back.

        The current stream waits for them, and they for what was on it.
        """
        main = streams.current()
        for queue in self.queues:
            queue.after(main)
        for number, (part, arrays) in enumerate(zip(self.parts, self.buffers, strict=True)):
            with self.queues[number % len(self.queues)]:
                if copies:
                    streams.upload(arrays["x"], self.host[part])
                self.label(part.stop - part.start, **arrays)
                if copies:
                    streams.download(self.answers[part], arrays["answer"])
        for queue in self.queues:
            main.after(queue)
