"""What can be told of a code cell by reading it: what it imports, whether it shows something."""

import ast
import re
from collections.abc import Iterator
from functools import cache

from IPython.core.inputtransformer2 import TransformerManager
from nbformat import NotebookNode

# The package, one of its rooms, or a room of `teach`: their faces stay where they are, files move.
FACE = re.compile(r"convladder(\.teach)?(\.\w+)?")

# A call that ends a cell shows its value, unless its method is known to return nothing.
SILENT = {"append", "extend", "fill", "seed", "setflags", "shuffle", "sort", "update"}
SHOWING = {"print", "display"}


def tree_of(cell: NotebookNode) -> ast.Module | None:
    """Return the cell's code, magics translated; None if it is not Python. It is for reading only:
    who asks for the same code again gets the same tree."""
    return _parsed(cell.source)


@cache
def _parsed(source: str) -> ast.Module | None:
    try:
        return ast.parse(TransformerManager().transform_cell(source))
    except SyntaxError:
        return None


def explores(cell: NotebookNode) -> ast.Call | None:
    """Return the call of `explore` that ends a cell, or None."""
    tree = tree_of(cell) if cell.cell_type == "code" else None
    last = tree.body[-1] if tree and tree.body else None
    call = last.value if isinstance(last, ast.Expr) else None
    is_explore = isinstance(call, ast.Call) and getattr(call.func, "id", "") == "explore"
    return call if is_explore else None


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
    """Yield the modules that code imports from deeper in the package than a room."""
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
            if name.split(".")[0] == "convladder" and not FACE.fullmatch(name)
        )
