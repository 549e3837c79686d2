"""All submissions of a class: judged lab by lab, and what to enter into the grade book."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field, replace
from pathlib import Path

from tools.notebooks.notebook import NotebookError, find

from ...journal import course_root
from ...teach.grading import stages
from ...teach.grading.verdict import Verdict
from .gradebook import Gradebook, lab_named, points_of
from .judging import Graded, Result, judge_notebook
from .notebook import NotANotebook, Notebook, parse
from .secret import Exercises
from .submissions import Submission
from .walls import Limits

OUR_SIDE = (stages.NOT_JUDGED,)  # what is nobody's fault who handed in


@dataclass
class Learner:
    """One learner's results by lab, and what a person should know."""

    submission: Submission
    labs: dict[int, Result] = field(default_factory=dict)
    problems: list[str] = field(default_factory=list)
    entered: str = ""  # into the grade book, or why nothing was

    @property
    def name(self) -> str:
        return self.submission.name

    @property
    def graded(self) -> dict[str, Graded]:
        """Return all verdicts by exercise."""
        return {name: each for result in self.labs.values() for name, each in result.graded.items()}

    @property
    def passed(self) -> int:
        return sum(each.verdict.passed for each in self.graded.values())

    @property
    def look(self) -> list[str]:
        """Return why a person should look."""
        forged = ", ".join(
            f"{name} ({each.verdict.stage})" for name, each in self.graded.items() if each.forged
        )
        found = [f"The notebook shows “passed”, and it is otherwise here: {forged}."] * bool(forged)
        found += [
            f"{name}: {each.verdict.message}"
            for name, each in self.graded.items()
            if each.verdict.stage in OUR_SIDE
        ]
        for lab, result in self.labs.items():
            found += [f"Lab {lab:02}, {sign}." for sign in result.signs]
        return found


@dataclass
class Room:
    """The results of a class. walls: what kept submissions apart; seed: of the cases."""

    learners: list[Learner]
    exercises: Exercises
    walls: str
    notes: list[str] = field(default_factory=list)

    @property
    def names(self) -> list[str]:
        """Return the exercises that were graded, in their order."""
        found = {name for learner in self.learners for name in learner.graded}
        return [name for name in self.exercises.names if name in found]

    @property
    def known(self) -> list[str]:
        """Return those of the exercises that a table of the right answers passes."""
        return [name for name in self.names if self.exercises.known(name)]

    def passed(self, name: str) -> int:
        """Return how many have passed an exercise."""
        return sum(
            name in each.graded and each.graded[name].verdict.passed for each in self.learners
        )

    def mistakes(self) -> list[tuple[str, str, int, str]]:
        """Return (exercise, usual mistake, of how many, its first hint), the commonest first."""
        hints: dict[tuple[str, str], str] = {}
        found: Counter = Counter()
        for learner in self.learners:
            for name, each in learner.graded.items():
                if mistake := each.verdict.misconception:
                    found[name, mistake] += 1
                    hints[name, mistake] = each.verdict.hint(1)
        return [
            (*key, count, hints[key])
            for key, count in sorted(
                found.items(), key=lambda item: (-item[1], self.names.index(item[0][0]))
            )
        ]


def grade_room(
    found: Iterable[Submission],
    exercises: Exercises,
    limits: Limits,
    walls: str,
    cache: Path | None = None,
    labs: Iterable[int] = (),
    say: Callable[[str], None] = lambda line: None,
) -> Room:
    """Judge all notebooks, lab by lab, so that a usual mistake is tried once for the class."""
    room = Room([Learner(one, problems=list(one.problems)) for one in found], exercises, walls)
    wanted, work = set(labs), []
    for learner in room.learners:
        for lab, handed in learner.submission.notebooks.items():
            try:
                notebook = parse(handed.data)
            except NotANotebook as error:
                learner.problems.append(f"{handed.path} {error}.")
                continue
            number = _lab_of(notebook, exercises, lab)
            if number is None:
                learner.problems.append(
                    f"{handed.path} is of no lab that is known: it neither "
                    "checks an exercise nor has a lab's number."
                )
            elif not wanted or number in wanted:
                work.append((number, learner, notebook))
    failed: dict[int, set[str]] = {}
    for done, (lab, learner, notebook) in enumerate(sorted(work, key=lambda each: each[0]), 1):
        if lab not in failed:
            say(f"lab {lab:02}: the course's own solution first")
            failed[lab] = unproven(lab, exercises, limits, walls, cache)
            room.notes += [
                f"{name}: the course's own solution does not pass on this machine, so "
                "no answer is judged wrong"
                for name in sorted(failed[lab])
            ]
        result = judge_notebook(notebook, exercises.of_lab(lab), exercises, limits, walls, cache)
        for name in failed[lab]:
            if not result.graded[name].verdict.passed:
                result.graded[name].verdict = Verdict(
                    name,
                    stages.NOT_JUDGED,
                    ("The course's own solution does not pass on this machine either."),
                )
        before = learner.labs.get(lab)
        if before is None or _passed(result) >= _passed(before):
            learner.labs[lab] = result
        if before is not None:
            learner.problems.append(
                f"There are two notebooks for lab {lab:02}; the one that passes more counts."
            )
        say(
            f"{done} of {len(work)}: lab {lab:02} of {learner.name}, "
            f"{_passed(result)} of {len(result.graded)} passed, {result.seconds:.0f} s"
        )
    for learner in room.learners:
        if not learner.labs and not learner.problems:
            learner.problems.append("Nothing was handed in that could be graded.")
    return room


def enter(room: Room, book: Gradebook, title: str | None) -> list[str]:
    """Fill the column of an export; return what a person should know. Raises GradebookError."""
    labs = sorted({lab for learner in room.learners for lab in learner.labs})
    column = book.column(labs[0] if len(labs) == 1 else None, title)
    named = lab_named(book.header[column])
    labs = [named] if named in labs else labs
    notes, rows = [], {}
    for learner in room.learners:
        row, why = book.match(learner.submission)
        if row is None:
            learner.entered = f"not entered: {why}"
            notes.append(f"{learner.name}: {learner.entered}")
            continue
        rows.setdefault(id(row), (row, []))[1].append(learner)
        learner.submission.name = book.name(row)
    for row, claimed in rows.values():
        value, why = None, ""
        if len(claimed) > 1:
            why = f"{len(claimed)} submissions are of {book.name(row)}"
        elif not any(lab in claimed[0].labs for lab in labs):
            why = "nothing for this column could be graded"
        elif any(
            each.verdict.stage in OUR_SIDE
            for lab in labs
            if lab in claimed[0].labs
            for each in claimed[0].labs[lab].graded.values()
        ):
            why = "some of it could not be judged here"
        else:
            names = [name for lab in labs for name in room.exercises.of_lab(lab)]
            passed = sum(
                name in claimed[0].graded and claimed[0].graded[name].verdict.passed
                for name in names
            )
            value = points_of(passed, len(names), book.points(column, row))
            book.fill(row, column, value)
        for learner in claimed:
            learner.entered = f"{value:g} entered" if value is not None else f"not entered: {why}"
            if value is None:
                notes.append(f"{learner.name}: {learner.entered}")
    claimed_rows = set(rows)
    notes += [
        f"{book.name(row)}: no submission; the cell stays as it is"
        for row in book.learners
        if id(row) not in claimed_rows
    ]
    return notes


def _lab_of(notebook: Notebook, exercises: Exercises, number: int | None) -> int | None:
    """Return the lab whose exercises a notebook checks most; else the one that its name tells."""
    found = Counter(
        exercises.names[name] for name in notebook.checked.elements() if name in exercises.names
    )
    if found:
        return found.most_common(1)[0][0]
    return number if number is not None and exercises.of_lab(number) else None


def unproven(
    lab: int, exercises: Exercises, limits: Limits, walls: str, cache: Path | None
) -> set[str]:
    """Return the exercises of a lab whose own solution does not pass on this machine.

    What it compiles is there for the submissions afterwards. Where there is no solution, as for an
    instructor's own exercises, nothing is known, and nothing returned.
    """
    try:
        (path,) = find(course_root(), "solutions", f"{lab:02}")
        notebook = parse(path.read_bytes())
    except (NotebookError, NotANotebook, ValueError, OSError):
        return set()
    # As long as it takes: it is the first here that compiles what all of them use.
    patient = replace(limits, call=max(limits.call, 120.0), cell=max(limits.cell, 300.0))
    for _ in range(2):  # the second time with what the first has compiled
        result = judge_notebook(
            notebook, exercises.of_lab(lab), exercises, patient, walls, cache, trusted=True
        )
        failed = {name for name, each in result.graded.items() if not each.verdict.passed}
        if not failed:
            break
    return failed


def _passed(result: Result) -> int:
    return sum(each.verdict.passed for each in result.graded.values())
