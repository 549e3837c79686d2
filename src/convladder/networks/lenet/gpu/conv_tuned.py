"""The RTX 2060 ladder's third program: convolutions that load once what many threads need."""

from __future__ import annotations

from types import SimpleNamespace

from ..rungs import rung
from .baseline import each_value
from .batched import THREADS, Batched, multiply
from .session import POOL1, POOL2, GpuSession


def convolve(session: GpuSession, count: int, maps: SimpleNamespace) -> None:
    """Launch convolutions of one block per image, 192 threads for 576 pixels and 64 for 64."""
    conv1, bias1, conv2, bias2 = session.weights[:4]
    session.launch("conv1_relu", count, 192, maps.x, conv1, bias1, maps.map1)
    each_value(session, "max_pool", THREADS, maps.pooled1, maps.map1, maps.pooled1, *POOL1, count)
    session.launch("conv2_relu", count, 64, maps.pooled1, conv2, bias2, maps.map2)
    each_value(session, "max_pool", THREADS, maps.pooled2, maps.map2, maps.pooled2, *POOL2, count)


@rung(name="conv_tuned", device="gpu", number=3)
class ConvTuned(GpuSession):
    """Other convolutions; pools and products as before.

    An image and the weights are loaded into shared memory once, and a thread keeps the sums of all
    channels of its pixel: 6 or 16 multiply-adds for each value loaded, not one.
    """

    plan = Batched.plan.but(
        kernels={
            "conv1_relu": "conv_tuned.cu",
            "conv2_relu": "conv_tuned.cu",
            "max_pool": "batched.cu",
            "linear": "batched.cu",
        },
        layers=(convolve, multiply),
    )
