"""Notebooks where a compiler, or what starts workers, is missing: saved outputs in place of errors.

They are those of the notebook itself, as far as it has any; `convladder get` writes notebooks
without, and the wheel has those of the chapters that need them in a file.
"""

from __future__ import annotations

import ast
import json
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from ..cuda import NoBackend
from ..journal.course_index import DEEPER, CourseNotebook

GUARD = "_convladder_saved"
WIDGET = "application/vnd.jupyter.widget-view+json"
NO_COMPILER = "There is no C++ compiler here, so this cell did not run."
NO_WORKERS = "The package distributed is not installed here, so this cell did not run."
SAVED = "What it showed when the notebook was saved:"
NOTHING = "The saved notebook shows nothing for it."
PACKAGE = Path(__file__).resolve().parents[1]
SHIPPED = PACKAGE / "shipped" / "outputs.json"  # in a wheel; setup.py makes it
CHECKOUT = PACKAGE.parents[1]


class SavedOutputs(ast.NodeTransformer):
    """Runs each cell inside itself, a context that takes `NoBackend` and `NoWorkers` for an answer.

    The values that such a cell would have made are taken away, half made as they may be, and their
    names remembered: a later cell that misses one of them is treated alike. Any other error passes.
    """

    def __init__(self, shell: Any, folder: Path) -> None:
        self.shell, self.folder = shell, folder
        self.missing: dict[str, str] = {}  # and why
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
            show = ast.parse(f"{GUARD}.show", mode="eval").body
            shown = ast.Expr(ast.Call(show, [body[-1].value], []))
            body[-1] = ast.copy_location(shown, body[-1])
        guard = ast.parse(GUARD, mode="eval").body
        tree.body = [ast.copy_location(ast.With([ast.withitem(guard)], body), body[0])]
        return ast.fix_missing_locations(tree)

    def show(self, value: object) -> None:
        """Do what IPython does with a cell's last expression."""
        sys.displayhook(value)

    def __enter__(self) -> None:
        pass

    def __exit__(self, kind: type | None, error: BaseException | None, trace: object) -> bool:
        why = _why(error)
        if isinstance(error, NameError):
            why = self.missing.get(error.name, "")
        if not why:
            return False
        self.missing |= dict.fromkeys(self._makes, why)
        for name in self._makes - self._imports:
            self.shell.user_ns.pop(name, None)
        self._show_saved(why)
        return True

    def _show_saved(self, why: str) -> None:
        from IPython.display import display

        outputs = saved_outputs(self.folder).get(self._cell.strip(), [])
        why = f"{why} {SAVED if outputs else NOTHING}"
        display({"text/plain": why, "text/html": f"<i>{why}</i>"}, raw=True)
        for output in outputs:
            if output["output_type"] == "stream":
                print("".join(output["text"]), end="")
            elif "data" in output:
                data = {
                    kind: "".join(value) if isinstance(value, list) else value
                    for kind, value in output["data"].items()
                    if kind != WIDGET
                }
                display(data, raw=True, metadata=output.get("metadata", {}))


def saved_outputs(folder: Path) -> dict[str, list[dict]]:
    """Return, by their source, the saved outputs of the code cells of all notebooks in `folder`, or
    the package's own where these have none."""
    own = CHECKOUT / (DEEPER if folder.name == Path(DEEPER).name else folder.name)
    outputs = json.loads(SHIPPED.read_text(encoding="utf-8")) if SHIPPED.is_file() else {}
    for path in [*sorted(own.glob("*.ipynb")), *sorted(folder.glob("*.ipynb"))]:
        if CourseNotebook(path).damage:
            continue
        for cell in json.loads(path.read_text(encoding="utf-8-sig"))["cells"]:
            if cell["cell_type"] == "code" and (found := _of_its_own(cell["outputs"])):
                outputs["".join(cell["source"]).strip()] = found
    return outputs


def _of_its_own(outputs: list[dict]) -> list[dict]:
    """Return a cell's outputs without what `_show_saved` put before them in a notebook that was
    saved here."""
    for at, output in enumerate(outputs):
        if "".join(output.get("data", {}).get("text/plain", "")).startswith(
            (NO_COMPILER, NO_WORKERS)
        ):
            return outputs[at + 1 :]
    return outputs


def _why(error: BaseException | None) -> str:
    """Return the missing package or tool behind a cell's error; "" for any other error."""
    if isinstance(error, NoBackend):
        return NO_COMPILER
    if isinstance(error, ImportError):
        from ..networks.scale import NoWorkers

        return NO_WORKERS if isinstance(error, NoWorkers) else ""
    return ""


def show_saved_outputs() -> None:
    """Let a cell, from the next one on, that needs what is missing show its saved outputs.

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
