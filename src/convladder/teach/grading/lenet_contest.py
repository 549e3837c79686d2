"""A learner's second stage of LeNet-5 among those of the ladder's rungs, by counted traffic."""

from __future__ import annotations

from collections.abc import Callable

from ... import cuda
from ...lenet.rungs import get_rung
from ..exercises import load_exercises
from ..models.lenet_forecast import opened
from ..plots.contest import contest_picture
from ..plots.style import Picture
from .check import judge
from .traffic import last_case, traffic
from .verdict import NOT_JUDGED, Verdict

EXERCISE = "my_stage"
RIVALS = {"batched": (2, 3), "conv_tuned": (2, 3), "overlap_fused": (1,)}  # kernels of the stage


def stage_contest(answer: Callable) -> Picture | Verdict:
    """The traffic of `answer`, if it passes, among that of rungs, on as many images.

    A verdict in its place where no kernel can run.
    """
    exercise = load_exercises()[EXERCISE]
    verdict = judge(exercise, answer)
    if verdict.stage == NOT_JUDGED:
        return verdict
    count = last_case(exercise)[-1]
    reports = {name: rival(name, count) for name in RIVALS}
    if verdict.passed:
        reports[EXERCISE] = traffic(EXERCISE, answer)
    return contest_picture(reports, yours=EXERCISE)


def rival(name: str, count: int) -> cuda.Report:
    """Traffic of the kernels in which a rung goes from the first pool to the second."""
    reports = opened(get_rung(name), count).traffic()
    total = cuda.Report(kernel=name)
    for place in RIVALS[name]:
        total.add(reports[place])
    return total
