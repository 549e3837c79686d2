"""What the course asks: exercises with the hints of their mistakes, and questions with a number.

A board shows nothing but this and names: whatever a learner's notebook may send, no text of theirs
reaches the wall.
"""

from __future__ import annotations

import ast
import json
import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field, replace
from functools import cached_property
from pathlib import Path

from ...journal import GUESSED, cell_digest
from ...outline import Chapter, Page, chapters, key_of, noted_predictions
from ...teach.exercises import exercise_names, load_exercise

_MEASURED = re.compile(r"measured (-?[\d,]*\.?\d+(?:e[-+]?\d+)?)")
_HEADING = re.compile(r"^## (.+?)\s*$", re.MULTILINE)


@dataclass(frozen=True)
class Mistake:
    """A usual mistake with what its hints say: what shows, the idea, what usually mends it."""

    name: str
    shows: str
    idea: str
    line: str


@dataclass(frozen=True)
class Task:
    """An exercise of a chapter."""

    name: str
    chapter: str
    task: str
    mistakes: dict[str, Mistake]


@dataclass(frozen=True)
class Question:
    """A number that a chapter asks for before it measures it.

    asks: the comment behind the `...`; what: the words beside the measured value, `pattern` what
    they match. guessed, measured_in: digests of the two cells. usual: the value in the course's own
    output, None where it shows none. section: the heading above it. folder: course or labs.
    """

    id: str
    chapter: str
    asks: str
    what: str
    unit: str
    pattern: str
    guessed: str
    measured_in: str
    usual: float | None = None
    section: str = ""
    folder: str = "course"

    @property
    def text(self) -> str:
        """Return it in words: what is asked; with what was measured, where that is short."""
        if self.what and len(self.asks.split()) <= 2:
            return f"{self.what} ({self.asks})" if self.asks else self.what
        return self.asks or "a number"


@dataclass(frozen=True)
class Part:
    """A chapter as the board knows it; `key` stays when chapters are numbered anew."""

    key: str
    number: str
    name: str
    tasks: tuple[Task, ...]
    questions: tuple[Question, ...]


@dataclass
class Catalogue:
    """All parts of a course, and what an event is about."""

    parts: tuple[Part, ...]
    tasks: dict[str, Task] = field(default_factory=dict)

    def __post_init__(self) -> None:
        self.tasks = {task.name: task for part in self.parts for task in part.tasks}

    @cached_property
    def by_key(self) -> dict[str, Part]:
        """Return the parts by their keys."""
        return {part.key: part for part in self.parts}

    @cached_property
    def questions(self) -> dict[str, Question]:
        """Return the questions of all chapters by their ids."""
        return {each.id: each for part in self.parts for each in part.questions}

    def part_of(self, notebook: str) -> tuple[str, Part | None]:
        """Return ("labs", part) of a notebook "labs/03_mec"; ("", None) for any other text."""
        folder, _, stem = notebook.partition("/")
        part = self.by_key.get(key_of(stem))
        return (folder, part) if part else ("", None)

    def question_of(self, kind: str, notebook: str, cell: str, what: str) -> Question | None:
        """Return what a guess or a measurement is about: by its cell, else by its words where one
        question alone has them; None where the course asks no such thing."""
        folder, part = self.part_of(notebook)
        asked = (
            [each for each in part.questions if (each.folder == "course") == (folder == "course")]
            if part
            else list(self.questions.values())
        )
        if kind == GUESSED:
            fits = [each for each in asked if each.asks == what]
            if not fits and part and folder != "course":  # a lab asks for one number: it is that
                fits = asked
            sure = [each for each in fits if each.guessed == cell]
        else:
            fits = [each for each in asked if re.fullmatch(each.pattern, what, re.DOTALL)]
            sure = [each for each in fits if each.measured_in == cell]
        found = sure or fits
        return found[0] if len(found) == 1 else None


def catalogue(root: Path) -> Catalogue:
    """Return what the course at `root` asks. 0.5 s: its notebooks and exercises are read."""
    names = set(exercise_names())
    return Catalogue(tuple(_part(chapter, names) for chapter in chapters(root)))


def _part(chapter: Chapter, names: set[str]) -> Part:
    page = chapter.page
    tasks = tuple(_task(name, page.key) for name in chapter.exercises if name in names)
    asked = [*_questions(page.path, page.key, page.key)]
    if chapter.lab is not None:
        asked += _lab_questions(chapter.lab.path, chapter.solution, page.key)
    return Part(page.key, page.number, page.name, tasks, tuple(asked))


def _lab_questions(lab: Path, solution: Page | None, key: str) -> list[Question]:
    """Return a lab's questions; the usual values are those that its solution shows."""
    asked = [replace(each, folder="labs") for each in _questions(lab, key, f"{key}-lab")]
    solved = list(_questions(solution.path, key, "")) if solution else []
    if [each.what for each in solved] != [each.what for each in asked]:
        return asked
    return [replace(each, usual=other.usual) for each, other in zip(asked, solved, strict=True)]


def _task(name: str, key: str) -> Task:
    exercise = load_exercise(name)
    return Task(
        name,
        key,
        exercise.task,
        {
            each.name: Mistake(each.name, each.symptom, each.concept, each.line)
            for each in exercise.misconceptions
        },
    )


def _questions(path: Path, key: str, prefix: str) -> Iterator[Question]:
    open_ones: dict[str, tuple[str, str]] = {}  # variable -> what is asked, digest of its cell
    count, section = 0, ""
    for cell in json.loads(path.read_text(encoding="utf-8"))["cells"]:
        source = "".join(cell["source"])
        if cell["cell_type"] != "code":
            section = (_HEADING.findall(source) or [section])[-1]
            continue
        for variable, asks in noted_predictions(source).items():
            open_ones[variable] = asks, cell_digest(source)
        calls = list(_calls(source))
        values = _measured(cell) if calls else []
        for index, (variable, unit, what, pattern) in enumerate(calls):
            asks, guessed = open_ones.pop(variable, ("", ""))
            count += 1
            usual = values[index] if len(values) == len(calls) else None
            yield Question(
                f"{prefix}-{count}",
                key,
                asks,
                what,
                unit,
                pattern,
                guessed,
                cell_digest(source),
                usual,
                section,
            )


def _calls(source: str) -> Iterator[tuple[str, str, str, str]]:
    """Yield variable, unit, what and its pattern for each `versus(prediction…, …)`."""
    try:
        tree = ast.parse(source)
    except SyntaxError:
        return
    for node in ast.walk(tree):
        if not (
            isinstance(node, ast.Call)
            and getattr(node.func, "id", "") == "versus"
            and node.args
            and getattr(node.args[0], "id", "").startswith("prediction")
        ):
            continue
        named = {each.arg: each.value for each in node.keywords}
        unit = named.get("unit", node.args[2] if len(node.args) > 2 else None)
        what = named.get("what", node.args[3] if len(node.args) > 3 else None)
        yield node.args[0].id, _words(unit)[0], *_words(what)


def _words(node: ast.expr | None) -> tuple[str, str]:
    """Return what a literal or an f-string says, and the pattern of it."""
    if isinstance(node, ast.Constant) and isinstance(node.value, str):
        return node.value, re.escape(node.value)
    if isinstance(node, ast.JoinedStr):
        texts = [each.value if isinstance(each, ast.Constant) else None for each in node.values]
        return (
            "".join("…" if text is None else text for text in texts),
            "".join(".*" if text is None else re.escape(text) for text in texts),
        )
    return ("", "") if node is None else ("…", ".*")


def _measured(cell: dict) -> list[float]:
    """Return the measured values that a cell's stored outputs show, in order."""
    return [
        float(found.replace(",", ""))
        for text in _texts(cell.get("outputs", []))
        for found in _MEASURED.findall(" ".join(text.split()))
    ]


def _texts(outputs: Iterable[dict]) -> Iterator[str]:
    for output in outputs:
        text = output.get("text") or output.get("data", {}).get("text/plain") or ""
        yield "".join(text)
