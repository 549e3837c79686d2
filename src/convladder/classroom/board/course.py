"""The course's questions: its exercises with their usual mistakes, and its predictions."""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from ...exercises import load_exercise
from ...journal import cell_digest
from ...journal.course_index import chapters, key_of, noted_predictions

_VERSUS = re.compile(r"\bversus\(\s*(prediction\w*)")


@dataclass(frozen=True)
class Part:
    """A chapter with its lab. `key` stays when chapters are numbered anew.

    questions: id -> the words behind `prediction = ...`. measured_in: digest of a cell -> the ids
    of what it measures.
    """

    key: str
    number: str
    name: str
    exercises: tuple[str, ...]
    questions: dict[str, str]
    measured_in: dict[str, list[str]]


class CourseParts:
    """All parts of a course, and what an event is about."""

    def __init__(self, root: Path) -> None:
        self.parts = [_part(chapter) for chapter in chapters(root)]
        self.by_key = {part.key: part for part in self.parts}
        self.part_of_exercise = {name: part for part in self.parts for name in part.exercises}

    def part_of(self, notebook: str) -> Part | None:
        """Return the part of a notebook, "labs/03_mec"; None for any other text."""
        return self.by_key.get(key_of(notebook.partition("/")[2]))

    def question_of(self, part: Part, what: str) -> str:
        """Return the id of a prediction that a part asks for by these words, or ""."""
        return next((name for name, text in part.questions.items() if text == what), "")


@cache
def mistakes_of(exercise: str) -> dict[str, str]:
    """Return the usual mistakes of an exercise: name -> the idea that is missing."""
    try:
        return {each.name: each.why for each in load_exercise(exercise).misconceptions}
    except KeyError:
        return {}


def _part(chapter) -> Part:
    questions: dict[str, str] = {}
    measured_in: dict[str, list[str]] = {}
    for page in filter(None, (chapter.page, chapter.lab)):
        latest: dict[str, str] = {}  # variable -> id
        for kind, source in page.cells:
            if kind != "code":
                continue
            if names := [latest[name] for name in _VERSUS.findall(source) if name in latest]:
                measured_in[cell_digest(source)] = names
            for variable, text in noted_predictions(source).items():
                latest[variable] = f"{page.folder}-{len(questions) + 1}"
                questions[latest[variable]] = text
    page = chapter.page
    return Part(page.key, page.number, page.name, tuple(chapter.exercises), questions, measured_in)
