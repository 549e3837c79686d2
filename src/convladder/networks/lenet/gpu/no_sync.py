"""The RTX 2060 ladder's fifth program: the host waits once, at the end."""

from __future__ import annotations

from ..rungs import rung
from .fc_tuned import ProductsTuned
from .session import GpuSession


@rung(name="no_sync", device="gpu", number=5)
class NoSync(GpuSession):
    """The same kernels, launched one after the other.

    Kernels of one stream run in order by themselves: without a wait after each the next one is
    queued already when its predecessor ends.
    """

    plan = ProductsTuned.plan.but(waits=False)
