"""The bars at top and foot of every notebook: the one before · lab · solution · the next · map.

They follow from the names of the files alone. A lab's is its solution's, word for word.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from nbformat import NotebookNode
from nbformat.v4 import new_markdown_cell

from convladder.journal.course_index import DEEPER, Chapter, CourseNotebook, chapters

BAR = "bar"  # the tag of such a cell
REMEDY = "run `python -m tools notebooks bars`"


def is_bar(cell: NotebookNode) -> bool:
    """Return whether a cell is a bar."""
    return BAR in cell.metadata.get("tags", [])


def bar(path: Path) -> str:
    """Return the bar of the notebook at `path`, as Markdown."""
    if path.parent.name == Path(DEEPER).name:
        return _back(path)
    course = chapters(path.parents[1])
    at = next((n for n, each in enumerate(course) if each.page.path.name == path.name), None)
    if at is None:
        return f"[Map]({_to(path, course[0].page)})" if course else ""
    in_course = path.parent.name == "course"
    before = course[at - 1] if in_course and at else None if in_course else course[at]
    after = course[at + 1] if at + 1 < len(course) else None
    return " · ".join(_links(path, before, course[at], after, course[0]))


def _back(path: Path) -> str:
    """Return the bar of an optional notebook: the way back to its chapter."""
    course = chapters(path.parents[2])
    own = next(each.page for each in course if each.page.number == path.name[:2])
    return f"[← {_label(own)}](../{own.path.name}) · [Map](../{course[0].page.path.name})"


def _links(
    path: Path, before: Chapter | None, own: Chapter, after: Chapter | None, first: Chapter
) -> Iterator[str]:
    if before is not None:
        yield f"[← {_label(before.page)}]({_to(path, before.page)})"
    if own.lab is not None:
        yield f"[Lab {own.lab.number}]({_to(path, own.lab)})"
    if own.solution is not None:
        yield f"[Solution]({_to(path, own.solution)})"
    if after is not None:
        yield f"[{_label(after.page)} →]({_to(path, after.page)})"
    yield "**Map**" if path == first.page.path else f"[Map]({_to(path, first.page)})"


def with_bars(nb: NotebookNode, text: str) -> NotebookNode:
    """Return the notebook, in place, with the bar `text` behind its title and at its end."""
    cells = [cell for cell in nb.cells if not is_bar(cell)]
    nb.cells = [*cells[:1], _cell(text), *cells[1:], _cell(text)]
    return nb


def bar_findings(nb: NotebookNode, path: Path) -> Iterator[tuple[str, str]]:
    """Yield (what, remedy) where a notebook has not its two bars."""
    text = bar(path)
    bars = [number for number, cell in enumerate(nb.cells) if is_bar(cell)]
    if bars != [1, len(nb.cells) - 1]:
        yield "has not a bar behind its title and at its end", REMEDY
    elif any(nb.cells[number].source != text for number in bars):
        yield "its bars are not what the files give", REMEDY


def _label(page: CourseNotebook) -> str:
    return f"{page.number} {page.name}"


def _to(path: Path, page: CourseNotebook) -> str:
    """Return how one page leads to another. A lab and its solution have the same words."""
    beside = path.parent.name == page.folder == "course"
    return page.path.name if beside else f"../{page.folder}/{page.path.name}"


def _cell(text: str) -> NotebookNode:
    return new_markdown_cell(text, metadata={"tags": [BAR]})
