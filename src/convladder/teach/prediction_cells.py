"""Cells that ask for a prediction: its number is read as people write it, and noted."""

from __future__ import annotations

import ast
import re
from html import escape
from typing import Any

from ..journal import GUESSED, OPENED, cell_digest, journal_path, tell
from ..journal.course_index import noted_predictions
from ..journal.event import number
from . import disturbed_cells, running_cell
from .table import number_text
from .versus import short_repr

MARK = "_convladder_noted"
_LINE = re.compile(r"^(prediction\w*\s*=\s*)([^#\n]+?)(\s*(?:#.*)?)$")
# What people write for a number: 1,000 · 50 % · 3x · ~20 times · 31.4 MB
_NUMBER = re.compile(
    r"[~≈]?\s*(-?(?:\d{1,3}(?:,\d{3})+|\d[\d_]*)?(?:\.\d+)?(?:[eE][-+]?\d+)?)"
    r"\s*(?:[%×]|[^\W\d_][\w/]*)?"
)
_STYLE = (
    "border-left: 4px solid {}; padding: 2px 0 2px 12px; margin: 4px 0; "
    "color: var(--jp-ui-font-color1, inherit)"
)


class NotedPrediction:
    """The prediction that was written down, and its question; or a note that nothing was."""

    def __init__(self, name: str, value: Any, question: str) -> None:
        self.name, self.value, self.question = name, value, question

    @property
    def accepted(self) -> bool:
        """Return whether it is a number to compare with."""
        return number(self.value) is not None

    def __repr__(self) -> str:
        if self.accepted:
            return (
                f"Your prediction, {number_text(self.value)}, is noted. Read on to see how "
                "close it is."
            )
        if self.value is ...:
            return (
                f"There is no number in {self.name} yet. Put one in place of the `...` and run "
                "this cell again; a guess will do."
            )
        return (
            f"{self.name} = {short_repr(self.value)} is not a number: write it as 50, 0.5 or 1_000."
        )

    def _repr_html_(self) -> str:
        text = escape(repr(self)).replace("`...`", "<code>...</code>")
        if self.accepted:
            text = text.replace(value := escape(number_text(self.value)), f"<b>{value}</b>", 1)
        style = _STYLE.format("#0072b2" if self.accepted else "#8c8c8c")
        return f'<div style="{style}">{text}</div>'


def begin(shell: Any) -> None:
    """Note from now on each prediction that a cell of this kernel makes, and that the notebook was
    opened; tell what takes long, and interrupts. Does nothing the second time."""
    if MARK in shell.user_ns_hidden:
        return
    shell.user_ns_hidden[MARK] = {}
    shell.input_transformers_cleanup.append(read_numbers)
    running_cell.show_progress_line(shell)
    running_cell.explain_interrupts(shell)
    disturbed_cells.listen(shell)
    shell.events.register("post_run_cell", lambda result: show_predictions(shell, result))
    tell(OPENED)


def show_predictions(shell: Any, result: Any) -> None:
    """Say below a cell what it noted, and note it in the journal. Never raises."""
    from IPython.display import display

    try:
        cell = result.info.raw_cell
        if "prediction" not in cell or not result.success:
            return
        for name, question in noted_predictions("".join(read_numbers([*_lines(cell)]))).items():
            noted = NotedPrediction(name, shell.user_ns.get(name, ...), question)
            if (
                noted.value is not ... or journal_path() is not None
            ):  # a page without a reader stays bare
                display(noted)
            if noted.accepted:
                _note_in_journal(shell, cell, noted)
    except Exception:
        pass


def _note_in_journal(shell: Any, cell: str, noted: NotedPrediction) -> None:
    """Note in the journal a guess that is new. The cell is known by its text with `...` in it."""
    asked = "".join(_as_asked(line) for line in _lines(cell))
    noticed = shell.user_ns_hidden.get(MARK)
    if isinstance(noticed, dict) and noticed.get((asked, noted.name)) != noted.value:
        noticed[asked, noted.name] = noted.value
        tell(GUESSED, what=noted.question, prediction=noted.value, cell=cell_digest(asked))


def _as_asked(line: str) -> str:
    bare = line.rstrip("\n")
    found = _LINE.match(bare)
    return f"{found[1]}...{found[3]}{line[len(bare) :]}" if found else line


def read_numbers(lines: list[str]) -> list[str]:
    """Return a cell's lines with predictions as Python has them: "50 %" as 50, "1,000" as 1000."""
    return [_read(line) if line.startswith("prediction") else line for line in lines]


def _read(line: str) -> str:
    bare = line.rstrip("\n")
    found = _LINE.match(bare)
    if not found or _is_python(found[2]):
        return line
    number = _NUMBER.fullmatch(found[2])
    if not number or not any(letter.isdigit() for letter in number[1]):
        return line
    return f"{found[1]}{number[1].replace(',', '')}{found[3]}{line[len(bare) :]}"


def _is_python(text: str) -> bool:
    try:
        return not isinstance(ast.parse(text, mode="eval").body, ast.Tuple)
    except SyntaxError:
        return False


def _lines(cell: str) -> list[str]:
    return cell.splitlines(keepends=True)
