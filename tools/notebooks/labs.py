"""From a solved lab to the lab a learner opens: each solution becomes a stub that runs.

A block between the markers that is indented (the body of a function) becomes `return ...`; one at
the margin becomes `name = ...` for each name that it binds. Within the text of a kernel the markers
begin with `//`, and the block becomes a line `...`. It means "not attempted" to `check`.
"""

import ast
import textwrap
from collections.abc import Callable
from pathlib import Path

from nbformat import NotebookNode
from nbformat.v4 import new_notebook

from .execute import execute
from .notebook import NotebookError, find, normalise, read, source_ids, write

BEGIN, END = "### BEGIN SOLUTION", "### END SOLUTION"
KERNEL_BEGIN, KERNEL_END = "// BEGIN SOLUTION", "// END SOLUTION"
YOUR_CODE = "# your code here"


def make_lab(solution: NotebookNode, name: str) -> NotebookNode:
    """Return the unexecuted lab of a solved notebook, cell by cell, with the cells' ids kept.

    Raises NotebookError that names `name` and the cell whose markers cannot be turned into a stub,
    or says that nothing is marked at all.
    """
    lab = new_notebook()
    stubs = 0
    for number, cell in enumerate(solution.cells, 1):
        cell = NotebookNode(cell)
        if cell.cell_type == "code":
            try:
                source = stub(cell.source)
            except ValueError as error:
                raise NotebookError(f"solutions/{name}, cell {number}: {error}") from error
            stubs += source != cell.source
            cell.update(source=source, outputs=[], execution_count=None)
        lab.cells.append(cell)
    if not stubs:
        raise NotebookError(f"solutions/{name}: no {BEGIN} in it, so the lab leaves nothing to do")
    return normalise(lab, ids=source_ids(solution))


def labs(
    root: Path, number: str | None = None, say: Callable[[str], None] = lambda line: None
) -> list[Path]:
    """Write and execute labs/ from solutions/; returns the files that changed.

    Raises NotebookError for a solution that gives no lab, a lab in which a cell fails, or a lab
    that has no solution any more; and where there is nothing to do.
    """
    solutions = find(root, "solutions", number)
    if not solutions:
        raise NotebookError(f"no solutions/{number or ''}*.ipynb to make a lab from")
    changed = []
    for solution in solutions:
        path = root / "labs" / solution.name
        lab = execute(make_lab(read(solution), solution.name), path)
        if write(normalise(lab, ids=[cell.id for cell in lab.cells]), path):
            changed.append(path)
        say(f"labs/{path.name}: {'written' if path in changed else 'unchanged'}")
    return changed


def marked_blocks(source: str) -> list[str]:
    """Return the texts between the markers of a cell."""
    blocks, block = [], None
    for line in source.split("\n"):
        if line.strip() in (BEGIN, KERNEL_BEGIN):
            block = []
        elif line.strip() in (END, KERNEL_END) and block is not None:
            blocks.append("\n".join(block))
            block = None
        elif block is not None:
            block.append(line)
    return blocks


def stub(source: str) -> str:
    """Return `source` with each marked block replaced; unchanged where none is marked.

    Raises ValueError for unpaired markers, or a block that gives no stub.
    """
    lines: list[str] = []
    block: list[str] | None = None
    for line in source.split("\n"):
        marker = line.strip()
        if marker in (BEGIN, KERNEL_BEGIN):
            if block is not None:
                raise ValueError(f"{marker} twice without an END SOLUTION between")
            block, end = [], {BEGIN: END, KERNEL_BEGIN: KERNEL_END}[marker]
        elif marker in (END, KERNEL_END):
            if block is None or marker != end:
                raise ValueError(f"{marker} without {marker.replace('END', 'BEGIN')}")
            lines += _stub_of(block) if end == END else _kernel_stub_of(block)
            block = None
        elif block is None:
            lines.append(line)
        else:
            block.append(line)
    if block is not None:
        raise ValueError(f"{end.replace('END', 'BEGIN')} without {end}")
    result = "\n".join(lines)
    if result != source:
        _must_compile(result)
    return result


def _stub_of(block: list[str]) -> list[str]:
    first = next((line for line in block if line.strip()), None)
    if first is None:
        raise ValueError("the solution between the markers is empty")
    indent = first[: len(first) - len(first.lstrip())]
    if indent:
        return [indent + YOUR_CODE, indent + "return ..."]
    names = _bound_names("\n".join(block))
    if not names:
        raise ValueError("the solution binds no name, so its stub would be empty")
    return [YOUR_CODE] + [f"{name} = ..." for name in names]


def _kernel_stub_of(block: list[str]) -> list[str]:
    first = next((line for line in block if line.strip()), None)
    if first is None:
        raise ValueError("the solution between the markers is empty")
    indent = first[: len(first) - len(first.lstrip())]
    return [f"{indent}// your code here", f"{indent}..."]


def _bound_names(code: str) -> list[str]:
    """Return the names that a block at the margin binds, in order."""
    names: list[str] = []
    for statement in ast.parse(textwrap.dedent(code)).body:
        if isinstance(statement, (ast.FunctionDef, ast.ClassDef)):
            names.append(statement.name)
        elif isinstance(statement, (ast.Assign, ast.AnnAssign, ast.AugAssign)):
            targets = statement.targets if isinstance(statement, ast.Assign) else [statement.target]
            names += [
                node.id
                for target in targets
                for node in ast.walk(target)
                if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store)
            ]
    return list(dict.fromkeys(names))


def _must_compile(source: str) -> None:
    try:
        compile(source, "the stub", "exec")
    except SyntaxError as error:
        raise ValueError(f"its stub is not valid Python ({error.msg})") from error
