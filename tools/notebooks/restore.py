"""The committed outputs of cells that nobody changed: a run gives every cell new times."""

import subprocess
from collections.abc import Callable
from pathlib import Path

import nbformat

from convladder.journal.course_index import DEEPER, FOLDERS

from .notebook import find, read, write


def restore(
    root: Path, number: str | None = None, say: Callable[[str], None] = lambda line: None
) -> None:
    """Give the cells of notebooks whose source is as in the last commit their outputs of then."""
    for path in [path for folder in (*FOLDERS, DEEPER) for path in find(root, folder, number)]:
        show = ["git", "show", f"HEAD:./{path.name}"]
        committed = subprocess.run(show, cwd=path.parent, capture_output=True, check=False)
        if committed.returncode:
            continue  # it is new
        before = nbformat.reads(committed.stdout.decode(), as_version=4)
        outputs = {cell.id: cell.outputs for cell in before.cells if cell.cell_type == "code"}
        nb = read(path)
        for cell in nb.cells:  # an id follows from the source
            if cell.id in outputs:
                cell.outputs = outputs[cell.id]
                for output in cell.outputs:
                    if output.output_type == "execute_result":
                        output.execution_count = cell.execution_count
        if write(nb, path):
            say(f"{path.relative_to(root)}: written")
