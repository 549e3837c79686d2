"""Sources of this package's functions and kernels, shown so that no code stands twice."""

from __future__ import annotations

import difflib
import inspect
import textwrap
from pathlib import Path
from typing import Any

ROOT = Path(__file__).parents[2]  # the folder that holds the package
PACKAGE = Path(__file__).parents[1]
FOLDERS = {
    "": PACKAGE / "gpu" / "kernels",
    "lenet/": PACKAGE / "networks" / "lenet" / "gpu",
}  # of kernels


class Source:
    """A text in `language`, whose first line says where it stands, or which files it compares."""

    def __init__(self, text: str, language: str = "python") -> None:
        self.text, self.language = text, language

    def __repr__(self) -> str:
        return self.text

    def _repr_markdown_(self) -> str:
        return f"```{self.language}\n{self.text}\n```"


def show(function: Any) -> Source:
    """Return the source of a function, class or module of this package, or of a `Method`'s run.

    A text names a kernel's file: show("naive.cu"), show("lenet/batched.cu"). Raises TypeError for
    what has no Python source in this package, ValueError for a file that is none of its kernels.
    """
    if isinstance(function, str) and function.endswith(".cu"):
        return _kernel(function)
    if not inspect.isclass(function):  # a rung is a class, which has a run too
        function = getattr(function, "run", function)
    thing = inspect.unwrap(function)
    try:
        place = Path(inspect.getsourcefile(thing)).relative_to(ROOT)
        text = textwrap.dedent(inspect.getsource(thing)).rstrip()
    except (TypeError, OSError, ValueError) as error:
        raise TypeError(
            f"show() got {function!r}: give it a function of this package, not its result"
        ) from error
    return Source(f"# {place.as_posix()}\n{text}")


def show_changes(before: str, after: str) -> Source:
    """Return the lines in which two kernels' files differ, comments and all; names as `show` takes
    them.

    Raises ValueError for a file that is none of the package's kernels.
    """
    old, new = (kernel_file(name).read_text("utf-8").splitlines() for name in (before, after))
    lines = list(difflib.unified_diff(old, new, before, after, lineterm="", n=1))
    return Source("\n".join(lines), "diff")


def kernel_file(name: str) -> Path:
    """Return the file of a kernel of this package.

    Raises ValueError, which lists them, for another.
    """
    files = {
        f"{prefix}{path.name}": path
        for prefix, folder in FOLDERS.items()
        for path in sorted(folder.glob("*.cu*"))
    }
    if name not in files:
        raise ValueError(f"{name!r} is not a kernel of this package; there are {', '.join(files)}")
    return files[name]


def _kernel(file: str) -> Source:
    path = kernel_file(file)
    text = path.read_text(encoding="utf-8").rstrip()
    return Source(f"// {path.relative_to(ROOT).as_posix()}\n{text}", "c++")


def excerpt(file: str, begin: str, end: str) -> Source:
    """Return a kernel's lines from the first with `begin` in it to the next with `end`.

    file: as `show` takes it. Raises ValueError where there is no such file, or no such lines.
    """
    lines = kernel_file(file).read_text(encoding="utf-8").splitlines()
    first = next((i for i, line in enumerate(lines) if begin in line), len(lines))
    last = next((i for i, line in enumerate(lines[first:], first) if end in line), None)
    if last is None:
        raise ValueError(f"{file} has no line with {begin!r} and, there or later, {end!r}")
    text = textwrap.dedent("\n".join(lines[first : last + 1]))
    return Source(f"// {file}, lines {first + 1} to {last + 1}\n{text}", "c++")
