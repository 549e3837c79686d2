"""Pictures of plans on the model: a learner's of exercise 4, and exercise 6's leaderboard."""

from __future__ import annotations

from collections.abc import Callable

from ...grading.run import explain
from ...mocks.copy_engines import RehearsalGpu, equal_chunks
from ...plots.plans import plans_picture
from ...plots.style import Picture
from ...plots.timeline import timeline_picture
from .e4_overlapped import WIRE
from .e6_my_plan import BYTES, CHUNKS, COSTS, IMAGES, PER_US, STREAMS, plan_of

OTHERS = (1, 2, 5, 20)  # chunks, equal, on as many streams as the package's


def plan_picture(plan: Callable) -> Picture | str:
    """The timeline of `plan` for six chunks; where it has none, why."""
    gpu = RehearsalGpu(WIRE, 600)
    try:
        done = plan(gpu, equal_chunks(600, 6))
    except Exception as error:  # the check above says more
        return f"There is no picture: your plan raised {explain(error)}"
    if done is ... or not gpu.timeline():
        return "This picture waits for exercise 4."
    return timeline_picture(gpu.timeline(), "Six chunks of 100 images, your plan")


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
