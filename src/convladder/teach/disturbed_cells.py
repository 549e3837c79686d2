"""A mark below each cell of a notebook whose figures were disturbed, or come from such figures.

A cell is marked if a measurement in it was disturbed, or if it reads a name to which a marked
statement assigned. A new assignment from other figures clears the name.
"""

from __future__ import annotations

import ast
from typing import Any

from ..journal import journal_path
from ..measure.cpu_share import load
from ..measure.load_warning import load_text
from ..measure.timing import disturbed_listeners

MARK = "(disturbed)"
MEANING = (
    " Figures of this cell were measured, twice, while other programs wanted the processor too"
    "{load}. Run the cell again when the machine is quiet."
)


class DisturbedCells:
    """The names of a notebook that hold disturbed figures."""

    def __init__(self) -> None:
        self.names: set[str] = set()
        self.measured = False  # a disturbed figure in the cell that runs now
        self.explained = False

    def measure(self) -> None:
        """Note that a measurement was disturbed."""
        self.measured = True

    def marks(self, cell: str) -> bool:
        """Return whether a cell that has run is to be marked. Raises `SyntaxError`."""
        marked, measured = False, self.measured
        self.measured = False
        for statement in ast.parse(cell).body:
            nodes = list(ast.walk(statement))
            read = {n.id for n in nodes if isinstance(n, ast.Name) and isinstance(n.ctx, ast.Load)}
            disturbed = measured or bool(read & self.names)
            assigned = {name for node in nodes for name in _assigned(node)}
            if disturbed:
                changed = {name for node in nodes if (name := _changed(node))}
                self.names |= assigned | changed
            else:
                self.names -= assigned
            marked |= disturbed
        return marked

    def text(self) -> str:
        """Return the mark; the first time with what it means."""
        if self.explained:
            return MARK
        self.explained = True
        return MARK + MEANING.format(load=f" ({load_text()})" if load() else "")


def listen(shell: Any) -> None:
    """Mark this kernel's cells from now on."""
    cells = DisturbedCells()
    disturbed_listeners.append(cells.measure)
    shell.events.register("post_run_cell", lambda result: _after(shell, cells, result))


def _after(shell: Any, cells: DisturbedCells, result: Any) -> None:
    try:
        marked = cells.marks(shell.transform_cell(result.info.raw_cell))
    except (AttributeError, SyntaxError):  # the cell never ran
        return
    if (
        marked and journal_path() is not None
    ):  # without a reader, the output stays the same every time
        print(cells.text())


def _assigned(node: ast.AST) -> set[str]:
    """Return the names that an assignment binds."""
    if isinstance(node, ast.Assign):
        targets = node.targets
    elif isinstance(node, (ast.AugAssign, ast.AnnAssign, ast.NamedExpr)):
        targets = [node.target]
    else:
        return set()
    names = [part for target in targets for part in ast.walk(target)]
    return {n.id for n in names if isinstance(n, ast.Name) and isinstance(n.ctx, ast.Store)}


def _changed(node: ast.AST) -> str | None:
    """Return the name of an object that an item or a method (`rows.append`) may change."""
    if isinstance(node, ast.Call):
        node = node.func
    elif not (isinstance(node, (ast.Subscript, ast.Attribute)) and isinstance(node.ctx, ast.Store)):
        return None
    if not isinstance(node, (ast.Subscript, ast.Attribute)):
        return None
    while isinstance(node, (ast.Subscript, ast.Attribute)):
        node = node.value
    return node.id if isinstance(node, ast.Name) else None
