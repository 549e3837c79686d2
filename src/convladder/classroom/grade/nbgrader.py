"""The labs as an nbgrader course: its cells, its stubs, and a cell that fails where `check` does.

nbgrader's autograde judges by errors, and `check` raises none: hence the assertions. It runs them
in the learner's own process, and so believes what that says; `convladder grade` on the same course
folder does not. Source: nbgrader's documentation, "Creating and grading assignments".
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from pathlib import Path

from nbformat import NotebookNode
from nbformat.v4 import new_code_cell

from tools.notebooks.labs import marked_blocks
from ...journal import course_root
from tools.notebooks.notebook import NotebookError, find, read, text_of

CONFIG = '''"""Stubs as in the course's labs: a body returns `...`, a kernel keeps its text."""

from nbgrader.converters import GenerateAssignment
from nbgrader.preprocessors import ClearSolutions

from tools.notebooks.labs import stub


class CourseStubs(ClearSolutions):
    def preprocess_cell(self, cell, resources, cell_index):
        if cell.cell_type == "code":
            cell.source = stub(cell.source)
        return cell, resources


c = get_config()
c.CourseDirectory.course_id = "convladder"
c.GenerateAssignment.preprocessors = [
    CourseStubs if each is ClearSolutions else each
    for each in GenerateAssignment.preprocessors.default()]
c.ExecutePreprocessor.timeout = 120
'''
_BARE = re.compile(r'^check\("(\w+)", (\w+)\)$', re.M)


def export(folder: Path, numbers: Iterable[int] = ()) -> list[Path]:
    """Write a course folder for nbgrader with these labs, or all; return their notebooks.

    Raises NotebookError where there is no such lab, or FOLDER holds a course already; OSError.
    """
    root, written = course_root(), []
    config = folder / "nbgrader_config.py"
    if config.exists() and config.read_text(encoding="utf-8") != CONFIG:
        raise NotebookError(f"{config} is there already: name an empty folder")
    for number in [f"{each:02}" for each in numbers] or [None]:
        found = find(root, "solutions", number)
        if not found:
            raise NotebookError(f"there is no solution to make lab {number or ''} from in {root}")
        for solution in found:
            path = folder / "source" / f"lab{solution.name[:2]}" / solution.name
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(text_of(marked(read(solution))), encoding="utf-8")
            written.append(path)
    config.write_text(CONFIG, encoding="utf-8")
    return written


def marked(notebook: NotebookNode) -> NotebookNode:
    """Return a solved lab with nbgrader's metadata, and a graded cell for each exercise."""
    cells, graded = [], set()
    for cell in notebook.cells:
        cells.append(cell)
        if cell.cell_type != "code":
            continue
        cell.outputs, cell.execution_count = [], None
        names = [found for found in _BARE.findall(cell.source) if found[0] not in graded]
        if marked_blocks(cell.source):
            cell.metadata["nbgrader"] = _metadata(f"answer-{cell.id}", solution=True)
        elif names:
            cells.pop()  # the graded cell says the same
        for name, answer in names:
            graded.add(name)
            made = new_code_cell(
                f'verdict = check("{name}", {answer})\n'
                'assert verdict.passed, f"\\n{verdict}"\nverdict',
                id=f"check-{name}",
            )
            made.metadata["nbgrader"] = _metadata(f"check-{name}", grade=True) | {"points": 1}
            cells.append(made)
    notebook.cells = cells
    return notebook


def _metadata(name: str, solution: bool = False, grade: bool = False) -> dict:
    return {
        "schema_version": 3,
        "grade_id": name,
        "grade": grade,
        "solution": solution,
        "locked": grade,
        "task": False,
    }
