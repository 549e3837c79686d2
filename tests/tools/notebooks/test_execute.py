"""Notebooks run with this interpreter in their own folder, and a failure saves nothing."""

import os
import sys
from pathlib import Path

import pytest

from tools.notebooks import execute as module
from tools.notebooks.execute import execute, run
from tools.notebooks.notebook import NotebookError, read, write

from .conftest import notebook


def test_interpreter_folder_and_outputs(tmp_path, monkeypatch):
    """A user's own kernel named python3 does not come in between."""
    spec = tmp_path / "share" / "kernels" / "python3" / "kernel.json"
    spec.parent.mkdir(parents=True)
    spec.write_text('{"argv": ["no-such-python"], "display_name": "x", "language": "python"}')
    monkeypatch.setenv("JUPYTER_PATH", str(tmp_path / "share"))
    monkeypatch.setenv("JUPYTER_PREFER_ENV_PATH", "0")
    path = tmp_path / "course" / "01_a.ipynb"
    nb = execute(notebook("# 01 · A", "import os, sys", "print(os.getcwd(), sys.executable)"), path)
    folder = os.path.realpath(path.parent)
    assert nb.cells[2].outputs[0].text == f"{folder} {sys.executable}\n"
    assert [cell.get("execution_count") for cell in nb.cells] == [None, 1, 2]


def test_a_failing_cell_is_named_nothing_is_saved_and_the_others_run(tmp_path):
    bad, good = tmp_path / "course" / "01_a.ipynb", tmp_path / "course" / "02_b.ipynb"
    write(notebook("# 01 · A", "x = 1", "x / 0\n2", "x"), bad)
    write(notebook("# 02 · B", ("1 + 1", [])), good)
    before = bad.read_text(encoding="utf-8")
    with pytest.raises(NotebookError) as caught:
        run([bad, good])
    assert str(caught.value).startswith(
        "course/01_a.ipynb, cell 3 (x / 0): ZeroDivisionError: division by zero; "
        "the notebook was not saved"
    )
    assert bad.read_text(encoding="utf-8") == before
    assert read(good).cells[1].outputs[0].data["text/plain"] == "2"


@pytest.mark.weekly
def test_a_cell_that_never_ends_is_named(tmp_path, monkeypatch):
    monkeypatch.setattr(module, "CELL_TIMEOUT", 1)
    nb = notebook("# 01 · A", "import time", "time.sleep(60)")
    with pytest.raises(NotebookError, match=r"cell 3 \(time.sleep\(60\)\): took more than 1 s"):
        execute(nb, tmp_path / "01_a.ipynb")


@pytest.mark.weekly
def test_a_kernel_that_dies_is_named(tmp_path):
    nb = notebook("# 01 · A", "import os", "os._exit(1)")
    with pytest.raises(NotebookError, match=r"cell 3 \(os._exit\(1\)\): the kernel died"):
        execute(nb, tmp_path / "01_a.ipynb")


def test_what_is_not_a_notebook_is_said_to_be_none(tmp_path):
    path = Path(tmp_path / "01_a.ipynb")
    path.write_text("not JSON")
    with pytest.raises(NotebookError, match="01_a.ipynb is not a notebook"):
        run([path])
