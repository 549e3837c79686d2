"""Whether a picture with controls still draws when the whole notebook has run.

What draws it looks its names up when a control is moved, and finds what a later cell has made of
them.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator
from symtable import SymbolTable, symtable

from nbformat import NotebookNode

from .code import explores, tree_of


def control_findings(nb: NotebookNode) -> Iterator[tuple[int, str, str]]:
    """Yield (cell, what, remedy) for names that a drawing function reads and a later cell binds
    anew; cells count from 1."""
    code = [
        (number, cell)
        for number, cell in enumerate(nb.cells, 1)
        if cell.cell_type == "code" and tree_of(cell)
    ]
    read: dict[str, set[str]] = {}
    used: dict[str, int] = {}  # name to the cell whose picture needs it
    for number, cell in code:
        for name in sorted(_bound(tree_of(cell)) & used.keys()):
            yield (
                number,
                f"binds {name!r} anew, which the picture of cell {used[name]} reads "
                "whenever a control is moved",
                "take another name",
            )
            del used[name]
        read |= {
            table.get_name(): _globals(table)
            for table in symtable(ast.unparse(tree_of(cell)), "", "exec").get_children()
        }
        if call := explores(cell):
            waiting = [node.id for node in ast.walk(call.args[0]) if isinstance(node, ast.Name)]
            while waiting:
                if (name := waiting.pop()) not in used:
                    used[name] = number
                    waiting += read.get(name, ())


def _globals(table: SymbolTable) -> set[str]:
    """Return the names that a function or class looks up outside, in what it contains too."""
    inside = set().union(*map(_globals, table.get_children()))
    return inside | {symbol.get_name() for symbol in table.get_symbols() if symbol.is_global()}


def _bound(node: ast.AST) -> set[str]:
    """Return the names that a cell's top level binds; imports give a name what it had."""
    if isinstance(node, ast.FunctionDef | ast.ClassDef):
        return {node.name}
    if isinstance(node, ast.Lambda | ast.ListComp | ast.SetComp | ast.DictComp | ast.GeneratorExp):
        return set()
    own = {node.id} if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store) else set()
    return own.union(*map(_bound, ast.iter_child_nodes(node)))
