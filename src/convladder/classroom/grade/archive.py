"""Reading what was handed in, from a folder or a zip: in memory, and never written anywhere."""

from __future__ import annotations

import io
import os
import stat
import zipfile
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path, PurePosixPath

MOST_NOTEBOOK = 20 << 20  # bytes of one notebook, unpacked
MOST_ALL = 2 << 30  # bytes of all of them
MOST_MEMBERS = 20_000
DEEP = 2  # zips within zips


class ArchiveError(Exception):
    """What holds the submissions cannot be read; the text says why."""


@dataclass(frozen=True)
class Handed:
    """A file that was handed in: its path within what it came from, what it holds, and when.

    problem: why it was not read, or "".
    """

    path: PurePosixPath
    data: bytes = b""
    when: float = 0.0
    problem: str = ""


def shown(name: str) -> str:
    """Return a file's name as text, whatever its bytes are."""
    return os.fsencode(name).decode("utf-8", "replace") if isinstance(name, str) else str(name)


def clean(text: str) -> str:
    """Return text with a mark in place of what cannot be shown, or would turn a line around."""
    whole = text.encode("utf-8", "replace").decode("utf-8")
    return "".join(
        letter if letter.isprintable() or letter == "\n" else "\ufffd" for letter in whole
    )


def notebooks(source: Path) -> Iterator[Handed]:
    """Yield the notebooks in a folder or a zip, and what was wrong with other files.

    Links are not followed, and no path leads out of its folder. Raises ArchiveError.
    """
    if source.is_dir():
        yield from _of_folder(source)
    elif zipfile.is_zipfile(source):
        yield from _of_zip(
            source.read_bytes() if source.stat().st_size < MOST_ALL else b"", PurePosixPath(), 1
        )
    elif source.exists():
        raise ArchiveError(f"{source} is neither a folder nor a zip")
    else:
        raise ArchiveError(f"there is no {source}")


def _of_folder(folder: Path) -> Iterator[Handed]:
    for base, folders, files in os.walk(folder, followlinks=False):
        # A home may be what is handed in: what it hides, and what is installed there, is not meant.
        folders[:] = sorted(
            name for name in folders if not name.startswith(".") and name != "site-packages"
        )
        for name in [*folders, *sorted(files)]:
            path = Path(base, name)
            place = PurePosixPath(shown(path.relative_to(folder).as_posix()))
            if path.is_symlink():
                yield Handed(place, problem="is a link, and links are not followed")
            elif name in files and not _idle(place):
                yield from _of_file(path, place)


def _of_file(path: Path, place: PurePosixPath) -> Iterator[Handed]:
    try:
        status = path.stat()
        if not stat.S_ISREG(status.st_mode):
            return
        if place.suffix.lower() == ".ipynb":
            if status.st_size > MOST_NOTEBOOK:
                yield Handed(place, problem=_too_large())
            else:
                yield Handed(place, path.read_bytes(), status.st_mtime)
        elif place.suffix.lower() == ".zip":
            yield from _of_zip(path.read_bytes() if status.st_size < MOST_ALL else b"", place, 1)
    except OSError as error:
        yield Handed(place, problem=f"cannot be read: {error.strerror}")


def _of_zip(data: bytes, place: PurePosixPath, depth: int) -> Iterator[Handed]:
    try:
        archive = zipfile.ZipFile(io.BytesIO(data))
        members = archive.infolist()
    except (zipfile.BadZipFile, ValueError, NotImplementedError):
        yield Handed(place, problem="is no zip that can be read")
        return
    if len(members) > MOST_MEMBERS:
        yield Handed(place, problem=f"has {len(members):,} files, more than {MOST_MEMBERS:,}")
        return
    left = MOST_ALL
    for member in members:
        name = _name(member)
        inside = place.with_suffix("") / name if place.name else PurePosixPath(name)
        kind = PurePosixPath(name).suffix.lower()
        if kind not in (".ipynb", ".zip") or member.is_dir() or _idle(inside):
            continue
        if problem := _tricks(member, name):
            yield Handed(place / PurePosixPath(name).name, problem=problem)
            continue
        try:
            with archive.open(member) as file:  # what the zip says of sizes is only what it says
                held = file.read(MOST_NOTEBOOK + 1)
        except (
            zipfile.BadZipFile,
            RuntimeError,
            OSError,
            EOFError,
            NotImplementedError,
            ValueError,
        ) as error:
            yield Handed(inside, problem=f"cannot be unpacked: {error}")
            continue
        left -= len(held)
        if len(held) > MOST_NOTEBOOK:
            yield Handed(inside, problem=_too_large())
        elif left < 0:
            yield Handed(place, problem=f"unpacks to more than {MOST_ALL >> 20} MiB")
            return
        elif kind == ".zip":
            if depth < DEEP:
                yield from _of_zip(held, inside, depth + 1)
            else:
                yield Handed(inside, problem="is a zip within a zip within a zip")
        else:
            yield Handed(inside, held, _when(member))


def _name(member: zipfile.ZipInfo) -> str:
    """Return a member's name; one without the mark of UTF-8 may be in it all the same."""
    if member.flag_bits & 0x800:
        return member.filename
    try:
        return member.filename.encode("cp437").decode("utf-8")
    except (UnicodeEncodeError, UnicodeDecodeError):
        return member.filename


def _tricks(member: zipfile.ZipInfo, name: str) -> str:
    parts = PurePosixPath(name.replace("\\", "/")).parts
    if ".." in parts or name.startswith(("/", "\\")) or ":" in name.split("/")[0][:2]:
        return f"has a path that leads out of its folder ({name!r})"
    if stat.S_ISLNK(member.external_attr >> 16):
        return "is a link, and links are not followed"
    return ""


def _when(member: zipfile.ZipInfo) -> float:
    year, month, day, hour, minute, second = member.date_time
    return ((((year * 12 + month) * 31 + day) * 24 + hour) * 60 + minute) * 60.0 + second


def _idle(path: PurePosixPath) -> bool:
    """Return whether a path is of what a system or Jupyter leaves beside notebooks."""
    return any(part == "__MACOSX" or part.startswith(".") and part != ".." for part in path.parts)


def _too_large() -> str:
    return f"is larger than {MOST_NOTEBOOK >> 20} MiB"
