"""Facts about a code cell: its imports, whether it shows something, whose names it uses."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from contextlib import suppress
from functools import cache
from symtable import SymbolTable, symtable

from IPython.core.inputtransformer2 import TransformerManager
from nbformat import NotebookNode

# A package that notebooks import from: what it exports stays where it is, its files may move.
PACKAGE = re.compile(r"convladder(\.teach|\.networks|\.exercises)?(\.\w+)?")

# A call that ends a cell shows its value, unless its method is known to return nothing.
SILENT = {"append", "extend", "fill", "seed", "setflags", "shuffle", "sort", "update"}
SHOWING = {"print", "display"}


def tree_of(cell: NotebookNode) -> ast.Module | None:
    """Return the cell's code, magics translated; None if it is not Python. It is for reading only:
    who asks for the same code again gets the same tree."""
    return _parsed(cell.source)


@cache
def _parsed(source: str) -> ast.Module | None:
    for translated in (lambda: source, lambda: TransformerManager().transform_cell(source)):
        with suppress(SyntaxError):
            return ast.parse(translated())
    return None


def explores(cell: NotebookNode) -> ast.Call | None:
    """Return the call of `explore` that ends a cell, or None."""
    tree = tree_of(cell) if cell.cell_type == "code" else None
    last = tree.body[-1] if tree and tree.body else None
    call = last.value if isinstance(last, ast.Expr) else None
    if isinstance(call, ast.Call) and getattr(call.func, "id", "") == "explore":
        return call
    return None


def shows(tree: ast.Module, source: str) -> bool:
    """Return whether running this must leave an output: it prints, or ends in a value."""
    called = [_called(node) for node in tree.body]
    if any(name in SHOWING for name in called):
        return True
    if not tree.body or source.rstrip().endswith(";"):
        return False
    last = tree.body[-1]
    if not isinstance(last, ast.Expr):
        return False
    if isinstance(last.value, ast.Constant) and last.value.value is None:
        return False
    return called[-1] not in SILENT


def _called(statement: ast.stmt) -> str | None:
    """Return the name of the function or method that a statement is a bare call of, else None."""
    if not (isinstance(statement, ast.Expr) and isinstance(statement.value, ast.Call)):
        return None
    function = statement.value.func
    return getattr(function, "id", None) or getattr(function, "attr", None)


def deep_imports(tree: ast.Module) -> Iterator[str]:
    """Yield the modules that code imports from deeper than from a package."""
    for node in ast.walk(tree):
        names = (
            [node.module or ""]
            if isinstance(node, ast.ImportFrom)
            else [alias.name for alias in node.names]
            if isinstance(node, ast.Import)
            else []
        )
        yield from (
            name
            for name in names
            if name.split(".")[0] == "convladder" and not PACKAGE.fullmatch(name)
        )


def control_findings(nb: NotebookNode) -> Iterator[tuple[int, str, str]]:
    """Yield (cell, what, remedy) for names that a drawing function reads and a later cell binds
    anew; cells count from 1."""
    code = [
        (number, cell)
        for number, cell in enumerate(nb.cells, 1)
        if cell.cell_type == "code" and tree_of(cell)
    ]
    if not any(explores(cell) for _, cell in code):
        return
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
