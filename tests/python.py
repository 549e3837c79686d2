"""A Python of its own, for what no process of the suite may do or know."""

import os
import subprocess
import sys
from pathlib import Path


def python(
    *words: object,
    executable: str | Path = sys.executable,
    folder: Path | None = None,
    **variables: str,
) -> subprocess.CompletedProcess[str]:
    """Run it with these words, in a folder, with variables beside those that are set here."""
    return subprocess.run(
        [executable, *map(str, words)],
        cwd=folder,
        env=os.environ | variables,
        capture_output=True,
        text=True,
    )
