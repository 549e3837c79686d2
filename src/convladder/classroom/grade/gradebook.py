"""The instructor's own export of a grade book, with one column filled and all else as it was."""

from __future__ import annotations

import csv
import io
import re
from dataclasses import dataclass, field
from pathlib import Path

from .submissions import Submission

CANVAS, MOODLE = "Canvas", "Moodle"
# What names a learner, the surest first.
_WHO = {
    CANVAS: ("ID", "SIS User ID", "SIS Login ID", "Student"),
    MOODLE: ("Identifier", "Email address", "Username", "ID number", "Full name"),
}
_NEEDED = {CANVAS: ("Student", "ID"), MOODLE: ()}


class GradebookError(Exception):
    """An export that cannot be filled; the text says why, and what to do."""


@dataclass
class Gradebook:
    """An export as it was read: rows of cells, and how it was written."""

    path: Path
    kind: str
    rows: list[list[str]]
    dialect: type[csv.Dialect]
    encoding: str
    newline: str
    notes: list[str] = field(default_factory=list)

    @property
    def header(self) -> list[str]:
        return self.rows[0]

    @property
    def learners(self) -> list[list[str]]:
        """Return the rows that are learners'."""
        return [row for row in self.rows[1:] if row and not self._special(row)]

    def column(self, lab: int | None, title: str | None) -> int:
        """Return the place of the column to fill: `title`, or the one that names the lab.

        Raises GradebookError.
        """
        free = [name for i, name in enumerate(self.header) if self._may_be_filled(i)]
        if title is not None:
            found = [
                i
                for i, name in enumerate(self.header)
                if title in (name, re.sub(r" \(\d+\)$", "", name))
            ]
        elif self.kind == MOODLE and "Grade" in self.header:
            found = [self.header.index("Grade")]
        else:
            found = [
                i
                for i, name in enumerate(self.header)
                if name in free and lab is not None and lab_named(name) == lab
            ]
        if len(found) == 1 and self.header[found[0]] in free:
            return found[0]
        wanted = (
            f"named {title!r}"
            if title is not None
            else "for the lab"
            if lab is None
            else (f"for lab {lab:02}")
        )
        many = "more than one" if len(found) > 1 else "no" if not found else "only a read-only"
        raise GradebookError(
            f"{self.path.name} has {many} column {wanted}: name one "
            f"with --column; it has {', '.join(map(repr, free)) or 'none to fill'}"
        )

    def points(self, column: int, row: list[str]) -> float | None:
        """Return how many points are to be had, None where the export does not say."""
        if self.kind == MOODLE:
            place = self._place("Maximum Grade", "Maximum grade")
            return None if place is None else _number(_cell(row, place))
        for special in self.rows[1:4]:
            if special and special[0].strip() == "Points Possible":
                return _number(_cell(special, column))
        return None

    def match(self, one: Submission) -> tuple[list[str] | None, str]:
        """Return the row of a learner, or None and why."""
        names = {one.id, one.key, one.name} - {""}
        if self.kind == MOODLE and one.id:
            names.add(f"Participant {one.id}")
        for title in _WHO[self.kind]:
            place = self._place(title)
            rows = (
                []
                if place is None
                else [row for row in self.learners if _cell(row, place) in names]
            )
            if len(rows) == 1:
                return rows[0], ""
            if rows:
                return None, f"{len(rows)} rows have the same {title}"
        if not one.id:
            rows = [
                row
                for row in self.learners
                if _squeezed(self._full_name(row)) & {_plain(name) for name in names}
            ]
            if len(rows) == 1:
                return rows[0], ""
            if rows:
                return None, f"{len(rows)} rows have this name"
        return None, "no row of the export is theirs"

    def name(self, row: list[str]) -> str:
        """Return what a row calls its learner."""
        return self._full_name(row) or next(filter(None, row), "?")

    def fill(self, row: list[str], column: int, value: float) -> None:
        """Put a number into a row; nothing else is ever written."""
        while len(row) <= column:
            row.append("")
        row[column] = f"{value:.2f}".rstrip("0").rstrip(".")

    def write(self, path: Path) -> None:
        """Write it in the form in which it was read. Raises OSError."""
        text = io.StringIO(newline="")
        csv.writer(text, self.dialect, lineterminator=self.newline).writerows(self.rows)
        path.write_bytes(text.getvalue().encode(self.encoding))

    def _special(self, row: list[str]) -> bool:
        if self.kind == MOODLE:
            return False
        return (
            row[0].strip() == "Points Possible"
            or not _cell(row, self._place("ID"))
            and (not row[0].strip() or row[0].strip() == "Student, Test")
        )

    def _may_be_filled(self, place: int) -> bool:
        name = self.header[place]
        if self.kind == MOODLE:
            return (
                name == "Grade"
                or name not in _WHO[MOODLE]
                and bool(re.search(r"\(Real\)|\(Percentage\)", name))
            )
        if name in (*_WHO[CANVAS], "Section", "Integration ID", "Root Account", ""):
            return False
        return not any(_cell(row, place).strip() == "(read only)" for row in self.rows[1:4])

    def _full_name(self, row: list[str]) -> str:
        for title in ("Student", "Full name"):
            if (place := self._place(title)) is not None:
                return _cell(row, place)
        parts = [self._place("First name"), self._place("Last name", "Surname")]
        return " ".join(_cell(row, place) for place in parts if place is not None)

    def _place(self, *titles: str) -> int | None:
        return next((self.header.index(title) for title in titles if title in self.header), None)


def read(path: Path, kind: str) -> Gradebook:
    """Return the export at `path`, of Canvas or Moodle. Raises GradebookError."""
    try:
        data = path.read_bytes()
    except FileNotFoundError:
        raise GradebookError(f"there is no {path}") from None
    except OSError as error:
        raise GradebookError(f"{path} cannot be read: {error.strerror}") from None
    encoding = "utf-8-sig" if data.startswith(b"\xef\xbb\xbf") else "utf-8"
    try:
        text = data.decode(encoding)
    except UnicodeDecodeError:
        raise GradebookError(
            f"{path.name} is not UTF-8 text: export it as CSV, not as a spreadsheet"
        ) from None
    newline = "\r\n" if "\r\n" in text else "\n"
    first = text.split("\n", 1)[0]
    dialect = type(
        "Export",
        (csv.excel,),
        {"delimiter": max(",;\t", key=first.count), "lineterminator": newline},
    )
    try:
        rows = list(csv.reader(io.StringIO(text, newline=""), dialect, strict=True))
    except csv.Error as error:
        raise GradebookError(f"{path.name} is no CSV: {error}") from None
    header = rows[0] if rows else []
    known = [title for title in _WHO[kind] if title in header] or (
        kind == MOODLE and "First name" in header
    )
    missing = [title for title in _NEEDED[kind] if title not in header]
    if missing or not known:
        raise GradebookError(
            f"{path.name} is no export of {kind}'s grade book: its first row has no "
            f"{', '.join(missing or _WHO[kind][:2])}"
        )
    return Gradebook(path, kind, rows, dialect, encoding, newline)


def lab_named(title: str) -> int | None:
    """Return the number of the lab that a column's title names: "Lab 03 (4711)", "03_mec"."""
    found = re.search(r"\b(?:lab|assignment)\W*(\d{1,3})\b|^(\d\d)[_ ]", title, re.I)
    return int(found[1] or found[2]) if found else None


def points_of(passed: int, of: int, possible: float | None) -> float:
    """Return the points for so many exercises: a share of what is possible, else their number."""
    return passed if possible is None else round(possible * passed / of, 2)


def safe_cell(text: str) -> str:
    """Return text for a cell of a table of our own, in which no spreadsheet sees a formula."""
    return f"'{text}" if text[:1] in ("=", "+", "-", "@", "\t", "\r") else text


def _cell(row: list[str], place: int | None) -> str:
    return row[place] if place is not None and place < len(row) else ""


def _number(text: str) -> float | None:
    try:
        value = float(text.strip().replace(",", "."))
    except ValueError:
        return None
    return value if 0 < value < 1e6 else None


def _plain(name: str) -> str:
    return "".join(filter(str.isalnum, name)).casefold()


def _squeezed(name: str) -> set[str]:
    """Return the forms of a name that files have: "Doe, Jane" is also doejane and janedoe."""
    parts = re.split(r"[,\s]+", name.strip())
    return {
        _plain(name),
        _plain("".join(parts[1:] + parts[:1])),
        _plain("".join(parts[-1:] + parts[:-1])),
    } - {""}
