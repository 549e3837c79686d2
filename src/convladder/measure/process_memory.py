"""A process's physical memory, by kind: code, data of files, its own data."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path

KINDS = ("code", "files", "own data")
HEAD = re.compile(r"^[0-9a-f]+-[0-9a-f]+ (?P<rights>\S{4}) \S+ \S+ \S+ *(?P<name>.*)$")
TELL = "import pathlib; print(pathlib.Path('/proc/self/smaps').read_text())"


def by_kind(smaps: str) -> dict[str, int]:
    """Return the resident bytes of a text in the form of `/proc/PID/smaps`, by `KINDS`.

    "code": pages of files that may be run; "files": other pages of files, as they lie on disk or
    changed since; "own data": everything that has no file, such as heap, stacks and large arrays.
    """
    held, kind = dict.fromkeys(KINDS, 0), KINDS[-1]
    for line in smaps.splitlines():
        if head := HEAD.match(line):
            named = head["name"].startswith("/")
            kind = ("code" if "x" in head["rights"] else "files") if named else "own data"
        elif line.startswith("Rss:"):
            held[kind] += 1024 * int(line.split()[1])
    return held


def resident_after(statement: str) -> dict[str, int] | None:
    """Return `by_kind` of a fresh Python process that has run `statement`.

    None elsewhere than on Linux. Raises `RuntimeError` if the statement fails.
    """
    if sys.platform != "linux" or not Path("/proc/self/smaps").exists():
        return None
    done = subprocess.run(
        [sys.executable, "-c", f"{statement}\n{TELL}"], capture_output=True, text=True, check=False
    )
    if done.returncode:
        raise RuntimeError(
            f"{statement!r} failed in a process of its own: {done.stderr.strip().splitlines()[-1]}"
        )
    return by_kind(done.stdout)
