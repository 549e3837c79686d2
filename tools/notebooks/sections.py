"""A notebook cut at its headings: what stands under each, and how long a part of it takes."""

from __future__ import annotations

import re
from collections.abc import Iterable

import nbformat
from nbformat import NotebookNode

from .reading_time import minutes

HEAD = ""  # the name of what stands before the first heading

_HEADING = re.compile(r"^## +(.+)$", re.MULTILINE)


def sections(nb: NotebookNode) -> dict[str, list[NotebookNode]]:
    """Return the cells under each heading of the second level, in order; `HEAD` comes first.

    A cell of text in which a heading stands further down is cut in two there.
    """
    found: dict[str, list[NotebookNode]] = {HEAD: []}
    name = HEAD
    for cell in nb.cells:
        if cell.cell_type != "markdown":
            found[name].append(cell)
            continue
        text, begin = cell.source, 0
        for match in _HEADING.finditer(text):
            if text[begin : match.start()].strip():
                found[name].append(_part(cell, text[begin : match.start()]))
            name, begin = match[1].strip(), match.start()
            found.setdefault(name, [])
        found[name].append(_part(cell, text[begin:]))
    return found


def minutes_of_sections(nb: NotebookNode, names: Iterable[str]) -> int:
    """Return the minutes that these sections take by the rule of `reading_time`, rounded to five.

    Raises KeyError with the name of a section that the notebook has not.
    """
    there = sections(nb)
    part = nbformat.from_dict(dict(nb))
    part.cells = [cell for name in names for cell in there[name]]
    return minutes(part)


def _part(cell: NotebookNode, text: str) -> NotebookNode:
    part = nbformat.from_dict(dict(cell))
    part.source = text
    return part
