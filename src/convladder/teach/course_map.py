"""The map of the course with the learner's own state: `progress()` in any notebook."""

from __future__ import annotations

import os
from pathlib import Path

from ..core.install import command_text, is_checkout
from ..core.text import Sentence, count_text
from ..journal import course_root, events, journal_path
from ..journal.course_index import CourseNotebook, hours_text
from ..journal.learner_progress import Progress, learner_progress
from .table import table

NOT_RUN = "Run this cell: then the column *you* says how far you are."
# On a phone the first two columns are what is seen of it.
COLUMNS = ["chapter", "you", "what you find out", "time", "lab", "time", "GPU"]


class CourseMap:
    """A row a chapter with its lab, its time and what the journal says; then what comes next."""

    def __init__(self, found: Progress, kept: Path | None, here: Path) -> None:
        self.found, self.kept, self.here = found, kept, here

    def lines(self, linked: bool = False) -> list[str]:
        """Return the sentences below the map; as Markdown with links, or plain."""
        if self.kept is None:
            return [NOT_RUN if linked else "Nothing is kept here (CONVLADDER_PROGRESS)."]
        found = self.found
        opened = sum(each.begun for each in found.chapters)
        total = sum(len(each.chapter.exercises) for each in found.chapters)
        passed = sum(len(each.passed) for each in found.chapters)
        tried = sum(len(each.tried) for each in found.chapters)
        said = [
            f"{opened} of {len(found.chapters)} chapters opened; {passed} of {total} exercises "
            f"passed, {tried} tried.",
            f"{found.score}",
        ]
        return [*self._damaged(), *said, self._next(linked)]

    def _damaged(self) -> list[str]:
        """Say which files are no notebooks, and how to get them anew with nothing lost."""
        damaged = [
            page for each in self.found.chapters for page in each.chapter.pages if page.damage
        ]
        again = "`git restore` with its name" if is_checkout() else f"`{command_text()} get`"
        return [
            f"{page.folder}/{page.path.name} is no notebook: {page.damage}; what it holds is not "
            f"counted. Rename it, so that nothing is lost, and get it anew with {again}."
            for page in damaged
        ]

    def _next(self, linked: bool) -> str:
        if self.found.next is None:
            return "You have done all there is. Now take a network of your own."
        each, folder = self.found.next
        page = each.chapter.page if folder == "course" else each.chapter.lab
        minutes = page.minutes if folder == "course" else each.lab_minutes
        name = self._link(page, _label(page)) if linked else _label(page)
        left = len(each.left)
        rest = (
            "" if folder == "course" or not each.tried else f", {count_text(left, 'exercise')} left"
        )
        about = f", about {hours_text(minutes)}" if minutes else ""
        return f"{'Next' if self.found.begun else 'Begin with'}: {name}{rest}{about}."

    def __repr__(self) -> str:
        rows = [
            [
                each.chapter.page.number,
                each.chapter.page.name,
                _time(each.chapter.page),
                _time(each.chapter.lab),
                each.text,
            ]
            for each in self.found.chapters
        ]
        columns = ["", "chapter", "time", "its lab", "you"]
        return "\n".join([repr(table(rows, columns)), "", *self.lines()])

    def _repr_markdown_(self) -> str:
        lines = [f"| {' | '.join(COLUMNS)} |", "|" + ":--|" * len(COLUMNS)]
        for each in self.found.chapters:
            page, lab = each.chapter.page, each.chapter.lab
            cells = [
                self._link(page, _label(page)),
                each.text,
                page.promise,
                _time(page),
                self._link(lab, _whole(f"Lab {lab.number}")) if lab else "",
                _time(lab),
                _whole(page.gpu.removeprefix("used ")),
            ]
            lines.append(f"| {' | '.join(cells)} |")
        return "\n".join([*lines, "", *("- " + line for line in self.lines(linked=True))])

    def _link(self, page: CourseNotebook, words: str) -> str:
        return f"[{words}]({Path(os.path.relpath(page.path, self.here)).as_posix()})"


def progress() -> CourseMap | str:
    """Return the course's map with your state in it: what you opened, tried, passed and predicted,
    and what comes next. All of it comes from a file of your own; nothing is sent anywhere, unless
    you share it with a class's board.
    """
    try:
        folder = course_root()
    except LookupError:
        return Sentence(f"There is no course here; `{command_text()} get` writes one.")
    kept = journal_path()
    try:
        happened = events(kept)
    except OSError as error:
        return Sentence(f"Your progress cannot be read: {error}.")
    return CourseMap(learner_progress(folder, happened), kept, _here(folder))


def _here(folder: Path) -> Path:
    """Return the folder that links begin at; that of the course, where the current one is gone."""
    try:
        return Path.cwd()
    except FileNotFoundError:
        return folder


def _label(page: CourseNotebook) -> str:
    return f"{'Lab ' * (page.folder == 'labs')}{page.number} · {page.name}"


def _time(page: CourseNotebook | None) -> str:
    return _whole(hours_text(page.minutes)) if page and page.minutes else ""


def _whole(words: str) -> str:
    """Return words that stay on one line."""
    return words.replace(" ", "\N{NO-BREAK SPACE}")
