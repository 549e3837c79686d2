"""What a learner's kernel moves: its report, and its place among the package's own kernels."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import partial
from typing import TYPE_CHECKING, Any

import numpy as np

from ..exercises import load_exercise
from . import stages
from .answer_type import answer_to
from .check import grade
from .exercise import Exercise
from .verdict import Verdict

if TYPE_CHECKING:
    from ...cuda import Report
    from ...problem import ConvProblem
    from ..plots.style import Picture

STAGE = "my_stage"  # of LeNet-5
STAGE_RIVALS = {"batched": (2, 3), "conv_tuned": (2, 3), "overlap_fused": (1,)}  # its kernels


def traffic(name: str, answer: Any) -> Report | Verdict:
    """Return what the emulator counts for `answer` on the last, largest case of exercise `name`.

    A report, line by line, of wrong kernels too; a verdict where there is none to give (not
    attempted, does not compile, crashed, no compiler here). Raises KeyError for another name.
    """
    exercise = load_exercise(name)
    kernel = answer_to(exercise, answer)
    if refusal := kernel.refusal():
        return Verdict(name, *refusal)
    attempt = kernel.run(_last_case(exercise))
    return grade(exercise, answer) if attempt.report is None else attempt.report


def contest(name: str, answer: Any, rivals: Mapping[str, Callable]) -> Picture | Verdict:
    """Draw the traffic of `answer`, if it passes, among that of `rivals`, on the last case.

    rivals: for each name, what gives the launch of a package's kernel for a problem
    (`convladder.gpu.first.naive_launch`). A verdict in its place where no kernel can run.
    """
    case = _last_case(load_exercise(name))
    return _contest(
        name,
        answer,
        {rival: partial(_convolution_traffic, launch, *case) for rival, launch in rivals.items()},
    )


def stage_contest(answer: Callable) -> Picture | Verdict:
    """Draw the traffic of LeNet-5's second stage, if `answer` passes, among that of rungs.

    All on as many images. A verdict in its place where no kernel can run.
    """
    images = _last_case(load_exercise(STAGE))[-1]
    return _contest(
        STAGE, answer, {rung: partial(stage_traffic, rung, images) for rung in STAGE_RIVALS}
    )


def stage_traffic(rung: str, images: int) -> Report:
    """Return the traffic of the kernels in which a rung goes from the first pool to the second."""
    from ...cuda import Report
    from ...lenet.forecast import opened
    from ...lenet.rungs import get_rung

    reports = opened(get_rung(rung), images).traffic()
    total = Report(kernel=rung)
    for place in STAGE_RIVALS[rung]:
        total.add(reports[place])
    return total


def _contest(
    name: str, answer: Any, rivals: Mapping[str, Callable[[], Report]]
) -> Picture | Verdict:
    verdict = grade(load_exercise(name), answer)
    if verdict.stage == stages.NOT_JUDGED:
        return verdict
    from ..plots.gpu_memory import contest_picture

    reports = {rival: profile() for rival, profile in rivals.items()}
    if verdict.passed:
        reports[name] = traffic(name, answer)
    return contest_picture(reports, yours=name)


def _convolution_traffic(
    launch: Callable, x: np.ndarray, w: np.ndarray, problem: ConvProblem
) -> Report:
    from ... import cuda

    arrays = cuda.to_device(x[None]), cuda.to_device(w), cuda.empty(problem.output_shape)
    return launch(problem).profile(*arrays)


def _last_case(exercise: Exercise) -> tuple:
    return exercise.seeded_cases()[-1]
