"""Notebooks on a machine without GPU and compiler: saved outputs in place of errors."""

from __future__ import annotations

import ast
import json
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from ...cuda import NoBackend

GUARD = "_convladder_saved"
WIDGET = "application/vnd.jupyter.widget-view+json"
WHY = "There is no C++ compiler here, so this cell did not run."
SAVED = f"{WHY} What it showed when the notebook was saved:"
NOTHING = f"{WHY} The saved notebook shows nothing for it."


class SavedOutputs(ast.NodeTransformer):
    """Runs each cell inside itself, a context that takes `NoBackend` for an answer.

    The values that such a cell would have made are taken away, half made as they may be, and their
    names remembered: a later cell that misses one of them is treated alike. Any other error passes.
    """

    def __init__(self, shell: Any, folder: Path) -> None:
        self.shell, self.folder = shell, folder
        self.missing: set[str] = set()
        self._cell, self._makes, self._imports = "", set(), set()

    def begin(self, info: Any) -> None:
        """Keep the text of a cell about to run: its saved outputs are found by it."""
        self._cell = info.raw_cell

    def visit(self, tree: ast.AST) -> ast.AST:
        """Return the cell's code within `with`; a last expression is still shown."""
        if not isinstance(tree, ast.Module) or not tree.body:
            return tree
        self._imports = set(_imported(tree))
        self._makes = self._imports | set(_named(tree))
        body = list(tree.body)
        if isinstance(body[-1], ast.Expr):
            shown = ast.parse(f"{GUARD}.show(None)").body[0]
            shown.value.args = [body[-1].value]
            body[-1] = ast.copy_location(shown, body[-1])
        inside = ast.parse(f"with {GUARD}: pass").body[0]
        inside.body = body
        tree.body = [ast.copy_location(inside, body[0])]
        return ast.fix_missing_locations(tree)

    def show(self, value: object) -> None:
        """Do what IPython does with a cell's last expression."""
        sys.displayhook(value)

    def __enter__(self) -> None:
        pass

    def __exit__(self, kind: type | None, error: BaseException | None, trace: object) -> bool:
        unmade = isinstance(error, NameError) and error.name in self.missing
        if not (unmade or isinstance(error, NoBackend)):
            return False
        self.missing |= self._makes
        for name in self._makes - self._imports:
            self.shell.user_ns.pop(name, None)
        self._show_saved()
        return True

    def _show_saved(self) -> None:
        from IPython.display import display

        outputs = saved_outputs(self.folder).get(self._cell.strip(), [])
        why = SAVED if outputs else NOTHING
        display({"text/plain": why, "text/html": f"<i>{why}</i>"}, raw=True)
        for output in outputs:
            if output["output_type"] == "stream":
                print("".join(output["text"]), end="")
            elif "data" in output:
                data = {kind: "".join(value) if isinstance(value, list) else value
                        for kind, value in output["data"].items() if kind != WIDGET}
                display(data, raw=True, metadata=output.get("metadata", {}))


def saved_outputs(folder: Path) -> dict[str, list[dict]]:
    """Return, by their source, the saved outputs of the code cells of all notebooks in `folder`."""
    outputs = {}
    for path in sorted(folder.glob("*.ipynb")):
        for cell in json.loads(path.read_text(encoding="utf-8"))["cells"]:
            if cell["cell_type"] == "code":
                outputs["".join(cell["source"]).strip()] = cell["outputs"]
    return outputs


def show_saved_outputs() -> None:
    """Let a cell, from the next one on, that needs a missing backend show its saved outputs.

    Does nothing outside IPython, or where it was done before.
    """
    from IPython import get_ipython

    shell = get_ipython()
    if shell is None or GUARD in shell.user_ns:
        return
    guard = SavedOutputs(shell, Path.cwd())
    shell.user_ns[GUARD] = guard
    shell.ast_transformers.append(guard)
    shell.events.register("pre_run_cell", guard.begin)


def _named(tree: ast.AST) -> Iterator[str]:
    """Return the names that running `tree` gives to values and functions."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store):
            yield node.id
        elif isinstance(node, ast.FunctionDef | ast.ClassDef):
            yield node.name


def _imported(tree: ast.AST) -> Iterator[str]:
    for node in ast.walk(tree):
        if isinstance(node, ast.Import | ast.ImportFrom):
            yield from ((alias.asname or alias.name).split(".")[0] for alias in node.names)
