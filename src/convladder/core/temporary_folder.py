"""A folder of this process, for what would be kept where a user's own folders take nothing."""

from __future__ import annotations

import atexit
import os
import shutil
import tempfile
from functools import cache
from pathlib import Path

from .machine_error import MachineError


@cache
def temporary_folder() -> Path:
    """Return the folder, which goes with the process. Raises MachineError where there is no room
    for any."""
    try:
        folder = Path(tempfile.mkdtemp(prefix="convladder-"))
    except OSError as error:
        raise MachineError(
            f"no folder takes a file here ({error.strerror or error}); set TMPDIR to one of yours, "
            "with room on its disk"
        ) from None
    atexit.register(_remove, folder, os.getpid())
    return folder


def _remove(folder: Path, process: int) -> None:
    if os.getpid() == process:  # a child that was forked leaves it to its parent
        shutil.rmtree(folder, ignore_errors=True)
