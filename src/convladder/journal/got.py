"""Which folder a course was written to last: a note beside the journal."""

from __future__ import annotations

from contextlib import suppress
from pathlib import Path

from ..outline import START
from .place import place


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
