"""The RTX 2060 ladder's second program: all images in one launch."""

from __future__ import annotations

from types import SimpleNamespace

from ..rungs import rung
from .baseline import Baseline, each_value, products
from .session import CONV1, CONV2, POOL1, POOL2, GpuSession

THREADS = 256


def convolve(session: GpuSession, count: int, maps: SimpleNamespace) -> None:
    """Launch what leads from the images to the 256 inputs of the first product."""

    def step(name: str, y, *arguments: object) -> None:
        each_value(session, name, THREADS, y, *arguments, count)

    conv1, bias1, conv2, bias2 = session.weights[:4]
    step("conv_relu", maps.map1, maps.x, conv1, bias1, maps.map1, 28, 28, 1, *CONV1)
    step("max_pool", maps.pooled1, maps.map1, maps.pooled1, *POOL1)
    step("conv_relu", maps.map2, maps.pooled1, conv2, bias2, maps.map2, 12, 12, 6, *CONV2)
    step("max_pool", maps.pooled2, maps.map2, maps.pooled2, *POOL2)


def multiply(session: GpuSession, count: int, maps: SimpleNamespace) -> None:
    """Launch what leads from there to the logits."""
    for y, arguments in products(session, maps):
        each_value(session, "linear", THREADS, y, *arguments, count)


@rung(name="batched", device="gpu", number=2)
class Batched(GpuSession):
    """Seven launches, each followed by a wait, which `no_sync` removes.

    Images do not depend on one another. One launch per layer for all of them fills the chip, and
    70,000 launches and waits become seven.
    """

    plan = Baseline.plan.but(
        kernels=dict.fromkeys(("conv_relu", "max_pool", "linear"), "batched.cu"),
        layers=(convolve, multiply),
        singly=False,
    )
