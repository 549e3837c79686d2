"""Past the RTX 2060 ladder: bytes go up, labels come back."""

from __future__ import annotations

import numpy as np

from ..network import Weights
from ..rungs import rung
from .graph import OneGraph
from .session import GpuSession, transposed


def scaled(weights: Weights) -> list[np.ndarray]:
    """Return products as `[inputs,outputs]`; the first layer's weights scale a byte to 0 to 1."""
    conv1, *others = transposed(weights)
    return [conv1 * np.float32(1 / 255), *others]


@rung(name="bytes", device="gpu", number=10)
class Bytes(GpuSession):
    """The three kernels, the outer ones for bytes and labels.

    A pixel is a byte: sent as one, and scaled where it is used, images need a quarter of the time
    on the PCIe link, which is most of what is left; and only labels come back.
    """

    plan = OneGraph.plan.but(
        kernels={
            "conv1_relu_pool": "bytes.cu",
            "conv2_relu_pool": "overlap_fused.cu",
            "linear_label": "bytes.cu",
        },
        arrange=scaled,
        pixels=np.uint8,
        labels=np.int32,
    )
