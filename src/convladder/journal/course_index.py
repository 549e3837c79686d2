"""The course's index, read from its files: chapters, their labs, titles and times.

Names on the disk are all there is to know the order by, so that a chapter put between two others
needs no entry anywhere. Notebooks are read as plain JSON.
"""

from __future__ import annotations

import ast
import json
import re
from dataclasses import dataclass
from functools import cached_property, lru_cache
from pathlib import Path

START = "course/00_start_here.ipynb"
FOLDERS = ("course", "solutions", "labs")
DEEPER = "course/deeper"  # optional notebooks, which belong to the chapter of their number
COPY = "convladder-course"  # what `convladder get` writes where nobody names a folder

_TIME = re.compile(r"\*\*Time\*\* (?:about )?(?:(\d+)|(an)|(\w+)) (minutes?|hours?)")
_TO = re.compile(r"(\*\*Time\*\* )\d+ to (?=\d+)")
_GPU = re.compile(r"\*\*GPU\*\*\s*([^\n]+)")
_WORDS = {"one": 1, "two": 2, "three": 3}
_PREDICTION = re.compile(r"^(prediction\w*) *= *\.\.\.", re.MULTILINE)
_CHECK = re.compile(r"\bcheck\(\s*\"(\w+)\"")


@dataclass(frozen=True)
class CourseNotebook:
    """A notebook of the course, of `folder` below the root."""

    path: Path

    @property
    def folder(self) -> str:
        """Return "course", "labs" or "solutions"."""
        return self.path.parent.name

    @property
    def number(self) -> str:
        """Return the two digits that its file begins with."""
        return self.path.name[:2]

    @property
    def key(self) -> str:
        """Return the name without its number, which stays the same when chapters are renumbered."""
        return key_of(self.path.stem)

    @property
    def cells(self) -> list[tuple[str, str]]:
        """Return (kind, source) of each cell; [] of a file that is no notebook."""
        return [] if self.damage else self._read

    @cached_property
    def damage(self) -> str:
        """Return why the file is no notebook, such as "it is empty"; "" of a notebook."""
        try:
            self._read  # noqa: B018 - for what it raises
        except OSError as error:
            return f"it cannot be read ({error.strerror})"
        except (ValueError, KeyError, TypeError):
            text = self.path.read_bytes()
            if b"\n<<<<<<< " in text:
                return "git has left both versions of a conflict in it"
            return "it is cut short" if text.strip(b"\0 \n") else "it is empty"
        return ""

    @cached_property
    def _read(self) -> list[tuple[str, str]]:
        about = self.path.stat()
        return _cells(self.path, about.st_mtime_ns, about.st_size)

    @property
    def title(self) -> str:
        """Return the text of the first heading, without "Lab" and the number."""
        head = self.cells[0][1].split("\n")[0] if self.cells else self.path.stem
        return head.partition(" · ")[2] or head.removeprefix("# ")

    @property
    def name(self) -> str:
        """Return the title up to its colon: "MEC"."""
        return self.title.partition(": ")[0]

    @property
    def promise(self) -> str:
        """Return the title behind its colon, what the chapter finds; "" where it has none."""
        return self.title.partition(": ")[2]

    @property
    def minutes(self) -> int | None:
        """Return the minutes in its box, the longer of two; None where it gives none."""
        return minutes_of(self._head)

    @property
    def gpu(self) -> str:
        """Return its box's note on a GPU, up to the first stop: "no", "used if present"."""
        found = _GPU.search(self._head)
        return re.split(r"[.,;:]", found[1])[0].strip() if found else ""

    @property
    def _head(self) -> str:
        return "\n".join(source for kind, source in self.cells[:4] if kind == "markdown")

    @cached_property
    def predictions(self) -> int:
        """Return how many numbers the reader is asked to predict."""
        return sum(
            len(_PREDICTION.findall(source)) for kind, source in self.cells if kind == "code"
        )

    @cached_property
    def exercises(self) -> list[str]:
        """Return the names of the exercises that it checks, in order."""
        found = [
            name for kind, source in self.cells if kind == "code" for name in _CHECK.findall(source)
        ]
        return list(dict.fromkeys(found))


@dataclass(frozen=True)
class Chapter:
    """A chapter with its lab and solution, where it has them."""

    page: CourseNotebook
    lab: CourseNotebook | None
    solution: CourseNotebook | None

    @property
    def pages(self) -> list[CourseNotebook]:
        """Return its notebooks: chapter, lab and solution, as far as there are any."""
        return [page for page in (self.page, self.lab, self.solution) if page is not None]

    @property
    def exercises(self) -> list[str]:
        """Return the exercises of the lab, or of a chapter without one."""
        return (self.lab or self.page).exercises


@lru_cache(maxsize=256)
def _cells(path: Path, changed: int, size: int) -> list[tuple[str, str]]:
    """Return (kind, source) of each cell of a file, read once as long as it stays as it is."""
    cells = json.loads(path.read_text(encoding="utf-8-sig"))["cells"]
    return [(cell["cell_type"], "".join(cell["source"])) for cell in cells]


def chapters(folder: Path) -> list[Chapter]:
    """Return the chapters of the course at `folder`, in order."""

    def beside(kind: str, path: Path) -> CourseNotebook | None:
        place = folder / kind / path.name
        return CourseNotebook(place) if place.is_file() else None

    return [
        Chapter(CourseNotebook(path), beside("labs", path), beside("solutions", path))
        for path in sorted((folder / "course").glob("[0-9][0-9]_*.ipynb"))
    ]


def key_of(stem: str) -> str:
    """Return a notebook's name without the number: "03_mec" -> "mec"."""
    return re.sub(r"^\d+_", "", stem)


def minutes_of(text: str) -> int | None:
    """Return the minutes of the `**Time**` in a text, the longer of two; None if it says none."""
    found = _TIME.search(_TO.sub(r"\1", text))
    if not found:
        return None
    number = int(found[1]) if found[1] else 1 if found[2] else _WORDS.get(found[3])
    return number and number * (60 if found[4].startswith("hour") else 1)


def hours_text(minutes: int) -> str:
    """Write 45 as "45 min", 120 as "2 h", 95 as "1 h 35"."""
    hours, rest = divmod(minutes, 60)
    return f"{rest} min" if not hours else f"{hours} h {rest:02d}" if rest else f"{hours} h"


def noted_predictions(source: str) -> dict[str, str]:
    """Return a cell's predictions: name -> the comment behind it. {} for code without any.

    Only assignments at the margin to names that begin with `prediction` count.
    """
    try:
        tree = ast.parse(source)
    except SyntaxError:
        return {}
    lines, found = source.splitlines(), {}
    for node in tree.body:
        if isinstance(node, ast.Assign) and len(node.targets) == 1:
            name = getattr(node.targets[0], "id", "")
            if name.startswith("prediction"):
                behind = lines[node.end_lineno - 1][node.end_col_offset :]
                found[name] = behind.partition("#")[2].strip()
    return found
