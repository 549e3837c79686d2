"""Where the journal lies, and when there is none."""

from __future__ import annotations

import os
from pathlib import Path

VARIABLE = "CONVLADDER_PROGRESS"
OFF = "off"
_NOT = ("", "0", "no", "false", OFF)
FILE = "progress.jsonl"
# Nobody learns there: tests, nbval's kernels among them, and continuous integration.
NOBODY = ("PYTEST_VERSION", "PYTEST_CURRENT_TEST", "CI")


def journal_path() -> Path | None:
    """Return the journal's file, which may not be there yet; None where nothing is kept.

    `CONVLADDER_PROGRESS` names it, or is "off". Without it, it lies where this system keeps a
    user's data (on Linux below ~/.local/share), except in tests and continuous integration.
    """
    said = os.environ.get(VARIABLE, "").strip()
    if said:
        return None if said.lower() in _NOT else Path(said).expanduser()
    if any(os.environ.get(name, "").strip().lower() not in _NOT for name in NOBODY):
        return None
    from platformdirs import user_data_path

    return user_data_path("convladder", appauthor=False) / FILE
