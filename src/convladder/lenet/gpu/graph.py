"""Past the seed: all copies and kernels of a run recorded once, and started by one call."""

from __future__ import annotations

import numpy as np

from ...cuda import streams
from ..network import Weights
from ..rungs import rung
from .chunks import Chunked
from .overlap_fused import OverlapFused


class Recorded(Chunked):
    """A chunked session whose runs are graphs; recorded at the first."""

    def __init__(self, images: np.ndarray, weights: Weights):
        super().__init__(images, weights)
        self.graphs: dict[bool, streams.Graph] = {}

    def run(self) -> np.ndarray:
        self.graph(copies=True).launch()
        streams.current().synchronize()
        return self.labels()

    def compute(self) -> None:
        self.graph(copies=False).launch()

    def kernels(self) -> None:
        self.enqueue(copies=False)

    def graph(self, copies: bool) -> streams.Graph:
        """The chunks with their copies or without, recorded when first asked for."""
        if copies not in self.graphs:
            self.graphs[copies] = streams.Graph(lambda: self.enqueue(copies))
        return self.graphs[copies]


@rung(
    name="graph",
    title="One graph",
    device="gpu",
    number=9,
    idea="48 launches and 32 copies cost the host more time than the chip needs "
    "for them: recorded once, they start with a single call.",
)
class Graph(Recorded, OverlapFused):
    """The programme of the rung before, recorded."""
