"""The RTX 2060 ladder's sixth program: images and answers in page-locked host memory."""

from __future__ import annotations

from ..rungs import rung
from .no_sync import NoSync
from .session import GpuSession


@rung(name="pinned", device="gpu", number=6)
class Pinned(GpuSession):
    """The same kernels; images and answers lie where the GPU can fetch them.

    Memory that the system may move must be copied twice, once by the processor; what is page-locked
    the GPU fetches itself, at the speed of the PCIe link.
    """

    plan = NoSync.plan.but(pinned=True)
