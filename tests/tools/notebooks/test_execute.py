"""Notebooks run with this interpreter in their own folder, and a failure saves nothing."""

import os
import sys

import pytest

from tools.notebooks.execute import run
from tools.notebooks.notebook import NotebookError, read, write

from .conftest import notebook


def test_a_failing_cell_is_named_nothing_is_saved_and_the_others_run(tmp_path, monkeypatch):
    """A user's own kernel named python3 does not come in between."""
    spec = tmp_path / "share" / "kernels" / "python3" / "kernel.json"
    spec.parent.mkdir(parents=True)
    spec.write_text('{"argv": ["no-such-python"], "display_name": "x", "language": "python"}')
    monkeypatch.setenv("JUPYTER_PATH", str(tmp_path / "share"))
    monkeypatch.setenv("JUPYTER_PREFER_ENV_PATH", "0")
    bad, good = tmp_path / "course" / "01_a.ipynb", tmp_path / "course" / "02_b.ipynb"
    write(notebook("# 01 · A", "x = 1", "x / 0\n2", "x"), bad)
    write(notebook("# 02 · B", "import os, sys", "print(os.getcwd(), sys.executable)"), good)
    before = bad.read_text(encoding="utf-8")
    with pytest.raises(NotebookError) as caught:
        run([bad, good])
    assert str(caught.value).startswith(
        "course/01_a.ipynb, cell 3 (x / 0): ZeroDivisionError: division by zero; "
        "the notebook was not saved"
    )
    assert bad.read_text(encoding="utf-8") == before
    cells = read(good).cells
    assert cells[2].outputs[0].text == f"{os.path.realpath(good.parent)} {sys.executable}\n"
    assert [cell.get("execution_count") for cell in cells] == [None, 1, 2]
