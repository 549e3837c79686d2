"""`submitted/<learner>/<lab>.ipynb` in, `grades.csv` and one page out."""

from __future__ import annotations

import csv
import errno
import os
import unicodedata
from collections.abc import Callable, Iterator
from html import escape
from pathlib import Path

from .jail import Jail
from .marking import Marks, code_cells, exercises_of, mark, staged

PAGE = """<!doctype html>
<html lang="en"><head><meta charset="utf-8"><title>Marks</title>
<meta name="viewport" content="width=device-width, initial-scale=1">
<style>
:root { color-scheme: light dark; font: 1rem/1.5 system-ui, sans-serif; }
body { max-width: 70rem; margin: 1rem auto; padding: 0 1rem; }
table { border-collapse: collapse; } td, th { text-align: left; vertical-align: top;
  padding: .2rem 1rem .2rem 0; border-top: 1px solid #8888; overflow-wrap: anywhere; }
</style></head><body><h1>Marks</h1>
<p>Values were judged on secret cases outside the learner's process. Memory, counts and the way in
which a result came about are the process's own word, and are not in these marks.</p>
"""


def submissions(folder: Path, labs: dict[str, Path]) -> Iterator[tuple[str, str, Path]]:
    """Yield learner, lab, path: one file at a time, no archive is opened, no link followed."""
    for learner in sorted(folder.iterdir()):
        if learner.is_symlink() or not learner.is_dir():
            continue
        if not os.access(learner, os.R_OK | os.X_OK):
            raise PermissionError(errno.EACCES, "cannot be read", str(learner))
        for path in sorted(learner.glob("*.ipynb")):
            if path.stem in labs and not path.is_symlink() and path.is_file():
                yield learner.name, path.stem, path


def mark_all(
    folder: Path, labs: dict[str, Path], secret: int, say: Callable[[str], None], out: Path
) -> list[Marks]:
    """Return the marks of all notebooks in a folder of learners' folders.

    They are written to `out` after each, so that no crash loses hours. Raises JailError, OSError.
    """
    found: list[Marks] = []
    for learner, lab, path in submissions(folder, labs):
        if not found:
            Jail.rehearse(staged(labs[lab]))
        try:
            cells = code_cells(path)
        except ValueError as error:
            unread = dict.fromkeys(exercises_of(labs[lab]), f"could not be read: {error}")
            found.append(Marks(learner, lab, unread))
        else:
            found.append(Marks(learner, lab, *mark(cells, labs[lab], secret)))
        write(found, out)
        marks = found[-1]
        say(f"{clean(learner)}  {lab}  {marks.passed} of {len(marks.verdicts)}")
    return found


def write(found: list[Marks], folder: Path) -> list[Path]:
    """Write `grades.csv` and `grades.html`; return their paths. Raises OSError."""
    folder.mkdir(parents=True, exist_ok=True)
    table, page = folder / "grades.csv", folder / "grades.html"
    with table.open("w", newline="", encoding="utf-8") as file:
        rows = csv.writer(file)
        rows.writerow(["learner", "lab", "exercise", "passed", "verdict"])
        for marks in found:
            for name, verdict in marks.verdicts.items():
                passed = int(verdict == "passed")
                row = [marks.learner, marks.lab, name, passed, verdict]
                rows.writerow([cell(each) for each in row])
    parts = [PAGE]
    for marks in found:
        title = f"{marks.learner}, {marks.lab}: {marks.passed} of {len(marks.verdicts)}"
        lines = [
            f"<tr><td>{escape(a)}</td><td>{escape(clean(b))}</td></tr>"
            for a, b in marks.verdicts.items()
        ]
        notes = [f"<p>{escape(clean(note))}</p>" for note in marks.notes]
        parts += [f"<h2>{escape(clean(title))}</h2><table>", *lines, "</table>", *notes]
    page.write_text("\n".join([*parts, "</body></html>\n"]), encoding="utf-8")
    return [table, page]


def cell(value: object) -> object:
    """Return the value in a form that a spreadsheet shows and doesn't run."""
    text = clean(str(value))
    return f"'{text}" if text[:1] in "=+-@" and not isinstance(value, int) else text


def clean(text: str) -> str:
    """Return a text on one line, without control characters."""
    return "".join(c if unicodedata.category(c)[0] != "C" else " " for c in text[:400])
