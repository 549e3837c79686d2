"""The RTX 2060 ladder's seventh program: weights in the order in which a warp's lanes read them."""

from __future__ import annotations

from ..rungs import rung
from .pinned import Pinned
from .session import GpuSession, transposed


@rung(name="fc_coalesced", device="gpu", number=7)
class Coalesced(GpuSession):
    """One index changes.

    Weights transposed once, beforehand: the 32 lanes of a warp then read 128 bytes side by side,
    four sectors instead of 32.
    """

    plan = Pinned.plan.but(
        kernels={**Pinned.plan.kernels, "linear": "fc_coalesced.cu"},
        arrange=transposed,
    )
