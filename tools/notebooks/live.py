"""The chapters and labs that use a GPU, run on one: outputs compared, cells timed, a record made.

nbval runs and compares them, as `make test` does on a machine without a GPU; here it is asked
how long each cell took. The notebooks themselves are left as they are.
"""

from __future__ import annotations

import io
import re
import sys
from collections.abc import Callable, Iterable, Mapping, Sequence
from contextlib import redirect_stdout
from dataclasses import dataclass, field
from importlib.util import find_spec
from pathlib import Path

from convladder.core.install import install_text
from convladder.journal.course_index import FOLDERS

from .execute import CELL_TIMEOUT
from .notebook import NotebookError, find, read

PATIENCE = 20.0  # seconds in which a cell should answer on a GPU
NEEDED = {"nbval": "nbval", "xdist": "pytest-xdist"}  # module: package
GPU_LINE = re.compile(r"\*\*GPU\*\*\s*([^\n]+)")
NOISE = re.compile(r"\x1b\[[0-9;]*m|^\[gw\d+\].*\n")  # colours, and which process it was


@dataclass
class NotebookRun:
    """The result of a notebook's run.

    `seconds` of each code cell, by its number among all cells, from 1; `wrong`: what nbval said of
    those that failed or whose output differs from the stored one.
    """

    seconds: dict[int, float] = field(default_factory=dict)
    wrong: dict[int, str] = field(default_factory=dict)

    @property
    def slow(self) -> dict[int, float]:
        """Return the cells that took longer than a learner should wait."""
        return {cell: taken for cell, taken in self.seconds.items() if taken > PATIENCE}

    def __str__(self) -> str:
        slowest = max(self.seconds, key=self.seconds.get, default=None)
        text = f"{len(self.seconds)} cells, {sum(self.seconds.values()):.0f} s"
        if slowest is not None:
            text += f", the longest {self.seconds[slowest]:.1f} s (cell {slowest})"
        return text + (f"; WRONG: cells {', '.join(map(str, self.wrong))}" if self.wrong else "")


def uses_gpu(chapter: Path) -> bool:
    """Return whether a chapter says in its box more of a GPU than `not needed.`: it has use for
    one, or shows what one did.
    """
    said = (
        GPU_LINE.search(cell.source) for cell in read(chapter).cells if cell.cell_type == "markdown"
    )
    return any(line and line[1].strip() != "not needed." for line in said)


def gpu_notebooks(root: Path, numbers: Sequence[str] = ()) -> list[Path]:
    """Return the chapters that use a GPU, each with its solution and lab; of `numbers` if given.

    Raises NotebookError where there is none.
    """
    chapters = [
        path
        for number in numbers or [None]
        for path in find(root, "course", number)
        if uses_gpu(path)
    ]
    if not chapters:
        raise NotebookError(f"course/ has no chapter {' '.join(numbers)} that uses a GPU")
    return [
        path
        for folder in FOLDERS
        for chapter in chapters
        for path in find(root, folder, chapter.name[:2])
    ]


def run_live(
    root: Path, paths: Iterable[Path], jobs: int = 1, say: Callable[[str], None] = lambda line: None
) -> dict[str, NotebookRun]:
    """Run notebooks below `root`, `jobs` at a time; return "folder/name" -> what came of it.

    `say` is told of each notebook as it ends, and of a cell that took long. Raises NotebookError
    where nbval is missing, or cannot run them.
    """
    missing = [package for module, package in NEEDED.items() if find_spec(module) is None]
    if missing:
        raise NotebookError(
            f"{', '.join(missing)} not installed, which runs the notebooks and "
            f"compares: {install_text('test')}"
        )
    import pytest

    here, printed = sys.stdout, io.StringIO()

    def aloud(line: str) -> None:
        with redirect_stdout(here):
            say(line)

    watch = _Watch(list(paths), aloud)
    # Nothing of pytest's own words: ours are said by `watch`. No plugin that happens to be there,
    # and no conftest.py, which cuts what the labs measure short.
    with redirect_stdout(printed), pytest.MonkeyPatch.context() as patch:
        patch.setenv("PYTEST_DISABLE_PLUGIN_AUTOLOAD", "1")
        code = pytest.main(
            [
                "--rootdir",
                str(root),
                "-c",
                str(root / "pyproject.toml"),
                "-o",
                "addopts=",
                "--noconftest",
                "-p",
                "nbval.plugin",
                *(["-p", "xdist.plugin"] if jobs > 1 else []),
                "--nbval",
                "--nbval-current-env",
                f"--nbval-cell-timeout={CELL_TIMEOUT}",
                "-p",
                "no:cacheprovider",
                "--capture=no",
                "--color=no",
                "-W",
                "ignore",
                *(["-n", str(jobs), "--dist", "loadfile"] if jobs > 1 else []),
                *map(str, watch.cells),
            ],
            plugins=[watch],
        )
    if code not in (pytest.ExitCode.OK, pytest.ExitCode.TESTS_FAILED):
        raise NotebookError(f"pytest could not run them: {printed.getvalue()[-2000:]}")
    return watch.runs


class _Watch:
    """A plugin of pytest that keeps seconds and failures by notebook and cell."""

    def __init__(self, paths: list[Path], say: Callable[[str], None]) -> None:
        self.cells = {path: _code_cells(path) for path in paths}
        self._left = {_name(path): len(cells) for path, cells in self.cells.items()}
        self._numbers = {_name(path): cells for path, cells in self.cells.items()}
        self.runs = {name: NotebookRun() for name in self._left}
        self._say = say

    def pytest_runtest_logreport(self, report) -> None:
        file, _, cell = report.nodeid.partition("::Cell ")
        name = "/".join(file.split("/")[-2:])
        if name not in self.runs:
            return
        run, number = self.runs[name], self._numbers[name][int(cell)]
        if report.failed:
            run.wrong[number] = NOISE.sub("", report.longreprtext).strip()
        if report.when == "call":
            run.seconds[number] = report.duration
            if report.duration > PATIENCE:
                self._say(f"{name}, cell {number}: {report.duration:.1f} s")
        if report.when == "teardown":
            self._left[name] -= 1
            if not self._left[name]:
                self._say(f"{name}: {run}")


def _name(path: Path) -> str:
    return f"{path.parent.name}/{path.name}"


def _code_cells(path: Path) -> list[int]:
    """Return the numbers of a notebook's code cells among all, from 1."""
    return [number for number, cell in enumerate(read(path).cells, 1) if cell.cell_type == "code"]


def as_record(
    runs: Mapping[str, NotebookRun], stamp: Mapping[str, object], jobs: int = 1
) -> dict[str, object]:
    """Return runs, `jobs` at a time, as a record, which begins with a stamp."""
    return {
        **stamp,
        "jobs": jobs,
        "python": ".".join(map(str, sys.version_info[:3])),
        "notebooks": {
            name: {
                "seconds": {str(cell): round(taken, 2) for cell, taken in run.seconds.items()},
                "wrong": {str(cell): text.splitlines()[:12] for cell, text in run.wrong.items()},
            }
            for name, run in runs.items()
        },
    }
