"""The measured values in classroom/guide, each as its chapter stores it.

A page asks the room what `prediction = ...  # comment` asks, with the comment for a heading. If its
answer begins with bold text, "- *Answer.* **1.06 times**", that is the chapter's stored value.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from pathlib import Path

from convladder.journal.course_index import noted_predictions

from .notebook import find, read

_COMPARISON = re.compile(r"versus\(\s*(prediction\w*)")
_ACTUAL = re.compile(r"\bactual\s+(-?\d\S*?(?: [^.]+?)?)\.\s")
_ANSWER = re.compile(r"(^### (.+)\n\nIn “[^”]+”\.\n\n- \*Answer\.\* \*\*)[^*]+", re.MULTILINE)


def stored_values(chapter: Path) -> Iterator[tuple[str, str, bool]]:
    """Yield what each prediction asks, the value with its unit, and whether nbval compares it."""
    asked: dict[str, str] = {}
    for cell in read(chapter).cells:
        if cell.cell_type != "code":
            continue
        asked |= noted_predictions(cell.source)
        names = [name for name in _COMPARISON.findall(cell.source) if name in asked]
        shown = " ".join(each.get("data", {}).get("text/plain", "") for each in cell.outputs)
        values = _ACTUAL.findall(shown)
        if len(names) == len(values):
            compared = "nbval-ignore-output" not in cell.metadata.get("tags", [])
            yield from ((asked[name], value, compared) for name, value in zip(names, values))


def with_values(page: str, chapter: Path) -> str:
    """Return a page of the guide whose bold answers are the chapter's stored values.

    Raises KeyError with the heading of a bold answer for which the chapter stores none.
    """
    values: dict[str, str] = {}
    for question, value, _ in stored_values(chapter):
        values.setdefault(question, value)  # a chapter may come back to a prediction
    return _ANSWER.sub(lambda found: found[1] + values[found[2]], page)


def write_guide(root: Path, say: Callable[[str], None] = lambda line: None) -> None:
    """Write the stored values into all pages of the guide."""
    for chapter in find(root, "course"):
        path = root / "classroom" / "guide" / f"{chapter.stem}.md"
        page = path.read_text(encoding="utf-8")
        if (new := with_values(page, chapter)) != page:
            path.write_text(new, encoding="utf-8")
            say(f"classroom/guide/{path.name}: written")
