"""Where everybody is: what the events come to, and what the page shows of it."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field
from statistics import median
from typing import Any

from ...journal import CHECKED, GUESSED, PREDICTED
from .course import CourseParts, Part, mistakes_of
from .event import BoardEvent

PASSED, NEUTRAL = "passed", ("not attempted", "could not be judged")
STATES = ("done", "stuck", "tried", "begun", "not yet")
STUCK = 3  # tries with the same outcome
SILENT = 10 * 60  # seconds without a sign
COMMON = 2  # learners who have the same smallest case: one alone is not put on a wall
BARS = 8


@dataclass
class Streak:
    """A learner at an exercise: the latest outcome, and how often in a row it was the same."""

    outcome: tuple[str, str, str] = ("", "", "")  # stage, mistake, case
    same: int = 0
    passed: bool = False

    def take(self, event: BoardEvent) -> None:
        """Add a verdict."""
        if event.stage in NEUTRAL:
            return
        outcome = (event.stage, event.mistake, event.case)
        self.same = self.same + 1 if outcome == self.outcome else 1
        self.outcome = outcome
        self.passed |= event.stage == PASSED

    @property
    def state(self) -> str:
        """Return one of STATES."""
        if self.passed:
            return "done"
        return "begun" if not self.same else "stuck" if self.same >= STUCK else "tried"


@dataclass
class Learner:
    """One in the room. at: seconds since 1970 of the latest sign. part: key of a chapter."""

    name: str
    at: float
    part: str = ""
    opened: set[str] = field(default_factory=set)
    attempts: dict[str, Streak] = field(default_factory=dict)
    guesses: dict[str, float] = field(default_factory=dict)
    measured: dict[str, float] = field(default_factory=dict)

    def take(self, event: BoardEvent) -> None:
        """Add what the learner did."""
        self.at, self.part = max(self.at, event.at), event.part
        self.opened.add(event.part)
        if event.kind == CHECKED:
            self.attempts.setdefault(event.exercise, Streak()).take(event)
        elif event.kind == GUESSED and event.question not in self.measured:
            self.guesses[event.question] = event.prediction  # after the measurement it is no guess
        elif event.kind == PREDICTED:
            asked = event.question.split()
            fits = [name for name in asked if self.guesses.get(name) == event.prediction]
            for name in fits[:1] or (asked if len(asked) == 1 else []):
                self.guesses.setdefault(name, event.prediction)
                if event.measured is not None:
                    self.measured.setdefault(name, event.measured)

    def state(self, part: Part, exercise: str) -> str:
        """Return how the learner stands with an exercise. After one that was tried, the next one
        counts as begun."""
        if exercise in self.attempts:
            return self.attempts[exercise].state
        place = part.exercises.index(exercise)
        before = part.exercises[place - 1] in self.attempts if place else part.key in self.opened
        return "begun" if before else "not yet"


class Room:
    """All learners by their numbers."""

    def __init__(self, course: CourseParts) -> None:
        self.course = course
        self.learners: dict[int, Learner] = {}

    def view(self, chapter: str, now: float) -> dict[str, Any]:
        """Return the data of a page about `chapter`; "" stands for the chapter of most learners."""
        part = self.course.by_key.get(chapter) or self._most()
        here = Counter(each.part for each in self.learners.values())
        people = sorted(self.learners.items(), key=lambda pair: pair[1].name.casefold())
        return {
            "parts": [
                {"key": each.key, "number": each.number, "name": each.name, "here": here[each.key]}
                for each in self.course.parts
            ],
            "part": {"key": part.key, "number": part.number, "name": part.name},
            "states": STATES,
            "exercises": [self._exercise(part, name) for name in part.exercises],
            "questions": [self._question(*each) for each in part.questions.items()],
            "people": [self._person(number, each, now) for number, each in people],
        }

    def _most(self) -> Part:
        where = Counter(each.part for each in self.learners.values() if each.part)
        return self.course.by_key[where.most_common(1)[0][0]] if where else self.course.parts[0]

    def _person(self, number: int, learner: Learner, now: float) -> dict[str, Any]:
        part = self.course.by_key.get(learner.part)
        states = Counter(learner.state(part, name) for name in (part.exercises if part else ()))
        return {
            "id": number,
            "name": learner.name,
            "where": f"{part.number} {part.name}" if part else "",
            "minutes": int((now - learner.at) // 60),
            "silent": now - learner.at > SILENT,
            "done": states["done"],
            "stuck": states["stuck"],
            "of": len(part.exercises) if part else 0,
        }

    def _exercise(self, part: Part, name: str) -> dict[str, Any]:
        who: dict[str, list[str]] = {state: [] for state in STATES}
        mistakes: Counter[str] = Counter()
        cases: Counter[str] = Counter()
        for learner in self.learners.values():
            who[learner.state(part, name)].append(learner.name)
            attempt = learner.attempts.get(name, Streak())
            _, mistake, case = attempt.outcome
            if not attempt.passed:
                mistakes[mistake] += bool(mistake)
                cases[case] += bool(case and not mistake)
        common: list[dict[str, Any]] = [
            {"text": text, "count": count, "why": mistakes_of(name)[text]}
            for text, count in mistakes.most_common(1)
            if count
        ] + [
            {"text": text, "count": count, "why": ""}
            for text, count in cases.most_common(1)
            if count >= COMMON
        ]
        common.sort(key=lambda each: -each["count"])
        return {"name": name, "who": who, "common": common}

    def _question(self, name: str, text: str) -> dict[str, Any]:
        given = [each.guesses[name] for each in self.learners.values() if name in each.guesses]
        truth = [each.measured[name] for each in self.learners.values() if name in each.measured]
        return {
            "id": name,
            "text": text or "a number",
            "answered": len(given),
            "bars": bars(given),
            "measured": median(truth) if truth else None,
        }


def bars(values: list[float]) -> list[dict[str, Any]]:
    """Return a bar for each different value, or for eight equal parts of the ordered values."""
    ordered = sorted(values)
    if len(set(ordered)) <= BARS:
        return [{"label": f"{v:g}", "count": n} for v, n in sorted(Counter(ordered).items())]
    edges = [ordered[len(ordered) * k // BARS] for k in range(BARS)]
    cuts = sorted(set(edges))
    found = []
    for low, high in zip(cuts, [*cuts[1:], float("inf")], strict=True):
        inside = [v for v in ordered if low <= v < high]
        found.append({"label": f"{inside[0]:g} to {inside[-1]:g}", "count": len(inside)})
    return found
