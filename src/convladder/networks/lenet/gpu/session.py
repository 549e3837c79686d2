"""Every rung on the GPU is a plan, and one session carries plans out.

A rung's file has the functions that launch its new kernels, and a plan: what differs from the rung
before. Maps lie as everywhere in the course, `[i_n,i_h,i_w,i_c]`.
"""

from __future__ import annotations

import itertools
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import numpy as np

from .... import cuda
from ....cuda import streams
from ..network import CLASSES, Weights

HERE = Path(__file__).parent
SIDES = (28, 28)
CONV1, POOL1, CONV2, POOL2 = (24, 24, 6), (12, 12, 6), (8, 8, 16), (4, 4, 16)


@dataclass(frozen=True)
class RungPlan:
    """A rung's plan for images and weights. The defaults are those of the simplest program.

    `kernels`: the names of its kernels (of a template's instances), each with its `.cu` file.
    `layers`: functions `(session, count, arrays)`, called in this order, which launch the kernels
    for the `count` images of one chunk. `maps`: names and shapes, for one image, of what lies
    between the layers, float32. `arrange`: from `Weights` to the arrays that the kernels take.
    `constants`: variables of the kernels that hold the first of these arrays.

    `pixels`: the type of an image in host memory, float32 from 0 to 1 or uint8. `labels`: the type
    of the labels that come back; None where logits do. `singly`: an image at a time. `waits`:
    whether the host waits after each kernel. `pinned`: whether images and answers lie in
    page-locked memory. `chunks`: parts that the images are cut into. `streams`: how many take the
    chunks in turn; 0: the current one takes all. `graph`: whether a run is recorded once and
    started by one call.
    """

    kernels: Mapping[str, str]
    layers: tuple[Callable, ...]
    maps: Mapping[str, tuple[int, ...]] = field(default_factory=dict)
    arrange: Callable[[Weights], Sequence[np.ndarray]] = list
    constants: tuple[str, ...] = ()
    pixels: type = np.float32
    labels: type | None = None
    singly: bool = False
    waits: bool = True
    pinned: bool = False
    chunks: int = 1
    streams: int = 0
    graph: bool = False

    def but(self, **changes: Any) -> RungPlan:
        """Return the plan of the next rung: this one with `changes`."""
        return replace(self, **changes)


def kernel(file: str, name: str) -> cuda.Kernel:
    """Return the kernel `name` of a `.cu` file of this folder."""
    return cuda.Kernel(HERE / file, name)


def transposed(weights: Weights) -> list[np.ndarray]:
    """Return the arrays of `weights`, those of products as `[inputs,outputs]`."""
    return [np.ascontiguousarray(a.T) if a.ndim == 2 else a for a in weights]


class GpuSession:
    """Images and weights made ready for a rung's `plan`: its copies, launches and results.

    `plan` takes the place of the rung's own, if given.
    """

    plan: RungPlan

    def __init__(self, images: np.ndarray, weights: Weights, plan: RungPlan | None = None):
        self.plan = plan = plan or self.plan
        self.count = len(images)
        self.compiled = {name: kernel(file, name) for name, file in plan.kernels.items()}
        arranged = list(plan.arrange(weights))
        for name in plan.constants:
            values = arranged.pop(0)
            for each in self.compiled.values():
                each.set_constant(name, values)
        self.weights = [cuda.to_device(array) for array in arranged]
        number = self.count if plan.singly else min(plan.chunks, self.count)
        edges = [self.count * part // number for part in range(number + 1)]
        self.parts = [slice(*pair) for pair in itertools.pairwise(edges)]
        self.queues = [streams.stream() for _ in range(min(plan.streams, number))]
        if plan.singly:  # one image after the other goes through the same memory
            self.buffers = [self.arrays(1)] * number
        else:
            self.buffers = [self.arrays(part.stop - part.start) for part in self.parts]
        self.host = self.on_host(images.shape, plan.pixels)
        if plan.pixels is np.uint8:
            self.host[...] = images
        else:
            np.multiply(images, np.float32(1 / 255), out=self.host)
        shape, dtype = self.answer
        self.answers = self.on_host((self.count, *shape), dtype)
        self.graphs: dict[bool, streams.CudaGraph] = {}
        self.reports: list[cuda.Report] | None = None

    def on_host(self, shape: tuple[int, ...], dtype: type) -> np.ndarray:
        """Return host memory for what is copied, page-locked if the plan has it so."""
        return streams.pinned(shape, dtype) if self.plan.pinned else np.empty(shape, dtype)

    @property
    def answer(self) -> tuple[tuple[int, ...], type]:
        """Return the shape and type of what comes back for one image."""
        return ((CLASSES,), np.float32) if self.plan.labels is None else ((), self.plan.labels)

    def arrays(self, count: int) -> SimpleNamespace:
        """Return device arrays for `count` images: `x`, the plan's maps, `answer`."""
        shape, dtype = self.answer
        return SimpleNamespace(
            x=cuda.empty((count, *SIDES), self.plan.pixels),
            answer=cuda.empty((count, *shape), dtype),
            **{name: cuda.empty((count, *sides)) for name, sides in self.plan.maps.items()},
        )

    def run(self) -> np.ndarray:
        """Return labels `[count]`: images to the device, the network, its answers back."""
        self.start(copies=True)
        streams.current().synchronize()
        return self.answers.argmax(axis=1) if self.plan.labels is None else self.answers.copy()

    def compute(self) -> None:
        """Start the device's own work, from images that lie there."""
        self.start(copies=False)

    def start(self, copies: bool) -> None:
        """Put the work on its streams, with copies or without: call by call, or all by one."""
        if self.plan.graph:
            self.graph(copies).launch()
        else:
            self.enqueue(copies)

    def graph(self, copies: bool) -> streams.CudaGraph:
        """Return the chunks with their copies or without, recorded when first asked for."""
        if copies not in self.graphs:
            self.graphs[copies] = streams.CudaGraph(lambda: self.enqueue(copies))
        return self.graphs[copies]

    def enqueue(self, copies: bool) -> None:
        """Put every chunk on its stream: its upload, its kernels, the download of its answers.

        The current stream waits for them, and they for what was on it.
        """
        main = streams.current()
        queues = self.queues or [main]
        for queue in self.queues:
            queue.after(main)
        for number, (part, arrays) in enumerate(zip(self.parts, self.buffers, strict=True)):
            with queues[number % len(queues)]:
                if copies:
                    streams.upload(arrays.x, self.host[part])
                self.label(part.stop - part.start, arrays)
                if copies:
                    streams.download(self.answers[part], arrays.answer)
                    self.wait()
        for queue in self.queues:
            main.after(queue)

    def label(self, count: int, arrays: SimpleNamespace) -> None:
        """Launch the kernels for the `count` images of one chunk."""
        for layer in self.plan.layers:
            layer(self, count, arrays)

    def launch(
        self, name: str, grid: object, block: object, *arguments: object, shared_bytes: int = 0
    ) -> None:
        """Launch a kernel, or have the emulator watch it if `traffic` asked for that."""
        made = self.compiled[name]
        if self.reports is None:
            made[grid, block, shared_bytes](*arguments)
        else:
            self.reports.append(made.profile(grid, block, shared_bytes, *arguments))
        self.wait()

    def wait(self) -> None:
        """Let the host wait for the device, if the plan has it so."""
        if self.plan.waits:
            cuda.synchronize()

    def traffic(self) -> list[cuda.Report]:
        """Return reports of all kernels of one run, in order: accesses by source line, faults."""
        self.run()
        self.reports = []
        try:
            self.enqueue(copies=False)
            return self.reports
        finally:
            self.reports = None
