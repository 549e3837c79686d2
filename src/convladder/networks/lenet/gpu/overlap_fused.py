"""The RTX 2060 ladder's last program: copies overlap kernels; three kernels instead of seven."""

from __future__ import annotations

from types import SimpleNamespace

from ..rungs import rung
from .fc_coalesced import Coalesced
from .session import POOL1, POOL2, GpuSession

IMAGES = 8  # of a block of the last kernel, as in fused.cuh


def label(session: GpuSession, count: int, maps: SimpleNamespace) -> None:
    """Launch the plan's three kernels: two of one block per image, and all products in one."""
    conv1, bias1, conv2, bias2, *products = session.weights
    first, second, last = session.plan.kernels
    session.launch(first, count, 160, maps.x, conv1, bias1, maps.pooled1)
    session.launch(second, count, 64, maps.pooled1, conv2, bias2, maps.pooled2)
    session.launch(last, -(-count // IMAGES), 128, maps.pooled2, *products, maps.answer, count)


@rung(name="overlap_fused", device="gpu", number=8)
class OverlapFused(GpuSession):
    """Three kernels and two copies a chunk.

    In 16 chunks on several streams, one chunk is copied while another is computed; and ReLU, pools
    and fully connected layers join their neighbours, so that fewer maps go through memory.
    """

    plan = Coalesced.plan.but(
        kernels=dict.fromkeys(
            ("conv1_relu_pool", "conv2_relu_pool", "linear_all"), "overlap_fused.cu"
        ),
        layers=(label,),
        maps={"pooled1": POOL1, "pooled2": POOL2},
        chunks=16,
        streams=4,
    )
