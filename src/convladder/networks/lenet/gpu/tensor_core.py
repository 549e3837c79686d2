"""Past the RTX 2060 ladder: the one kernel on tensor cores, in half precision with float32 sums."""

from __future__ import annotations

from functools import partial

from ..rungs import rung
from .fragments import fragments
from .one_kernel import OneKernel, label
from .session import GpuSession

SHARED = 2 * (16 * 792 + 144 * 16 * 8)  # bytes: images, and maps after the first pool


@rung(
    name="tensor_core",
    device="gpu",
    number=13,
    precision=0.05,  # half's 11 bits: three times the largest error seen in a logit
    emulated=False,
)
class TensorCore(GpuSession):
    """As `one_kernel`, but for the kernel, its weights and its shared memory.

    A warp's matrix instruction does 2,048 multiply-adds where FFMA does 32: with the 16 images of a
    block as its rows, padding costs a third of them and the rest is still a gain.
    """

    plan = OneKernel.plan.but(
        kernels={"lenet": "tensor_core.cu"},
        layers=(partial(label, shared=SHARED),),
        arrange=fragments,
        constants=(),  # all weights lie in global memory
    )
