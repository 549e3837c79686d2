"""Past the RTX 2060 ladder: all copies and kernels of a run recorded once, started by one call."""

from __future__ import annotations

from ..rungs import rung
from .overlap_fused import OverlapFused
from .session import GpuSession


@rung(name="graph", device="gpu", number=9)
class OneGraph(GpuSession):
    """The programme of the rung before, recorded.

    48 launches and 32 copies cost the host more time than the chip needs for them: recorded once,
    they start with a single call.
    """

    plan = OverlapFused.plan.but(graph=True)
