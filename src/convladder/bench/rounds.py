"""The one way to compare: judge every contender first, then time the right ones in paired rounds.

All comparisons of this folder are made by `judge_then_time`, and all but those that measure until
a budget is used up (`measure.compare`) by `paired_rounds`.
"""

from __future__ import annotations

from collections.abc import Callable, Container, Mapping
from functools import partial
from typing import TypeVar

import numpy as np

from ..measure.figure import Figure
from ..measure.quick import fewer, quick
from ..measure.runs import TURN_SECONDS
from ..measure.timer import laps, turn, turn_of
from ..measure.timings import Comparison, timing_of
from ..problem import ConvProblem
from ..reference import POINTWISE, ErrorModel, Oracle
from ..steps import doing

ROUNDS = 7

Contender = TypeVar("Contender")
Times = TypeVar("Times")
Progress = Callable[[str], object]  # is told what begins


def silent(what: str) -> None:
    """Tell a notebook's line, if there is one: the progress of who asked for none."""
    doing(what)


def judge_then_time(
    contenders: Mapping[str, Contender],
    judge: Callable[[str, Contender], bool],
    time: Callable[[dict[str, Contender]], Times],
    *,
    optional: Container[str] = (),
    progress: Progress = silent,
) -> tuple[Times, dict[str, str]]:
    """Return what `time` makes of the contenders that `judge` finds right, and who is absent.

    `judge(name, contender)` computes once and says whether the result is right; it raises
    `RuntimeError` where nobody may be timed beside a wrong one. Of `optional` names an error means
    that this way cannot run here: they map to its first line. Other errors pass through.
    """
    right, absent = {}, {}
    for name, contender in contenders.items():
        progress(name)
        try:
            if judge(name, contender):
                right[name] = contender
        except Exception as error:  # a compiler that is not there, memory: not our comparison's
            if name not in optional:
                raise
            absent[name] = f"{type(error).__name__}: {error}".splitlines()[0]
    return time(right), absent


def paired_rounds(
    calls: Mapping[str, Callable[[], object]],
    rounds: int = ROUNDS,
    *,
    threads: int | None = None,
    clock: Callable[[Callable[[], object]], float] | None = None,
    progress: Progress = silent,
    after_round: Callable[[], object] = lambda: None,
) -> dict[str, tuple[float, ...]]:
    """Return `clock(call)` of each call in each round; every other round runs backwards.

    Equal indices are one round, so that a quotient of two meets the same moment of the machine. A
    round that others disturbed is taken again, but no more than `rounds` are. `clock` is by
    default a `turn` of as many `threads` as the calls are held to (None: several).
    """
    taken: list[dict[str, float]] = []
    rounds = fewer(rounds)
    with turn_of(threads or 2, rounds * len(calls) * TURN_SECONDS) as mine:
        turns = laps(dict(calls), clock=clock or partial(turn, threads=threads))
        while not _enough(taken, rounds):
            again = ", once more" if len(taken) >= rounds else ""
            progress(f"round {min(len(taken) + 1, rounds)} of {rounds}{again}")
            lap = next(turns, {})
            taken.append({name: Figure.of(lap[name], lap[name]) for name in calls})
            if mine.late:
                for each in taken[-1].values():
                    each.disturbed = True
            after_round()
            mine.go_on()
    # The undisturbed ones, and as many of the others as there must be, in the order of time.
    spare = rounds - sum(not _disturbed(lap) for lap in taken)
    chosen = []
    for lap in taken:
        if not _disturbed(lap) or spare > 0:
            chosen.append(lap)
            spare -= _disturbed(lap)
    return {name: tuple(lap[name] for lap in chosen) for name in calls}


def _disturbed(lap: Mapping[str, float]) -> bool:
    return any(each.disturbed for each in lap.values())


def _enough(taken: list[dict[str, float]], rounds: int) -> bool:
    if len(taken) < rounds:
        return False
    good = sum(not _disturbed(lap) for lap in taken)
    return good >= rounds or quick() or len(taken) >= 2 * rounds


def error_of(
    name: str, y: np.ndarray, x: np.ndarray, w: np.ndarray, problem: ConvProblem,
    model: ErrorModel = POINTWISE,
) -> float:  # fmt: skip
    """Return `reference.Agreement.error` of a result. Raises `RuntimeError` if it is not right."""
    return error_by(Oracle(x, w, problem, model), name, y, problem)


def error_by(oracle: Oracle, name: str, y: np.ndarray, problem: ConvProblem) -> float:
    """Return the same, for one of several results that are judged by one oracle."""
    agreement = oracle.compare(y)
    if not agreement.ok:
        raise RuntimeError(f"{name} is wrong on {problem}: {agreement.reason}; nothing was timed")
    return agreement.error


def comparison_of(rounds: Mapping[str, tuple[float, ...]], threads: int = 1) -> Comparison:
    """Return the `Comparison` of such rounds."""
    return Comparison(
        {name: timing_of(list(times), threads) for name, times in rounds.items()},
        {name: tuple(times) for name, times in rounds.items()},
    )


def geometric_mean(ratios) -> float:
    """Return the mean for ratios: of twice and half as fast, it is 1."""
    return float(np.exp(np.mean(np.log(list(ratios)))))
