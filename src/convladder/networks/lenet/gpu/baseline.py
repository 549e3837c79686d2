"""The RTX 2060 ladder's first program: an image at a time, a kernel a layer, a wait after each."""

from __future__ import annotations

from collections.abc import Iterator
from types import SimpleNamespace

from ..network import FULL
from ..rungs import rung
from .session import CONV1, CONV2, POOL1, POOL2, GpuSession, RungPlan

THREADS = 128


def label(session: GpuSession, count: int, maps: SimpleNamespace) -> None:
    """Launch a kernel a layer, for the one image that `maps` have room for."""

    def step(name: str, y, *arguments: object) -> None:
        each_value(session, name, THREADS, y, *arguments)

    conv1, bias1, conv2, bias2 = session.weights[:4]
    step("conv_relu", maps.map1, maps.x, conv1, bias1, maps.map1, 28, 1, *CONV1)
    step("max_pool", maps.pooled1, maps.map1, maps.pooled1, *POOL1)
    step("conv_relu", maps.map2, maps.pooled1, conv2, bias2, maps.map2, 12, 6, *CONV2)
    step("max_pool", maps.pooled2, maps.map2, maps.pooled2, *POOL2)
    for y, arguments in products(session, maps):
        step("linear", y, *arguments)


def each_value(session: GpuSession, name: str, threads: int, y, *arguments: object) -> None:
    """Launch a kernel with a thread for each value of its result `y`, `threads` a block."""
    session.launch(name, -(-y.size // threads), threads, *arguments)


def products(session: GpuSession, maps: SimpleNamespace) -> Iterator[tuple]:
    """Yield each product's result and what its kernel takes: arrays, sizes, whether ReLU."""
    values = maps.pooled2, maps.first, maps.second, maps.answer
    for number, (outputs, inputs) in enumerate(FULL):
        x, y = values[number : number + 2]
        w, bias = session.weights[4 + 2 * number : 6 + 2 * number]
        yield y, (x, w, bias, y, inputs, outputs, int(number < 2))


@rung(name="baseline", device="gpu", number=1)
class Baseline(GpuSession):
    """Seven kernels, seven waits and two copies for each image.

    Each layer is a kernel with a thread for each value, and the host waits after each: at most
    3,456 threads are at work, on a chip with room for 270,000.
    """

    plan = RungPlan(
        kernels=dict.fromkeys(("conv_relu", "max_pool", "linear"), "baseline.cu"),
        layers=(label,),
        maps={
            "map1": CONV1,
            "pooled1": POOL1,
            "map2": CONV2,
            "pooled2": POOL2,
            "first": (120,),
            "second": (84,),
        },
        singly=True,
    )
