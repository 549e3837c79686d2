"""Who handed in what: by the names that a folder, Canvas, Moodle and nbgrader give to files."""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from pathlib import Path, PurePosixPath

from .archive import Handed, notebooks

# "doejane_LATE_12345_678901_01_im2col_gemm-1.ipynb": name, id of the user, of the submission.
_CANVAS = re.compile(r"(?P<name>[^_/]+)_(?:LATE_)?(?P<id>\d+)_(?P<number>\d+)_(?P<file>.+)")
# "Jane Doe_4711_assignsubmission_file_/lab.ipynb", or the same in one name.
_MOODLE = re.compile(r"(?P<name>.+?)_(?P<id>\d+)_assignsubmission_file(?:_(?P<file>.*))?")


@dataclass
class Submission:
    """What one learner handed in. key: who; name: as it is shown; id: the LMS's number, or "".

    notebooks: by the number of the lab; None for one that does not tell. problems: in sentences.
    """

    key: str
    name: str
    id: str = ""
    notebooks: dict[int | None, Handed] = field(default_factory=dict)
    problems: list[str] = field(default_factory=list)


def submissions(source: Path) -> list[Submission]:
    """Return what was handed in, by learner, in the order of their names. Raises ArchiveError."""
    if source.is_dir() and (source / "submitted").is_dir():
        source = source / "submitted"  # of nbgrader's course folder
    handed = list(notebooks(source))
    nbgrader = source.name == "submitted"
    found: dict[str, Submission] = {}
    for file in handed:
        if {"course", "solutions"} & set(file.path.parts[1:-1]):
            continue  # beside a learner's labs: chapters, and the course's own solutions
        key, name, number, stem = _whose(file.path, nbgrader)
        one = found.setdefault(key, Submission(key, name, number))
        if file.problem:
            one.problems.append(f"{file.path} {file.problem}.")
            continue
        _take(one, file, _lab(stem))
    return sorted(found.values(), key=lambda one: (one.name.casefold(), one.key))


def _take(one: Submission, file: Handed, lab: int | None) -> None:
    before = one.notebooks.get(lab)
    if before is None:
        one.notebooks[lab] = file
        return
    newer, older = (
        (file, before)
        if (file.when, str(file.path)) > (before.when, str(before.path))
        else (before, file)
    )
    one.notebooks[lab] = newer
    which = "no lab's number" if lab is None else f"lab {lab:02}"
    one.problems.append(
        f"There are two notebooks for {which}: {newer.path} counts, the newer "
        f"one, and {older.path} does not."
    )


def _whose(path: PurePosixPath, nbgrader: bool) -> tuple[str, str, str, str]:
    """Return (key, name, the LMS's id, the stem of the notebook's name)."""
    parts = path.parts
    if nbgrader and len(parts) > 1:
        return parts[0], parts[0], "", path.stem
    for part in parts:
        if found := _MOODLE.fullmatch(part):
            file = PurePosixPath(found["file"]) if found["file"] else path
            return f"moodle {found['id']}", found["name"], found["id"], file.stem
    if found := _CANVAS.fullmatch(parts[0]):
        file = path if len(parts) > 1 else PurePosixPath(found["file"])
        return f"canvas {found['id']}", found["name"], found["id"], file.stem
    if len(parts) > 1:
        return parts[0], parts[0], "", path.stem
    name = _without_lab(path.stem)
    return name, name, "", path.stem


def _without_lab(stem: str) -> str:
    """Return who a notebook that lies alone is of: "ana_01_im2col_gemm" is ana's."""
    found = re.fullmatch(r"(.+?)[ _-]+\d{2}_[A-Za-z].*", stem)
    return found[1] if found else stem


def _lab(stem: str) -> int | None:
    found = re.search(r"(?:^|[^0-9])(\d{2})_[A-Za-z]", stem)
    return int(found[1]) if found else None
