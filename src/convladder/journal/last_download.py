"""Which folder holds the course; a note beside the journal names the last copy of it."""

from __future__ import annotations

from contextlib import suppress
from pathlib import Path

from ..core.install import command_text
from .course_index import COPY, START
from .location import journal_path

CHECKOUT = Path(__file__).resolve().parents[3]  # of an editable install


def course_root() -> Path:
    """Return the folder that holds course/.

    The current folder or one above it, `convladder-course` in it, the checkout of an editable
    install, else the folder that `convladder get` wrote last. Raises LookupError without a course.
    """
    try:
        here = Path.cwd()
    except FileNotFoundError:  # deleted meanwhile
        here = Path("a folder that is gone")
    for folder in (here, *here.parents, here / COPY, CHECKOUT, _last_copy()):
        if folder and (folder / START).is_file():
            return folder
    raise LookupError(f"there is no course in {here}; `{command_text()} get` writes one there")


def remember(folder: Path) -> None:
    """Note where a course was written, for `course_root`, if there is a place for it."""
    note = _note()
    if note is not None:
        with suppress(OSError):
            note.parent.mkdir(parents=True, exist_ok=True)
            note.write_text(f"{folder}\n", encoding="utf-8")


def _last_copy() -> Path | None:
    note = _note()
    try:
        return Path(note.read_text(encoding="utf-8").strip()) if note else None
    except (OSError, ValueError):
        return None


def _note() -> Path | None:
    """Return the file beside the learner's journal that names the course's folder."""
    journal = journal_path()
    return journal and journal.with_name("course-folder.txt")
