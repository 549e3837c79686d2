"""Which outputs stay folded until their cell is run: those that answer a prediction.

From a cell with `prediction = ...` on, the outputs of its section are folded, up to the cell that
uses a prediction, which is folded wherever it stands; and those of the cells behind it, up to the
next text, which say it once more, pictures with controls excepted. A cell that shows a source is
read before one predicts. JupyterLab unfolds a cell when it is run, and shows the first line of a
folded cell's first output, so an empty one goes before them (see `normalise`). The web book has a
line to press.
"""

from __future__ import annotations

import ast
import re

from nbformat import NotebookNode

from .code import tree_of

FOLDED = {"jupyter": {"outputs_hidden": True}}  # metadata of such a cell
_HEADING = re.compile(r"^#+ ", re.MULTILINE)
_READ = {"show", "show_changes", "excerpt", "banner", "workers_banner", "puzzle"}


def folded(nb: NotebookNode) -> set[int]:
    """Return the places, from 0, of the cells whose outputs are folded."""
    found, pending, here, answered = set(), set(), False, False
    for place, cell in enumerate(nb.cells):
        if cell.cell_type != "code":
            here = here and not _HEADING.search(cell.source)
            answered = False
            continue
        if not (pending or answered or "prediction" in cell.source):
            continue
        tree = tree_of(cell) or ast.Module([], [])
        used = pending & {
            node.id
            for node in ast.walk(tree)
            if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Load)
        }
        made = _predicted(tree)
        answered = answered and not made
        answers = used or here and pending or answered and _last_call(tree) != "explore"
        if answers and cell.outputs and _last_call(tree) not in _READ:
            found.add(place)
        answered = answered or bool(used)
        pending -= used
        here = here and not used
        if made:
            pending |= made
            here = True
    return found


def _predicted(tree: ast.Module) -> set[str]:
    """Return the names that are to be replaced by a prediction."""
    return {
        target.id
        for node in tree.body
        if isinstance(node, ast.Assign)
        and isinstance(node.value, ast.Constant)
        and node.value.value is ...
        for target in node.targets
        if isinstance(target, ast.Name) and target.id.startswith("prediction")
    }


def _last_call(tree: ast.Module) -> str:
    """Return the name of the function that the last line calls, "" if it calls none."""
    last = tree.body[-1] if tree.body else None
    call = last.value if isinstance(last, ast.Expr) else None
    return getattr(call.func, "id", "") if isinstance(call, ast.Call) else ""
