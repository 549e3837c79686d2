"""Progress from the events: chapters opened, exercises passed, predictions, the next step."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field
from pathlib import Path
from statistics import median

from .course_index import Chapter, chapters, key_of
from .event import CHECKED, PREDICTED, Event
from .notebook_context import cell_digest

PASSED, NOT_ATTEMPTED = "passed", "not attempted"  # stages of a check
CLOSE = 1.1  # a prediction within this factor is called close
FAR = 2.0


@dataclass
class ChapterProgress:
    """How far a learner is with a chapter and its lab."""

    chapter: Chapter
    opened: bool = False
    lab_opened: bool = False
    tried: set[str] = field(default_factory=set)
    passed: set[str] = field(default_factory=set)
    predictions: list[Event] = field(default_factory=list)

    @property
    def begun(self) -> bool:
        """Return whether anything of it was opened."""
        return self.opened or self.lab_opened or bool(self.tried)

    @property
    def done(self) -> bool:
        """Return whether nothing of it is left: all exercises passed, or opened if it has none."""
        return self.begun and not self.left

    @property
    def left(self) -> list[str]:
        """Return the exercises that are not passed yet."""
        return [name for name in self.chapter.exercises if name not in self.passed]

    @property
    def lab_minutes(self) -> int | None:
        """Return how long the rest of the lab takes, if it says how long all of it does."""
        lab = self.chapter.lab
        if lab is None or lab.minutes is None or not self.chapter.exercises:
            return None
        share = len(self.left) / len(self.chapter.exercises)
        return max(5, 5 * round(lab.minutes * share / 5))

    @property
    def text(self) -> str:
        """Return it in a few words, "" where nothing was opened yet."""
        total, passed = len(self.chapter.exercises), len(self.passed)
        if total and passed == total:
            return f"✓ {total} of {total} passed"
        if self.tried or passed:
            return f"{passed} of {total} passed"
        return "opened" if self.begun else ""


@dataclass
class Progress:
    """How far a learner is with the course; `last` is where something happened last."""

    chapters: list[ChapterProgress]
    last: ChapterProgress | None = None
    predictions: list[Event] = field(default_factory=list)

    @property
    def begun(self) -> bool:
        """Return whether anything was done yet."""
        return any(each.begun for each in self.chapters) or bool(self.predictions)

    @property
    def next(self) -> tuple[ChapterProgress, str] | None:
        """Return the next chapter, with "course" or "labs"; None where all is done."""
        order = self.chapters
        at = order.index(self.last) if self.last in order else -1
        if at >= 0 and order[at].chapter.lab and order[at].left:
            return order[at], "labs"
        for each in order[at + 1 :] + order[: at + 1]:
            if not each.begun:
                return each, "course"
        return next(((each, "labs") for each in order if each.chapter.lab and each.left), None)

    @property
    def factors(self) -> list[float]:
        """Return how many times each prediction was off, where a factor says it."""
        return [event.factor for event in self.predictions if event.factor is not None]

    @property
    def score(self) -> str:
        """Return in a sentence how near the predictions were."""
        offered = sum(each.chapter.page.predictions for each in self.chapters)
        if not self.predictions:
            return f"No prediction yet; there are {offered} to make."
        made = f"{len(self.predictions)} of {offered} predictions"
        if not self.factors:
            return f"{made}."
        close = sum(factor <= CLOSE for factor in self.factors)
        near = sum(factor <= FAR for factor in self.factors)
        return (
            f"{made}: {close} within {CLOSE - 1:.0%}, {near} within a factor of {FAR:.0f}; "
            f"the middle one is off by a factor of {median(self.factors):.2g}."
        )


def learner_progress(folder: Path, happened: Iterable[Event]) -> Progress:
    """Return the progress that the events `happened`, oldest first, make in the course at `folder`.

    Chapters are known by their names without numbers, and a prediction counts when first made.
    """
    found = Progress([ChapterProgress(chapter) for chapter in chapters(folder)])
    by_key = {each.chapter.page.key: each for each in found.chapters}
    by_exercise = {name: each for each in found.chapters for name in each.chapter.exercises}
    by_cell: dict[str, tuple[str, ChapterProgress]] | None = None
    first: dict[tuple[str, str, str], Event] = {}
    for event in happened:
        kind, _, stem = event.notebook.partition("/")
        each = by_key.get(key_of(stem)) or by_exercise.get(event.exercise)
        if each is None and event.cell:
            by_cell = by_cell if by_cell is not None else _cells(found.chapters)
            kind, each = by_cell.get(event.cell, ("", None))
        if each is not None:
            if each.chapter.lab or found.last is None:  # to look at the map is not to go back
                found.last = each
            each.opened |= kind == "course"
            each.lab_opened |= kind == "labs"
        if event.kind == CHECKED and event.exercise in by_exercise:
            of = by_exercise[event.exercise]
            if event.stage != NOT_ATTEMPTED:
                of.tried.add(event.exercise)
            if event.stage == PASSED:
                of.passed.add(event.exercise)
        elif event.kind == PREDICTED:
            name = each.chapter.page.key if each else event.notebook
            if first.setdefault((name, event.cell, event.what), event) is event:
                found.predictions.append(event)
                if each is not None:
                    each.predictions.append(event)
    return found


def _cells(known: list[ChapterProgress]) -> dict[str, tuple[str, ChapterProgress]]:
    """Return digest of a code cell -> (folder, chapter): for hosts that name no notebook."""
    return {
        cell_digest(source): (page.folder, each)
        for each in known
        for page in (each.chapter.lab, each.chapter.page)
        if page is not None
        for kind, source in page.cells
        if kind == "code"
    }
