"""How long a chapter or a lab takes, by one rule, from what there is to read and to do.

A reader takes 150 words of prose a minute and seven seconds a line of code, whether it stands in
the cell or is shown by it; a minute for each prediction and three for each picture with controls.
A lab takes on top of that five minutes an exercise, to see what is asked and to run the checks, and
a minute in place of the seven seconds for each line of its solution.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from nbformat import NotebookNode

from convladder.outline import minutes_of, noted_predictions

from .bars import REMEDY, is_bar
from .code import explores
from .labs import marked_blocks

WORDS_A_MINUTE = 150
SECONDS_A_LINE = 7
PREDICTION, WIDGET = 1, 3  # minutes
EXERCISE, SOLUTION_LINE = 5, 1  # minutes
HEAD = 5  # cells in which the box may stand
STEP = 5  # minutes to which a time is rounded, and by which a box may differ
LONG = 75  # minutes, beyond which a chapter names what to skip on first reading
SKIP = re.compile(r"first reading", re.IGNORECASE)

_BOX = re.compile(r"(\*\*Time\*\* )(?:about )?(?:\d+ to )?\w+ (?:minutes?|hours?)")
_FENCE = re.compile(r"^```.*?^```", re.MULTILINE | re.DOTALL)
_LINK = re.compile(r"\]\([^)]*\)")
_TAG = re.compile(r"<[^>]+>")
_WORD = re.compile(r"[^\W_][\w'’.,-]*")
_SHOWN = ("show", "show_changes", "excerpt")


def minutes(nb: NotebookNode) -> int:
    """Return the minutes that a chapter or a solved lab takes, rounded to five."""
    words = lines = predictions = widgets = exercises = solution = 0
    for cell in nb.cells:
        if cell.cell_type == "markdown":
            if not is_bar(cell):
                words += _words(cell.source)
                lines += sum(map(_code_lines, _FENCE.findall(cell.source)))
            continue
        lines += _code_lines(cell.source) + sum(map(_code_lines, _shown(cell)))
        predictions += len(noted_predictions(cell.source))
        widgets += explores(cell) is not None
        blocks = marked_blocks(cell.source)
        exercises += bool(blocks)
        solution += sum(map(_code_lines, blocks))
        lines -= sum(map(_code_lines, blocks))
    taken = (
        words / WORDS_A_MINUTE
        + lines * SECONDS_A_LINE / 60
        + predictions * PREDICTION
        + widgets * WIDGET
        + exercises * EXERCISE
        + solution * SOLUTION_LINE
    )
    return max(STEP, STEP * round(taken / STEP))


def time_findings(nb: NotebookNode, name: str) -> Iterator[tuple[str, str]]:
    """Yield (what, remedy) where the box of a chapter or a solution says another time, or a long
    chapter does not say what to skip. name: "folder/NN_name.ipynb".
    """
    head = "\n".join(cell.source for cell in nb.cells[:HEAD] if cell.cell_type == "markdown")
    said, ruled = minutes_of(head), minutes(nb)
    if said is None:
        yield "its box says no time", f"write **Time** {ruled} minutes"
    elif abs(said - ruled) > STEP:
        yield f"its box says {said} minutes, the rule {ruled}", REMEDY
    if name.startswith("course/") and ruled > LONG and not SKIP.search(head):
        yield (f"takes {ruled} minutes", "let its box name what to skip on first reading")


def with_time(nb: NotebookNode) -> NotebookNode:
    """Return the notebook, in place, with the rule's minutes in its box, where that is off."""
    ruled = minutes(nb)
    for cell in nb.cells[:HEAD]:
        said = minutes_of(cell.source) if cell.cell_type == "markdown" else None
        if said is not None and abs(said - ruled) > STEP:
            cell.source = _BOX.sub(rf"\g<1>{ruled} minutes", cell.source, count=1)
    return nb


def _words(text: str) -> int:
    plain = _TAG.sub(" ", _LINK.sub("]", _FENCE.sub(" ", text)))
    return len(_WORD.findall(plain))


def _code_lines(text: str) -> int:
    return sum(bool(line.strip()) and not line.startswith("```") for line in text.splitlines())


def _shown(cell: NotebookNode) -> Iterator[str]:
    """Yield the sources that a cell shows."""
    if any(f"{name}(" in cell.source for name in _SHOWN):
        for output in cell.get("outputs", []):
            if "text/markdown" in output.get("data", {}):
                yield output.data["text/plain"]
