"""A small checkout of one chapter and one lab, made without starting a kernel."""

import base64
import io
from pathlib import Path

import pytest
from nbformat import NotebookNode
from nbformat.v4 import new_code_cell, new_markdown_cell, new_notebook, new_output

from convladder.cli.get import LANGUAGE
from tools.notebooks.labs import make_lab
from tools.notebooks.notebook import normalise, write

SOLUTION = '''\
def double(x):
    """Twice x."""
    ### BEGIN SOLUTION
    y = x + x
    return y
    ### END SOLUTION'''


def stream(text: str, name: str = "stdout") -> NotebookNode:
    return new_output("stream", name=name, text=text)


def picture() -> NotebookNode:
    """An output as a `Picture` leaves it: 1×1 pixel, with alt text."""
    from PIL import Image

    png = io.BytesIO()
    Image.new("RGB", (1, 1)).save(png, "PNG")
    data = {"image/png": base64.b64encode(png.getvalue()).decode(), "text/plain": "Picture: dot"}
    return new_output("display_data", data, metadata={"image/png": {"alt": "dot"}})


def notebook(*cells: str | tuple[str, list[NotebookNode]]) -> NotebookNode:
    """A notebook as if executed: "# ..." is a text cell, a pair is a code cell with outputs."""
    nb, executed = new_notebook(metadata={"language_info": LANGUAGE}), 0
    for cell in cells:
        source, outputs = cell if isinstance(cell, tuple) else (cell, [])
        if source.startswith("# "):
            nb.cells.append(new_markdown_cell(source))
        else:
            executed += 1
            nb.cells.append(new_code_cell(source, outputs=outputs, execution_count=executed))
    return normalise(nb)


def chapter() -> NotebookNode:
    """A chapter that keeps every rule."""
    return notebook(
        "# 01 · A chapter\n\n**Time** 5 minutes",
        "x = 1",
        ("print(x)", [stream("1\n")]),
        ("show()", [picture()]),
    )


def solution() -> NotebookNode:
    """A solved lab that keeps every rule."""
    return notebook(
        "# Lab 01 · A lab\n\n**Time** 5 minutes",
        SOLUTION,
        ("print(double(2))", [stream("4\n")]),
    )


def lab() -> NotebookNode:
    """The lab of `solution()`, as executed."""
    nb = make_lab(solution(), "01_a.ipynb")
    for count, cell in enumerate(nb.cells[1:], 1):
        cell.execution_count = count
    nb.cells[2].outputs = [stream("Ellipsis\n")]
    return nb


@pytest.fixture
def checkout(tmp_path: Path) -> Path:
    """course/, solutions/ and labs/ with one notebook each, in which nothing is wrong."""
    for folder, nb in (("course", chapter()), ("solutions", solution()), ("labs", lab())):
        write(nb, tmp_path / folder / "01_a.ipynb")
    return tmp_path
