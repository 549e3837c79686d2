"""A notebook cut at its headings: sections of prose and cells, in order."""

from __future__ import annotations

import re
from dataclasses import dataclass, field

from nbformat import NotebookNode

HEADING = re.compile(r"^(#{1,3}) +(.+?)\s*$", re.MULTILINE)
FENCE = re.compile(r"^```.*?^```$", re.MULTILINE | re.DOTALL)
BAR = "bar"  # the tag of the cells that lead to other notebooks


@dataclass
class Section:
    """A heading with what stands under it. level: 1 for the chapter itself, 2 or 3 within it."""

    title: str
    level: int
    parts: list[str | NotebookNode] = field(default_factory=list)  # prose, or a code cell


def sections(nb: NotebookNode) -> list[Section]:
    """Return the sections of a chapter; the first is the chapter's own title and introduction."""
    found: list[Section] = []
    for cell in nb.cells:
        if BAR in cell.metadata.get("tags", []):
            continue
        if cell.cell_type == "markdown":
            for title, level, text in _cut(cell.source):
                if level or not found:
                    found.append(Section(title, level or 1))
                if text:
                    found[-1].parts.append(text)
        elif cell.cell_type == "code" and found:
            found[-1].parts.append(cell)
    return found


def _cut(source: str) -> list[tuple[str, int, str]]:
    """Return (title, level, text below it) of each piece; level 0 of what has no heading."""
    code = [match.span() for match in FENCE.finditer(source)]
    heads = [
        match
        for match in HEADING.finditer(source)
        if not any(begin <= match.start() < end for begin, end in code)
    ]
    ends = [*(head.start() for head in heads[1:]), len(source)][: len(heads)]
    pieces = [("", 0, source[: heads[0].start() if heads else len(source)].strip())]
    pieces += [
        (head[2], len(head[1]), source[head.end() : end].strip())
        for head, end in zip(heads, ends, strict=True)
    ]
    return [piece for piece in pieces if piece[1] or piece[2]]
