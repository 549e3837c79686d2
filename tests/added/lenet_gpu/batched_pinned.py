"""A rung of the LeNet-5 ladder on the GPU: the second one from page-locked memory."""

from convladder.networks.lenet.gpu.batched import Batched
from convladder.networks.lenet.gpu.session import GpuSession
from convladder.networks.lenet.rungs import rung


@rung(name="batched_pinned", device="gpu", number=14)
class BatchedPinned(GpuSession):
    """The seven launches of `batched`.

    A copy from page-locked memory needs no second one on its way.
    """

    plan = Batched.plan.but(pinned=True)
