"""The shorter path through a chapter or a lab: which sections can wait, and what that leaves.

A section is skipped on first reading if a chapter's box names it, by the first words of its title
in quotation marks, or if it begins with "*Skip on first reading.*" itself. An exercise that can
wait begins with "*Extra.*" Both times, of all and of what is left, are the rule's.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from nbformat import NotebookNode

from convladder.outline import minutes_of

from .bars import REMEDY
from .reading_time import HEAD, LONG, SKIP, STEP, minutes
from .sections import minutes_of_sections, sections

_LEFT = re.compile(r"(\bleaves )(\d+)( minutes)")
_NAME = re.compile(r'"([^"]+)"')
_MARK = re.compile(r"\*\(?(?:Skip on first reading|Extra)\.\)?\*")


def skipped(nb: NotebookNode) -> list[str]:
    """Return the titles of the sections that a first reading leaves out, in their order."""
    named = _named(nb)
    return [
        title
        for title, cells in sections(nb).items()
        if title
        and (title.startswith(named) or any(_begins_with_mark(cell, title) for cell in cells[:1]))
    ]


def minutes_left(nb: NotebookNode) -> int:
    """Return the minutes that a first reading takes, rounded to five."""
    left_out = set(skipped(nb))
    return minutes_of_sections(nb, [title for title in sections(nb) if title not in left_out])


def path_findings(nb: NotebookNode, name: str) -> Iterator[tuple[str, str]]:
    """Yield (what, remedy) where the box of a chapter or a solution names no section that is there,
    or tells another time than the rule for what is left, or one that saves nothing; where a long
    chapter tells none.
    name: "folder/NN_name.ipynb".
    """
    for each in _named(nb):
        if not any(title.startswith(each) for title in sections(nb)):
            yield f"its box skips “{each}”, and no section is called so", "name one as it begins"
    said = _LEFT.search(_box(nb))
    if said is None:
        if name.startswith("course/") and minutes(nb) > LONG:
            yield (
                "its box does not say how long a first reading takes",
                f"end what it skips with: That leaves {minutes_left(nb)} minutes.",
            )
    elif skipped(nb) and int(said[2]) >= (minutes_of(_box(nb)) or LONG):
        yield f"its box skips sections, and leaves {said[2]} minutes all the same", "skip more"
    elif abs(int(said[2]) - minutes_left(nb)) > STEP:
        yield (f"its box says that {said[2]} minutes are left, the rule {minutes_left(nb)}", REMEDY)


def with_path(nb: NotebookNode) -> NotebookNode:
    """Return the notebook, in place, with the rule's minutes of its shorter path."""
    for cell in nb.cells[:HEAD]:
        said = _LEFT.search(cell.source) if cell.cell_type == "markdown" else None
        if said is not None and abs(int(said[2]) - minutes_left(nb)) > STEP:
            cell.source = _LEFT.sub(rf"\g<1>{minutes_left(nb)}\g<3>", cell.source, count=1)
    return nb


def _box(nb: NotebookNode) -> str:
    return "\n".join(cell.source for cell in nb.cells[:HEAD] if cell.cell_type == "markdown")


def _named(nb: NotebookNode) -> tuple[str, ...]:
    lines = [line for line in _box(nb).splitlines() if SKIP.search(line)]
    return tuple(name for line in lines for name in _NAME.findall(line[SKIP.search(line).end() :]))


def _begins_with_mark(cell: NotebookNode, title: str) -> bool:
    below = cell.source.partition(title)[2].lstrip()
    return cell.cell_type == "markdown" and _MARK.match(below) is not None
