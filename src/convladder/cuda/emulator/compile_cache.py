"""Where compiled kernels are kept: a room's, which learners read, before one's own folder.

`CONVLADDER_SHARED_CACHE` names the room's, as `convladder classroom warm` fills it. What lies there
is executed, so it is used only where nobody can change it but root and the owner of the room, or of
this package, whose code is executed as well.
"""

from __future__ import annotations

import json
import os
import shutil
import stat
import sys
import tempfile
from collections.abc import Sequence
from functools import cache
from pathlib import Path

from ...core.temporary_folder import temporary_folder

SHARED = "CONVLADDER_SHARED_CACHE"
OWN = "CONVLADDER_CACHE"
ROOM = "CONVLADDER_ROOM"  # as in measure.machine_lock, which this package may not import
ANSWERS = "compiler.json"  # in the room's folder: what the compiler says of itself
_discarded: set[str] = set()  # names of files that were damaged


@cache
def own_folder() -> Path:
    """Return the compiled kernels' folder: `$CONVLADDER_CACHE`, else the user's for caches; a
    temporary one where that takes no files, or no programs."""
    usual = "~/Library/Caches" if sys.platform == "darwin" else "~/.cache"
    named = os.environ.get(OWN) or Path(os.environ.get("XDG_CACHE_HOME") or usual, "convladder")
    folder = Path(named).expanduser() / "kernels"
    try:
        folder.mkdir(parents=True, exist_ok=True)
        with tempfile.TemporaryFile(dir=folder) as file:
            file.write(bytes(2**16))  # a full disk still makes files
        usable = not os.statvfs(folder).f_flag & getattr(os, "ST_NOEXEC", 0)
    except OSError:
        usable = False
    return folder if usable else temporary_folder()


def discard(name: str) -> None:
    """Pass over the room's file `name`, which is damaged, from now on."""
    _discarded.add(name)


@cache
def shared_folder() -> Path | None:
    """Return the room's folder of compiled kernels; None where there is none that can be trusted.

    That it is not, and why, is said once.
    """
    if not (named := os.environ.get(SHARED)):
        return None
    folder = Path(named).absolute() / "kernels"
    if why := distrust(folder):
        print(
            f"{SHARED}={named} is not used, since {why}: your own kernels are compiled instead, "
            "and whoever runs the room makes it anew with `convladder classroom warm`.",
            file=sys.stderr,
        )
        return None
    return folder


def distrust(path: Path) -> str | None:
    """Return why what lies at `path` may be another's than the room's; None if it cannot.

    Root or the owner has the folder and all above it, and nobody else may write there, but for
    folders like /tmp, in which each replaces only what is theirs.
    """
    try:
        owners = _owners()
        for each in (path, *path.parents, *(Path(os.path.realpath(path)).parents)):
            found = each.stat()
            sticky = each != path and found.st_mode & stat.S_ISVTX
            if found.st_uid not in owners:
                return f"{each} belongs to neither root nor the owner of the room"
            if found.st_mode & 0o022 and not sticky:
                return f"others may write in {each}"
        if os.geteuid() != 0 and os.access(path, os.W_OK):
            return f"you may write in {path}"
    except OSError as error:
        return f"{error.filename} cannot be read ({error.strerror})"
    return None


@cache
def _owners() -> frozenset[int]:
    room = os.environ.get(ROOM)
    known = [Path(__file__), *([Path(room)] if room and Path(room).is_dir() else [])]
    return frozenset({0, *(each.stat().st_uid for each in known)})


def place(name: str) -> Path:
    """Return where the file `name` is, in the room's folder or one's own, or is to be made."""
    shared = shared_folder()
    if shared is not None and _theirs(shared, name):
        return shared / name
    return own_folder() / name


def _theirs(shared: Path, name: str) -> bool:
    """Whether the room's folder has this file, and only its owner could have put it there."""
    if name in _discarded:
        return False
    try:
        found = [(shared / each).lstat() for each in (Path(name), *Path(name).parents)]
    except FileNotFoundError:
        return False
    return stat.S_ISREG(found[0].st_mode) and all(
        not each.st_mode & 0o022 and each.st_uid in _owners() for each in found
    )


def answer(command: Sequence[str], question: str) -> str | None:
    """Return this compiler's answer from the room's folder; None if it isn't there."""
    kept = _answers()
    if kept.get("command") != list(command) or kept.get("program") != _program(command[0]):
        return None
    return kept["answers"].get(question)


def write_answers(folder: Path, command: Sequence[str], answers: dict[str, str]) -> None:
    """Let a room's folder know what the compiler answers, so that nobody there has to ask it."""
    kept = {"command": list(command), "program": _program(command[0]), "answers": answers}
    (folder / ANSWERS).write_text(json.dumps(kept, indent=1) + "\n", encoding="utf-8")


@cache
def _answers() -> dict:
    shared = shared_folder()
    if shared is None or not _theirs(shared, ANSWERS):
        return {}
    try:
        return json.loads((shared / ANSWERS).read_text(encoding="utf-8"))
    except ValueError:
        return {}


def _program(name: str) -> list | None:
    """Which file a command is, and which version of it: an upgrade is another one."""
    if (path := shutil.which(name)) is None:
        return None
    found = os.stat(path)
    return [os.path.realpath(path), found.st_size, found.st_mtime_ns]
