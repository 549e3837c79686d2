"""The chapters that use a GPU are found, run, compared and timed: here on notebooks of our own."""

import json
import subprocess
import sys

import nbformat
import pytest
from nbformat.v4 import new_code_cell, new_markdown_cell, new_notebook, new_output

from convladder.bench.records import load_records
from convladder.journal import course_root
from tools.notebooks.live import PATIENCE, gpu_notebooks
from tools.notebooks.notebook import NotebookError

RUN = """
import json, sys
from pathlib import Path
from tools.notebooks.live import as_record, gpu_notebooks, run_live
root = Path(sys.argv[1])
print(json.dumps(as_record(run_live(root, gpu_notebooks(root), 1, print), {"date": "today"})))
"""


def printing(source: str, text: str):
    return new_code_cell(
        source, execution_count=1, outputs=[new_output("stream", name="stdout", text=text)]
    )


@pytest.fixture
def checkout(tmp_path):
    """A chapter that uses a GPU with its lab, and one that does not."""
    (tmp_path / "pyproject.toml").write_text("[tool.pytest.ini_options]\n")

    def add(name: str, *cells) -> None:
        path = tmp_path / name
        path.parent.mkdir(exist_ok=True)
        nbformat.write(new_notebook(cells=list(cells)), path)

    add("course/01_without.ipynb", new_markdown_cell("**Time** 1 minute. **GPU** no.\n"))
    add(
        "course/06_with.ipynb",
        new_markdown_cell("**GPU** used if present."),
        printing("print(1)", "1\n"),
        new_markdown_cell("Text."),
        printing("print(2)", "3\n"),
        new_code_cell("raise ValueError('no')"),
    )
    add("labs/06_with.ipynb", printing("print(1)", "1\n"))
    return tmp_path


@pytest.mark.weekly
def test_differences_and_errors_are_told_by_cell(checkout):
    """In a process of its own: pytest within pytest would count these as failures of ours."""
    done = subprocess.run(
        [sys.executable, "-c", RUN, str(checkout)], capture_output=True, text=True, check=True
    )
    *said, record = done.stdout.splitlines()
    assert [line.partition(" cells")[0] for line in said] == [
        "course/06_with.ipynb: 3",
        "labs/06_with.ipynb: 1",
    ]
    assert said[0].endswith("WRONG: cells 4, 5")
    made = json.loads(record)
    assert next(iter(made)) == "date" and list(made["notebooks"]) == [
        "course/06_with.ipynb",
        "labs/06_with.ipynb",
    ]
    chapter, lab = made["notebooks"].values()
    assert list(chapter["seconds"]) == ["2", "4", "5"] and min(chapter["seconds"].values()) >= 0
    assert "Cell outputs differ" in "".join(chapter["wrong"]["4"])
    assert "ValueError" in "".join(chapter["wrong"]["5"])
    assert list(lab["seconds"]) == ["1"] and not lab["wrong"]


def test_those_that_use_a_gpu_are_found_by_what_they_say(checkout):
    assert [path.name for path in gpu_notebooks(checkout)] == 2 * ["06_with.ipynb"]
    with pytest.raises(NotebookError, match="no chapter 01 that uses a GPU"):
        gpu_notebooks(checkout, ["01"])
    names = {path.name[:2] for path in gpu_notebooks(course_root())}
    assert {"07", "08", "09", "10", "13", "14", "15", "16", "18"} <= names
    assert not names & {"00", "01", "02", "03", "04", "05", "06", "17"}


def test_what_gpus_said_is_without_a_fault():
    for record in load_records("live"):
        for name, notebook in record["notebooks"].items():
            assert not notebook["wrong"], f"{name}: {notebook['wrong'].keys()}"
            if record["jobs"] == 1:  # beside others a cell takes longer
                assert max(notebook["seconds"].values()) <= PATIENCE, name
