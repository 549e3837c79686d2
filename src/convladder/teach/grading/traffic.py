"""What a learner's kernel moves: its report, and its place among the package's own kernels."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

import numpy as np

from ... import cuda
from ...problem import ConvProblem
from ..exercises import load_exercises
from ..plots.contest import contest_picture
from ..plots.style import Picture
from . import verdict as stages
from .check import judge
from .compare import untouched
from .cuda import Faulty, Watched, refusal, told
from .exercise import Exercise
from .misconceptions import SEED
from .verdict import Verdict


def traffic(name: str, answer: Any) -> cuda.Report | Verdict:
    """What the emulator counts for `answer` on the last and largest case of the exercise `name`.

    A report, line by line, of wrong kernels too; a verdict where there is none to give (not
    attempted, does not compile, crashed, no compiler here). Raises KeyError for another name.
    """
    exercise = load_exercises()[name]
    if refused := refusal(exercise, answer):
        return Verdict(name, *refused)
    watched = Watched(exercise, answer)
    try:
        written = watched(*last_case(exercise))
    except (cuda.CudaError, Faulty) as error:
        if watched.report is None:
            stage, sentence, detail = told(error)
            return Verdict(name, stage, f"Your kernel `{exercise.kernel.name}` {sentence}", detail)
    except Exception:
        return judge(exercise, answer)  # which finds the words for it
    else:
        if untouched(written):
            return Verdict(name, stages.NOT_ATTEMPTED, "Replace the `...` by your answer.")
    return watched.report


def contest(name: str, answer: Any, rivals: Mapping[str, Callable]) -> Picture | Verdict:
    """The exercise's last case: the traffic of `answer`, if it passes, among that of `rivals`.

    rivals: for each name, what gives the launch of a package's kernel for a problem
    (`convladder.gpu.first.naive_launch`). A verdict in its place where no kernel can run.
    """
    exercise = load_exercises()[name]
    verdict = judge(exercise, answer)
    if verdict.stage == stages.NOT_JUDGED:
        return verdict
    x, w, problem = last_case(exercise)
    reports = {rival: _profile(launch, x, w, problem) for rival, launch in rivals.items()}
    if verdict.passed:
        reports[name] = traffic(name, answer)
    return contest_picture(reports, yours=name)


def _profile(launch: Callable, x: np.ndarray, w: np.ndarray, problem: ConvProblem) -> cuda.Report:
    arrays = cuda.to_device(x[None]), cuda.to_device(w), cuda.empty(problem.output_shape)
    return launch(problem).profile(*arrays)


def last_case(exercise: Exercise) -> tuple:
    """The arguments of an exercise's last and largest case, the same for all learners."""
    return exercise.cases(np.random.default_rng(SEED))[-1]
