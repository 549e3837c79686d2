"""The leaderboard of exercise 6: plans on the model, the learner's among them."""

from __future__ import annotations

from collections.abc import Callable

from ...engines import RehearsalGpu
from ...plots.plans import plans_picture
from ...plots.style import Picture
from .e6_my_plan import BYTES, CHUNKS, COSTS, IMAGES, PER_US, STREAMS, plan_of

OTHERS = (1, 2, 5, 20)  # chunks, equal, on as many streams as the package's


def board_picture(mine: Callable | None) -> Picture:
    """Times of plans with equal chunks, of the package's, and of `mine` if there is one."""
    plans = {f"{n} chunk{'s' * (n > 1)}": plan_of(n, STREAMS) for n in OTHERS}
    plans[f"{CHUNKS} chunks, the package's"] = plan_of(CHUNKS, STREAMS)
    if mine is not None:
        plans["yours"] = mine
    times = {}
    for name, plan in plans.items():
        gpu = RehearsalGpu(COSTS, IMAGES)
        plan(gpu, IMAGES)
        times[name] = gpu.seconds
    return plans_picture(times, IMAGES * BYTES / PER_US, "yours", "10,000 images as float32")
