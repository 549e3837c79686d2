"""Lab 13: a reader's plan of copies and kernels, rehearsed beside the package's."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from ...core.text import Sentence, count_text
from ...exercises.lab13.e4_overlapped import WIRE
from ...exercises.lab13.e6_my_plan import BYTES, CHUNKS, COSTS, IMAGES, PER_US, STREAMS, plan_of
from ...exercises.mocks.copy_engines import RehearsalGpu, equal_chunks
from ...grading.sandbox import error_text
from .axes import behind, beside, name_rows
from .profiling import timeline_picture
from .style import BLUE, GREY, ORANGE, Picture, figure

OTHERS = (1, 2, 5, 20)  # chunks, equal, on as many streams as the package's


def copy_plan_picture(plan: Callable) -> Picture | Sentence:
    """Draw the timeline of `plan` for six chunks; where it has none, a sentence says why."""
    gpu = RehearsalGpu(WIRE, 600)
    try:
        done = plan(gpu, equal_chunks(600, 6))
    except Exception as error:  # the check above says more
        return Sentence(f"There is no picture: your plan raised {error_text(error)}")
    if done is ... or not gpu.timeline():
        return Sentence("This picture waits for exercise 4.")
    return timeline_picture(gpu.timeline(), "Six chunks of 100 images, your plan")


def copy_plans_board(mine: Callable | None) -> Picture:
    """Draw times of plans with equal chunks, of the package's, and of `mine` if there is one."""
    plans = {count_text(n, "chunk"): plan_of(n, STREAMS) for n in OTHERS}
    plans[f"{CHUNKS} chunks, the package's"] = plan_of(CHUNKS, STREAMS)
    if mine is not None:
        plans["yours"] = mine
    times = {name: plan_seconds(plan) for name, plan in plans.items()}
    return plans_picture(times, IMAGES * BYTES / PER_US, "yours", "10,000 images as float32")


def plan_seconds(plan: Callable) -> float:
    """Return the µs that `plan` takes for 10,000 images, on the model of exercise "my_plan"."""
    gpu = RehearsalGpu(COSTS, IMAGES)
    plan(gpu, IMAGES)
    return gpu.seconds


def plans_picture(times: Mapping[str, float], floor: float, yours: str, title: str) -> Picture:
    """Draw a bar for each plan, in µs, the quickest on top; `yours` apart; a line at `floor`."""
    order = sorted(times, key=times.__getitem__)
    fig, ax = figure(7.8, 1.1 + 0.34 * len(order))
    for row, name in enumerate(order):
        ax.barh(row, times[name], height=0.66, color=ORANGE if name == yours else BLUE)
        behind(ax, f"{times[name]:.1f} µs", times[name], row)
    ax.axvline(floor, color=GREY, linestyle="--", linewidth=1.2)
    style = {"ha": "right", "va": "bottom", "fontsize": 8.5, "color": GREY}
    beside(ax, f"the copies alone, {floor:.0f} µs", (floor, -0.5), (-4, 3), **style)
    name_rows(ax, order, inverted=False)
    ax.set(xlim=(0, 1.12 * max(times.values())), ylim=(len(order) - 0.5, -0.9))
    ax.set(xlabel="µs", title=title)
    return Picture(
        fig,
        f"{title}: a bar for each of {', '.join(sorted(times))}, and a line at the "
        "time that the copies alone take.",
    )
