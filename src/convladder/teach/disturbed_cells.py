"""A mark below each cell of a notebook whose figures were disturbed, or come from such figures.

A statement is marked if a measurement in it was disturbed, or if it reads a name to which a marked
statement assigned; a cell, if one of its statements is. A new assignment from other figures clears
the name.
"""

from __future__ import annotations

import ast
import sys
from types import FrameType, ModuleType
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
    """The names of a notebook that hold disturbed figures; `namespace` is where its cells run."""

    def __init__(self, namespace: dict[str, Any] | None = None) -> None:
        self.namespace = {} if namespace is None else namespace
        self.names: set[str] = set()
        self.lines: set[int] = set()  # of the cell that runs now; 0 may be any
        self.explained = False

    def measure(self) -> None:
        """Note that a measurement was disturbed, and in which line of the cell."""
        line = 0
        frame: FrameType | None = sys._getframe()
        while frame:
            if frame.f_globals is self.namespace:
                line = frame.f_lineno
            frame = frame.f_back
        self.lines.add(line)

    def marks(self, cell: str) -> bool:
        """Return whether a cell that has run is to be marked. Raises `SyntaxError`."""
        marked, lines = False, self.lines
        self.lines = set()
        for statement in ast.parse(cell).body:
            nodes = list(ast.walk(statement))
            read = {n.id for n in nodes if isinstance(n, ast.Name) and isinstance(n.ctx, ast.Load)}
            read -= {name for node in nodes for name in _local(node)}
            here = range(statement.lineno, (statement.end_lineno or statement.lineno) + 1)
            disturbed = bool(read & self.names) or any(not n or n in here for n in lines)
            assigned = {name for node in nodes for name in _assigned(node)}
            if disturbed:
                changed = {name for node in nodes if (name := _changed(node))}
                self.names |= assigned | {each for each in changed if not self._fixed(each)}
            else:
                self.names -= assigned
            marked |= disturbed
        return marked

    def _fixed(self, name: str) -> bool:
        return isinstance(self.namespace.get(name), (ModuleType, type))

    def text(self) -> str:
        """Return the mark; the first time with what it means."""
        if self.explained:
            return MARK
        self.explained = True
        return MARK + MEANING.format(load=f" ({load_text()})" if load() else "")


def listen(shell: Any) -> None:
    """Mark this kernel's cells from now on."""
    cells = DisturbedCells(shell.user_global_ns)
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


def _local(node: ast.AST) -> set[str]:
    """Return the names that a comprehension or a function keeps to itself."""
    if isinstance(node, ast.arg):
        return {node.arg}
    if isinstance(node, ast.comprehension):
        return {part.id for part in ast.walk(node.target) if isinstance(part, ast.Name)}
    return set()


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
