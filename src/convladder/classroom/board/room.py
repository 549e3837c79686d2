"""Where everybody in a room is: what the events of a lesson come to, one after the other."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field

from ...journal import CHECKED, GUESSED, OPENED
from ...teach.grading.stages import NOT_ATTEMPTED, NOT_JUDGED, PASSED
from .catalogue import Catalogue, Task
from .wire import Told

NOT_YET, BEGUN, TRIED, STUCK, DONE = "not yet", "begun", "tried", "stuck", "done"
STATES = (DONE, STUCK, TRIED, BEGUN, NOT_YET)
NOW = 20 * 60  # seconds for which a mistake, or a learner, counts as of now


@dataclass
class Attempt:
    """A learner at an exercise: the last verdict, and how often in a row it was the same."""

    stage: str = ""
    mistake: str = ""
    same: int = 0
    tries: int = 0
    passed: bool = False
    at: float = 0.0

    def take(self, told: Told) -> None:
        """Add a verdict."""
        self.at = told.at
        if told.stage in (NOT_ATTEMPTED, NOT_JUDGED):  # says nothing of the learner
            return
        again = (told.stage, told.misconception) == (self.stage, self.mistake)
        self.same = self.same + 1 if again else 1
        self.stage, self.mistake = told.stage, told.misconception
        self.tries += 1
        self.passed |= told.stage == PASSED

    def state(self, stuck: int) -> str:
        """Return how it stands, stuck after `stuck` tries on the same mistake."""
        if self.passed:
            return DONE
        if self.tries == 0:
            return BEGUN
        return STUCK if self.same >= stuck else TRIED


@dataclass
class Guesses:
    """A learner's numbers for a question: the first round's, the second's, and what they measured.

    What is written after the learner has measured it is no guess.
    """

    first: float | None = None
    second: float | None = None
    measured: float | None = None


@dataclass
class Learner:
    """One in the room. shown: the name or pseudonym. at: seconds since 1970 of the last event."""

    who: str
    shown: str
    at: float = 0.0
    place: tuple[str, str] | None = None  # chapter's key, folder
    opened: set[tuple[str, str]] = field(default_factory=set)
    attempts: dict[str, Attempt] = field(default_factory=dict)
    guesses: dict[str, Guesses] = field(default_factory=dict)


class Room:
    """All learners of a lesson. `revotes`: question -> when its second round was opened;
    `revealed`: question -> when its value was shown, after which nothing is a guess."""

    def __init__(self, course: Catalogue, stuck: int = 3):
        self.course, self.stuck = course, stuck
        self.learners: dict[str, Learner] = {}
        self.revotes: dict[str, float] = {}
        self.revealed: dict[str, float] = {}

    def enter(self, who: str, shown: str) -> Learner:
        """Return the learner, who is in the room from now on."""
        learner = self.learners.setdefault(who, Learner(who, shown))
        learner.shown = shown
        return learner

    def leave(self, who: str) -> None:
        """Forget a learner."""
        self.learners.pop(who, None)

    def take(self, who: str, told: Told) -> None:
        """Add what a learner of the room did."""
        learner = self.learners[who]
        learner.at = max(learner.at, told.at)
        folder, part = self.course.part_of(told.notebook)
        if told.kind == CHECKED:
            task = self.course.tasks[told.exercise]
            part, folder = self.course.by_key[task.chapter], folder or "labs"
            learner.attempts.setdefault(told.exercise, Attempt()).take(told)
        elif told.kind != OPENED:
            question = self.course.questions[told.question]
            part, folder = self.course.by_key[question.chapter], folder or "course"
            self._guess(learner.guesses.setdefault(told.question, Guesses()), told)
        if part is not None:
            learner.opened.add((part.key, folder))
            if part.tasks or learner.place is None:
                learner.place = part.key, folder

    def _guess(self, guesses: Guesses, told: Told) -> None:
        closed = guesses.measured is not None or told.at > self.revealed.get(told.question, told.at)
        if told.kind == GUESSED:
            if closed:
                return
            if told.at > self.revotes.get(told.question, told.at):
                guesses.second = told.prediction
            else:
                guesses.first = told.prediction
            return
        if guesses.first is None and not closed:
            guesses.first = told.prediction
        if guesses.measured is None:
            guesses.measured = told.measured

    def state(self, learner: Learner, task: Task) -> str:
        """Return how a learner stands with an exercise."""
        attempt = learner.attempts.get(task.name)
        if attempt is not None:
            return attempt.state(self.stuck)
        part = self.course.by_key[task.chapter]
        # An exercise counts as begun where the one before it was tried: it is the next one.
        names = [each.name for each in part.tasks]
        before = names[: names.index(task.name)]
        if before and before[-1] not in learner.attempts:
            return NOT_YET
        return BEGUN if before or (task.chapter, "labs") in learner.opened else NOT_YET

    def mistakes(self, now: float) -> Counter[tuple[str, str]]:
        """Return how many make a mistake now, as (exercise, its name): it was their last verdict
        there, in the last minutes, and they have not passed since."""
        return Counter(
            (name, attempt.mistake)
            for learner in self.learners.values()
            for name, attempt in learner.attempts.items()
            if attempt.mistake and not attempt.passed and now - attempt.at <= NOW
        )

    def done(self, learner: Learner, chapter: str, folder: str) -> set[str]:
        """Return the exercises of a lab, or the questions of a chapter, that a learner has behind
        them."""
        part = self.course.by_key[chapter]
        if folder == "labs":
            return {task.name for task in part.tasks if self.state(learner, task) == DONE}
        return {each.id for each in part.questions if each.id in learner.guesses}
