"""Which folder holds the course that a command is for."""

from __future__ import annotations

from pathlib import Path

from ..journal import got_last
from ..outline import root
from ..text import command_text
from .notebook import NotebookError


def course_root() -> Path:
    """Return the folder that holds course/: the current one or one above it, the one that
    `convladder get` made here, that of an editable install, else the one that `get` made last.

    Raises NotebookError where none holds it.
    """
    folder = root() or got_last()
    if folder is None:
        raise NotebookError(
            f"there is no course in {Path.cwd()}; `{command_text()} get` writes one there"
        )
    return folder
