"""The seed's seventh program: weights in the order in which the lanes of a warp read them."""

from __future__ import annotations

import numpy as np

from ..network import Weights
from ..rungs import rung
from .pinned import Pinned


@rung(
    name="fc_coalesced",
    title="Products read in order",
    device="gpu",
    number=7,
    idea="Weights transposed once, beforehand: the 32 lanes of a warp then read 128 bytes side by "
    "side, four sectors instead of 32.",
)
class Coalesced(Pinned):
    """One index changes."""

    source = "fc_coalesced.cu"

    def arranged(self, weights: Weights) -> list[np.ndarray]:
        """Weights of products as `[inputs,outputs]`."""
        return [np.ascontiguousarray(a.T) if a.ndim == 2 else a for a in weights]
