"""How long each technique's network takes here, on the package's own kernels."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from .. import lenet
from ..compress.machine import BATCH, FloatMachine, Int8Network
from ..compress.scores import build
from ..measure import Comparison, compare


def runner(name: str, count: int = 1000) -> Callable[[], object] | None:
    """Return what labels the first `count` test images (50 at a time) by a technique's network.

    None where no kernel here is made for it: grids of fewer bits than 8 are bytes to this machine.
    """
    made = build(name)
    if made.in_integers and made.arithmetic != "int8":
        return None
    machine = (Int8Network if made.in_integers else FloatMachine)(made.network, BATCH)
    images = lenet.images()[:count]
    return lambda: machine.logits(images)


def race(names: Sequence[str], count: int = 1000, threads: int = 1, budget: float = 0.1
         ) -> Comparison:  # fmt: skip
    """Time those of `names` that can run, taking turns; float32 is always among them."""
    runners = {name: runner(name, count) for name in dict.fromkeys(["float32", *names])}
    return compare(
        {name: run for name, run in runners.items() if run is not None},
        budget=budget,
        threads=threads,
    )
