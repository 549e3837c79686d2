"""Chapters and labs by number: whether what a text calls 09 is there, and is what it says it is.

A number alone can only be looked up. A link or a file beside it can be held against it, and so can
a chapter's title. Files are in the order in which the course is read.
"""

import json
import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from convladder.outline import FOLDERS, Page

from .notebook import find

NUMBERS = r"\d\d\b(?:(?:,? (?:and|or|to) |, |–)\d\d\b(?!\.\d))*"
MENTION = re.compile(rf"\b(chapter|lab)s?[\s#*]+({NUMBERS})", re.IGNORECASE)
LINK = re.compile(r"\[([^\[\]]*)\]\((?:[^()\s]*/)?(\d\d)_(\w+)\.ipynb[^()]*\)")
FILE = re.compile(r"\b(course|labs|solutions)/(\d\d_\w+)\.ipynb")
NAMED = re.compile(r"[*`]*(?:(?:chapter|lab)\s+)?(\d\d)\b[ ·:]*(.*?)(?: →)?[*`]*", re.IGNORECASE)
OWN = re.compile(r"^\"\"\"Lab (\d\d)(?:, exercise (\d))?\b")
TERM = re.compile(r"^## <a id=\"([^\"]+)\"></a>(.+)\n(.+)$", re.MULTILINE)
CLOSING = "99"  # the page after the last chapter
REMEDY = "mend the number, or the name"


@dataclass(frozen=True)
class Course:
    """The numbers that there are, and what the chapters are called.

    files: by folder, the names of its notebooks without ".ipynb". titles: by number, up to a colon.
    """

    files: dict[str, tuple[str, ...]]
    titles: dict[str, str]

    @classmethod
    def of(cls, root: Path) -> "Course":
        """Return that of a checkout."""
        found = {folder: find(root, folder) for folder in FOLDERS}
        files = {folder: tuple(path.stem for path in paths) for folder, paths in found.items()}
        return cls(files, {path.stem[:2]: Page(path).name for path in found["course"]})

    @property
    def order(self) -> list[str]:
        """Return the numbers of the chapters, as they are to be read; not of the closing page."""
        return [number for number in self.titles if number != CLOSING]

    def has(self, kind: str, number: str) -> bool:
        """Return whether there is a "chapter" or "lab" of this number; lab 00 is an exercise in
        chapter 00.
        """
        folder = "solutions" if kind == "lab" and number != "00" else "course"
        return any(stem.startswith(f"{number}_") for stem in self.files[folder])


def reference_findings(root: Path) -> Iterator[tuple[str, int | None, str, str]]:
    """Yield (file, cell or None, what, remedy) for each wrong number in the checkout at `root`:
    in notebooks, in its pages, in what the package's sources say.
    """
    course, chapters = Course.of(root), {}
    for folder in FOLDERS:
        for path in find(root, folder):
            cells = _cells(path)
            if folder == "course":
                chapters[path.stem[:2]] = "\n".join(cells).lower()
            for number, text in enumerate(cells, 1):
                yield from (
                    (f"{folder}/{path.name}", number, what, REMEDY) for what in wrong(text, course)
                )
            if folder == "course":
                yield from (
                    (f"{folder}/{path.name}", None, what, REMEDY)
                    for what in wrong_next(path.stem, cells, course)
                )
    for path in _texts(root):
        name, text = path.relative_to(root).as_posix(), path.read_text(encoding="utf-8")
        yield from ((name, None, what, REMEDY) for what in wrong(text, course))
        yield from ((name, None, what, REMEDY) for what in wrong_place(name, text))
    glossary = root / "course" / "glossary.md"
    if course.titles and glossary.exists():
        yield from (
            (f"course/{glossary.name}", None, what, REMEDY)
            for what in wrong_terms(glossary.read_text(encoding="utf-8"), chapters)
        )


def wrong(text: str, course: Course) -> Iterator[str]:
    """Yield what a text says of chapters and labs that is not so."""
    for kind, numbers in MENTION.findall(text):
        for number in re.findall(r"\d\d", numbers):
            if not course.has(kind.lower(), number):
                yield f"speaks of {kind.lower()} {number}, which is not there"
    for folder, stem in FILE.findall(text):
        if stem not in course.files[folder]:
            yield f"names {folder}/{stem}.ipynb, which is not there"
    for label, number, name in LINK.findall(text):
        named = NAMED.fullmatch(label)
        if not named:
            continue
        if named[1] != number:
            yield f"its link to {number}_{name}.ipynb says {named[1]}"
        title = "" if "lab" in label.lower() else course.titles.get(number, "")
        if title and named[1] == number and not title.startswith(named[2]):
            yield f"calls chapter {number} {named[2]!r}; its title is {title!r}"


def wrong_next(stem: str, cells: list[str], course: Course) -> Iterator[str]:
    """Yield what a chapter's last section says of what comes next, if it is something else."""
    number, order = stem[:2], course.order
    text = next((cell for cell in cells if re.search(r"^## Next$", cell, re.MULTILINE)), "")
    after = text.partition("## Next")[2]
    labs = [found for kind, found in MENTION.findall(after) if kind.lower() == "lab"]
    if labs and labs[0] != number:
        yield f"sends its reader to lab {labs[0]}, not to {number}"
    if number not in order or number == order[-1]:
        return
    following = order[order.index(number) + 1]
    first = re.search(r"\bchapter \[?(\d\d)", after, re.IGNORECASE)
    if first and first[1] != following:
        yield f"goes on with chapter {first[1]}, where {following} is next"


def wrong_place(name: str, text: str) -> Iterator[str]:
    """Yield where an exercise's first line has another lab or number than its file."""
    place, own = re.search(r"/lab(\d\d)/(?:e(\d)_)?", name), OWN.search(text)
    if place and own and (own[1] != place[1] or own[2] and own[2] != place[2]):
        yield f"says {own[0][3:]!r} of itself"


def wrong_terms(glossary: str, chapters: dict[str, str]) -> Iterator[str]:
    """Yield the terms that send a reader to one chapter which does not use them.

    chapters: the texts by number, in lower case.
    """
    for anchor, title, body in TERM.findall(glossary):
        words = {anchor, title.lower(), title.split()[-1].lower()[:6]}  # "satura": saturates
        for number in re.findall(r"\(chapter (\d\d)\)", body):
            text = chapters.get(number, "")
            if f"#{anchor}" not in text and not any(word in text for word in words):
                yield f"sends readers for {title!r} to chapter {number}, where it does not occur"


def _cells(path: Path) -> list[str]:
    """Return the sources of a notebook's cells; JSON, since validating it takes the most time."""
    try:
        cells = json.loads(path.read_text(encoding="utf-8"))["cells"]
    except (ValueError, KeyError):
        return []  # rules.py says that it is not a notebook
    return ["".join(cell["source"]) for cell in cells]


def _texts(root: Path) -> Iterator[Path]:
    for folder, patterns in (
        (root, ("*.md",)),
        (root / "docs", ("*.md",)),
        (root / "course", ("*.md",)),
        (root / "src", ("*.py", "*.cu", "*.cuh")),
    ):
        for pattern in patterns:
            yield from sorted(
                folder.rglob(pattern) if folder.name == "src" else folder.glob(pattern)
            )
