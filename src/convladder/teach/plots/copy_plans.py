"""Plans of copies and kernels on a model of a GPU: as a timeline, and by their times."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from ...exercises.mocks.copy_engines import RehearsalGpu, equal_chunks
from ..display.where import Sentence
from ..exercises.lab11.e4_overlapped import WIRE
from ..exercises.lab11.e6_my_plan import BYTES, CHUNKS, COSTS, IMAGES, PER_US, STREAMS, plan_of
from ..grading.run import explain
from .style import BLUE, GREY, ORANGE, Picture, figure
from .timeline import timeline_picture

OTHERS = (1, 2, 5, 20)  # chunks, equal, on as many streams as the package's


def copy_plan_picture(plan: Callable) -> Picture | Sentence:
    """Draw the timeline of `plan` for six chunks; where it has none, a sentence says why."""
    gpu = RehearsalGpu(WIRE, 600)
    try:
        done = plan(gpu, equal_chunks(600, 6))
    except Exception as error:  # the check above says more
        return Sentence(f"There is no picture: your plan raised {explain(error)}")
    if done is ... or not gpu.timeline():
        return Sentence("This picture waits for exercise 4.")
    return timeline_picture(gpu.timeline(), "Six chunks of 100 images, your plan")


def copy_plans_board(mine: Callable | None) -> Picture:
    """Draw times of plans with equal chunks, of the package's, and of `mine` if there is one."""
    plans = {f"{n} chunk{'s' * (n > 1)}": plan_of(n, STREAMS) for n in OTHERS}
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
        ax.annotate(
            f"{times[name]:.1f} µs",
            (times[name], row),
            (5, 0),
            va="center",
            textcoords="offset points",
            fontsize=8.5,
        )
    ax.axvline(floor, color=GREY, linestyle="--", linewidth=1.2)
    ax.annotate(
        f"the wire, {floor:.0f} µs",
        (floor, -0.5),
        (-4, 3),
        ha="right",
        va="bottom",
        textcoords="offset points",
        fontsize=8.5,
        color=GREY,
    )
    ax.set_yticks(range(len(order)), order, color="black")
    ax.tick_params(axis="y", length=0)
    ax.set(
        xlim=(0, 1.12 * max(times.values())),
        ylim=(len(order) - 0.5, -0.9),
        xlabel="µs",
        title=title,
    )
    return Picture(
        fig,
        f"{title}: a bar for each of {', '.join(sorted(times))}, and a line at the "
        "time that the copies alone take.",
    )
