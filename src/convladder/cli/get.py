"""`convladder get`: the course in a folder of one's own, written there or brought up to date.

The folder remembers what was written to it, file by file. A file that still is what was written
may be replaced by a later version's. A file that the learner changed is never touched.
"""

from __future__ import annotations

import argparse
import json
import os
import re
import shlex
from collections.abc import Iterator
from dataclasses import dataclass, field
from hashlib import sha256
from importlib.metadata import version
from pathlib import Path

from ..core.install import command_text
from ..journal import remember
from ..journal.course_index import COPY, DEEPER, FOLDERS, START
from .terminal import CommandError

MEMORY = ".convladder.json"  # in the folder: which version wrote what
PAGES = ("docs/sources.md",)  # what notebooks link to besides each other and the code
CODE = re.compile(r"\]\(\.\./src/convladder/([^)#\s]+)")
PACKAGE = Path(__file__).resolve().parents[1]
LANGUAGE = {  # as JupyterLab completes it, but for the version, which is each reader's own
    "codemirror_mode": {"name": "ipython", "version": 3},
    "file_extension": ".py",
    "mimetype": "text/x-python",
    "name": "python",
    "nbconvert_exporter": "python",
    "pygments_lexer": "ipython3",
}
SHIPPED = PACKAGE / "shipped"  # in a wheel; setup.py puts the notebooks there, without outputs
CHECKOUT = PACKAGE.parents[1]


def add_to(commands: argparse._SubParsersAction) -> None:
    """Add `get`."""
    parser = commands.add_parser("get")
    parser.add_argument(
        "folder",
        nargs="?",
        type=Path,
        metavar="FOLDER",
        help="default: the course that you are in, else ./convladder-course",
    )
    parser.set_defaults(run=_get)


def _get(args: argparse.Namespace) -> int:
    here = Path.cwd()
    known = [folder for folder in (here, *here.parents) if (folder / MEMORY).is_file()]
    folder = args.folder or (known[0] if known else here / COPY)
    got = get(folder)
    remember(got.folder)
    print("\n".join(got.lines()))
    there = "" if folder == Path() else f"cd {shlex.quote(str(folder))} && "
    print(f"Open it with: {there}{command_text(folder=folder.resolve())} lab")
    return 0


@dataclass
class Got:
    """`get`'s work in `folder`, by paths below it: `new`, `corrected`, and `kept`, which are the
    learner's own, though this version has other ones."""

    folder: Path
    new: list[str] = field(default_factory=list)
    corrected: list[str] = field(default_factory=list)
    kept: list[str] = field(default_factory=list)

    def lines(self) -> Iterator[str]:
        """Yield the outcome, one sentence per line."""
        course = version("convladder")
        if not (self.new or self.corrected or self.kept):
            yield f"{self.folder} has the course of version {course} already."
        if self.new:
            yield f"{_files_text(self.new)} written to {self.folder} (version {course})."
        if self.corrected:
            yield f"{_files_text(self.corrected)} corrected: {', '.join(self.corrected)}."
        if self.kept:
            them = "it" if len(self.kept) == 1 else "them"
            yield (
                f"{_files_text(self.kept)} left as you changed {them}: {', '.join(self.kept)}. "
                "To take this version's, rename yours and run this command again."
            )


def get(folder: Path) -> Got:
    """Write this version's chapters, labs and solutions into `folder`, never over a change.

    Raises CommandError where there is no course to take, or no place to write.
    """
    folder = folder.expanduser().resolve()
    source = _source()
    if folder == source or (folder / "pyproject.toml").exists() and (folder / START).exists():
        raise CommandError(
            f"{folder} is a checkout, whose course git brings up to date; name another folder"
        )
    try:
        (folder / "course").mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise CommandError(
            f"cannot write to {folder}: {error.strerror}; name another folder"
        ) from None
    before, written, got = _remembered(folder), {}, Got(folder)
    for name, content in _files(source):
        mine, ours = folder / name, _digest(name, content)
        theirs = _digest(name, mine.read_bytes()) if mine.exists() else None
        if theirs == ours:
            written[name] = ours
        elif theirs is None or theirs == before.get(name):
            (got.new if theirs is None else got.corrected).append(name)
            _replace(mine, content)
            written[name] = ours
        elif name in before:
            written[name] = before[name]
            if before[name] != ours:
                got.kept.append(name)
        else:
            got.kept.append(name)
    memory = {"version": version("convladder"), "files": written}
    _replace(folder / MEMORY, (json.dumps(memory, indent=1) + "\n").encode())
    return got


def without_outputs(path: Path) -> bytes:
    """Return a notebook's file without outputs: a fifteenth of it, and nothing told beforehand."""
    notebook = json.loads(path.read_text(encoding="utf-8"))
    notebook.setdefault("metadata", {})["language_info"] = LANGUAGE
    for cell in notebook["cells"]:
        if cell["cell_type"] == "code":
            cell["outputs"], cell["execution_count"] = [], None
            cell.get("metadata", {}).pop("jupyter", None)  # nothing is left to fold
    return (json.dumps(notebook, indent=1, ensure_ascii=False) + "\n").encode()


def _source() -> Path:
    for folder in (SHIPPED, CHECKOUT):
        if (folder / START).is_file():
            return folder
    raise CommandError(
        "this installation holds no notebooks; install it again: "
        "pip install --force-reinstall convladder"
    )


def _files(source: Path) -> Iterator[tuple[str, bytes]]:
    """Yield names below the folder, and contents: the notebooks, the pages and the code that they
    link to."""
    linked = set()
    for folder in (*FOLDERS, DEEPER):
        for path in sorted((source / folder).glob("*")):
            if path.suffix == ".ipynb":
                linked.update(CODE.findall(path.read_text(encoding="utf-8")))
                yield f"{folder}/{path.name}", without_outputs(path)
            elif path.suffix in (".md", ".png"):
                yield f"{folder}/{path.name}", path.read_bytes()
    for name in PAGES:
        yield name, (source / name).read_bytes()
    for name in sorted(linked):
        yield f"src/convladder/{name}", (PACKAGE / name).read_bytes()


def _files_text(names: list[str]) -> str:
    return f"{len(names)} file{'s' * (len(names) != 1)}"


def _remembered(folder: Path) -> dict[str, str]:
    try:
        return json.loads((folder / MEMORY).read_text(encoding="utf-8"))["files"]
    except (OSError, ValueError, KeyError, TypeError):  # none yet, or damaged: nothing is ours
        return {}


def _digest(name: str, content: bytes) -> str:
    """A notebook is what its cells say: running it changes nothing."""
    if name.endswith(".ipynb"):
        try:
            cells = json.loads(content)["cells"]
            content = json.dumps(
                [(cell["cell_type"], "".join(cell["source"])) for cell in cells]
            ).encode()
        except (ValueError, KeyError, TypeError):  # no longer a notebook: changed, then
            pass
    return sha256(content).hexdigest()


def _replace(path: Path, content: bytes) -> None:
    """Write a file whole or not at all."""
    path.parent.mkdir(parents=True, exist_ok=True)
    half = path.with_name(f".{path.name}.half")
    half.write_bytes(content)
    os.replace(half, path)
