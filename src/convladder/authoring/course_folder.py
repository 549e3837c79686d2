"""Which folder holds the course that a command is for."""

from __future__ import annotations

from contextlib import suppress
from pathlib import Path

from ..journal import place
from ..outline import START, root
from ..text import command_text
from .notebook import NotebookError


def course_root() -> Path:
    """Return the folder that holds course/: the current one or one above it, the one that
    `convladder get` made here, that of an editable install, else the one that `get` made last.

    Raises NotebookError where none holds it.
    """
    folder = root() or got_last()
    if folder is None:
        raise NotebookError(f"there is no course in {Path.cwd()}; `{command_text()} get` writes "
                            "one there")
    return folder


def got_last() -> Path | None:
    """Return the course's folder that was written to last, if it is there still."""
    note = _note()
    try:
        folder = Path(note.read_text(encoding="utf-8").strip()) if note else None
    except (OSError, ValueError):
        return None
    return folder if folder and (folder / START).is_file() else None


def remember(folder: Path) -> None:
    """Note where a course was written, for `got_last`; without a place for it, nothing."""
    note = _note()
    if note is not None:
        with suppress(OSError):
            note.parent.mkdir(parents=True, exist_ok=True)
            note.write_text(f"{folder}\n", encoding="utf-8")


def _note() -> Path | None:
    """Return the file beside the learner's journal that names the course's folder."""
    journal = place()
    return journal and journal.with_name("course-folder.txt")
