"""One notebook from its code to verdicts: run behind walls, judged outside of them."""

from __future__ import annotations

import time
from dataclasses import dataclass, field, replace
from pathlib import Path

from ...teach.grading import stages
from ...teach.grading.check import verdict_on
from ...teach.grading.verdict import Verdict
from .notebook import Notebook
from .remote import answer_of
from .secret import Exercises
from .walls import PYTHON, BenchEnded, Ended, Jailed, Limits

START = 90.0  # seconds for a process to be ready: on a busy machine, imports take their time
NOT_HANDED_IN = "not handed in"
MISSING = Verdict(
    "",
    NOT_HANDED_IN,
    "The notebook hands nothing over for this exercise: its cell "
    "`check(...)` is missing, was not reached, or the cell before it failed.",
)


@dataclass
class Graded:
    """The verdict on one exercise. told: what of it rests on the submission's own word.

    stored: the stage that the notebook shows, "" for none.
    """

    verdict: Verdict
    told: tuple[str, ...] = ()
    stored: str = ""

    @property
    def differs(self) -> str:
        """Return how a stored verdict differs from ours, in a sentence, or ""."""
        ours = self.verdict.stage
        if not self.stored or self.stored == ours or ours == stages.NOT_JUDGED:
            return ""
        if self.stored == stages.PASSED:
            return (
                f"As it was handed in, the notebook shows “passed” here, and judged again it "
                f"is “{ours}”."
            )
        if ours == stages.PASSED:
            return f"As it was handed in, the notebook shows “{self.stored}” here."
        return ""

    @property
    def forged(self) -> bool:
        """Return whether the notebook claims more than it does."""
        return self.stored == stages.PASSED and bool(self.differs)


@dataclass
class Result:
    """One notebook's verdicts by exercise, what went wrong on the way, what to look at."""

    graded: dict[str, Graded] = field(default_factory=dict)
    notes: list[str] = field(default_factory=list)
    signs: tuple[str, ...] = ()
    seconds: float = 0.0


def judge_notebook(
    notebook: Notebook,
    names: list[str],
    exercises: Exercises,
    limits: Limits,
    walls: str,
    cache: Path | None = None,
    trusted: bool = False,
) -> Result:
    """Return the verdicts on the exercises `names`. Never raises on what a notebook does.

    trusted: it is the course's own, and what it compiles is kept in `cache` for the others.
    """
    begin = time.monotonic()
    run = _Run(notebook, names, exercises, limits, walls, cache, trusted)
    try:
        run.all()
    finally:
        run.stop()
    result = run.result
    for name in names:
        graded = result.graded.setdefault(name, Graded(replace(MISSING, name=name)))
        graded.stored = notebook.stored.get(name, "")
    result.graded = {name: result.graded[name] for name in names}
    result.signs, result.seconds = notebook.signs, time.monotonic() - begin
    return result


class _Run:
    """One notebook, begun again without the cell or the exercise that ended its process."""

    def __init__(
        self,
        notebook: Notebook,
        names: list[str],
        exercises: Exercises,
        limits: Limits,
        walls: str,
        cache: Path | None,
        trusted: bool,
    ) -> None:
        self.notebook, self.names, self.exercises = notebook, names, exercises
        self.limits, self.walls, self.cache, self.trusted = limits, walls, cache, trusted
        self.result = Result()
        self.left_out: set[int] = set()  # cells
        self.settled: dict[tuple[int, str], Graded] = {}  # by cell and exercise
        self.until = time.monotonic() + limits.notebook
        self.worker: Jailed | None = None
        self.bench: Jailed | None = None

    def all(self) -> None:
        """Run the notebook until nothing of it ends its process any more."""
        while True:
            self.stop()
            try:
                self.worker = self._started("worker")
            except Ended as error:
                self._not_judged(f"the process that runs notebooks did not start: it {error.why}")
                return
            if self._once():
                return
            if time.monotonic() > self.until:
                self.result.notes.append(
                    f"stopped after {self.limits.notebook:g} seconds; what was not judged by then "
                    "counts as not handed in"
                )
                return

    def _once(self) -> bool:
        """Run it; return whether it came to its end."""
        cell, failed, handed = 0, {}, set()
        try:
            self.worker.send(
                {
                    "cells": [each for each in self.notebook.code if each[0] not in self.left_out],
                    "exercises": self.exercises.public(self.names),
                    "seconds": self.limits.call,
                }
            )
            self._event(START)
            while True:
                event = self._event(self.limits.cell)
                what = event.get("event")
                if what == "cell" and type(event.get("number")) is int:
                    cell = event["number"]
                elif what == "failed":
                    failed[cell] = str(event.get("error"))[:300]
                elif what == "handed" and event.get("name") in self.names:
                    self._judge(event["name"], cell, event)
                    handed.add((cell, event["name"]))
                    number, names = self.notebook.final
                    if number and {(number, name) for name in names} <= handed:
                        what = "end"  # what comes now only measures and draws
                    else:
                        self.worker.send({"do": "go on"})
                elif what != "end":
                    raise Ended("sent what it was not asked for")
                if what == "end":
                    self.result.notes += [
                        f"cell {number} failed: {words}" for number, words in failed.items()
                    ]
                    return True
        except Ended as error:
            if cell == 0:
                self._not_judged(f"the process that runs notebooks {error.why}")
                return True
            self.left_out.add(cell)
            self.result.notes.append(f"cell {cell} was left out: its process {error.why}")
            return False

    def _event(self, seconds: float) -> dict:
        event = self.worker.receive(max(1.0, min(seconds, self.until - time.monotonic())))
        if type(event) is not dict:
            raise Ended("sent what is no answer")
        return event

    def _judge(self, name: str, cell: int, told: dict) -> None:
        """Judge what was handed over; a second time, as when it is begun again, at once."""
        key = cell, name
        if key not in self.settled:
            self.settled[key] = self._graded(name, told)
        self.result.graded[name] = self.settled[key]

    def _graded(self, name: str, told: dict) -> Graded:
        answer = None
        try:
            exercise = self.exercises[name]
            answer = answer_of(exercise, told, self.worker, self._bench, self.limits.call)
            verdict = verdict_on(answer, exercise.seeded_cases())
            return Graded(verdict, tuple(dict.fromkeys(getattr(answer, "told", ()))))
        except BenchEnded as error:
            self._end_bench()
            return Graded(
                Verdict(
                    name,
                    stages.NOT_JUDGED,
                    "Your kernel could not be judged: the "
                    f"process in which it was to run {error.why}.",
                )
            )
        except Ended as error:
            self.result.graded[name] = Graded(
                Verdict(
                    name,
                    stages.TOO_LONG if error.slow else stages.RAISED,
                    f"While your answer was called, its process {error.why}.",
                )
            )
            raise
        except Exception as error:  # of a result such as nobody has thought of
            return Graded(
                Verdict(
                    name,
                    stages.NOT_JUDGED,
                    "Your answer could not be judged: "
                    f"{type(error).__name__}. A person should look.",
                )
            )

    def _bench(self) -> Jailed:
        if self.bench is None or self.bench.process.poll() is not None:
            self._end_bench()
            self.bench = self._started("bench")
            self.bench.receive(START)
        return self.bench

    def _started(self, module: str) -> Jailed:
        return Jailed(
            [PYTHON, "-m", f"{__package__}.{module}"],
            self.limits,
            self.walls,
            self.cache,
            self.trusted,
        )

    def _not_judged(self, why: str) -> None:
        self.result.notes.append(f"not judged here: {why}")
        for name in self.names:
            self.result.graded.setdefault(
                name,
                Graded(Verdict(name, stages.NOT_JUDGED, "It could not be judged on this machine.")),
            )

    def _end_bench(self) -> None:
        if self.bench is not None:
            self.bench.stop()
            self.bench = None

    def stop(self) -> None:
        """End all processes."""
        if self.worker is not None:
            self.worker.stop()
            self.worker = None
        self._end_bench()
