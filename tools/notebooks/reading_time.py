"""How long a chapter or a lab takes, all of it and on first reading, by one rule.

A reader takes 150 words of prose a minute and seven seconds a line of code, whether it stands in
the cell or is shown by it; a minute for each prediction and three for each picture with controls.
A lab takes on top of that five minutes an exercise, to see what is asked and to run the checks, and
a minute in place of the seven seconds for each line of its solution.

A first reading skips a section if a chapter's box names it, by the first words of its title in
quotation marks, or if it begins with "*Skip on first reading.*" itself. An exercise that can wait
begins with "*Extra.*".
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator

import nbformat
from nbformat import NotebookNode

from convladder.journal.course_index import minutes_of, noted_predictions

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


OPENING = ""  # the name of what stands before the first heading

_SECTION = re.compile(r"^## +(.+)$", re.MULTILINE)


def sections(nb: NotebookNode) -> dict[str, list[NotebookNode]]:
    """Return the cells under each heading of the second level, in order; `OPENING` comes first.

    A cell of text in which a heading stands further down is cut in two there.
    """
    found: dict[str, list[NotebookNode]] = {OPENING: []}
    name = OPENING
    for cell in nb.cells:
        if cell.cell_type != "markdown":
            found[name].append(cell)
            continue
        text, begin = cell.source, 0
        for match in _SECTION.finditer(text):
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
