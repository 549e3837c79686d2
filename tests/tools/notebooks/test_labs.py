"""A solution becomes a lab, or it is said why not. The course's labs prove what a stub is."""

import pytest

from tools.notebooks.labs import labs, make_lab
from tools.notebooks.notebook import NotebookError

from .conftest import notebook

IMPOSSIBLE = {
    "### BEGIN SOLUTION\na = 1": "### BEGIN SOLUTION without ### END SOLUTION",
    "a = 1\n### END SOLUTION": "### END SOLUTION without ### BEGIN SOLUTION",
    "### BEGIN SOLUTION\n### BEGIN SOLUTION\na = 1\n### END SOLUTION": "twice",
    "### BEGIN SOLUTION\n### END SOLUTION": "is empty",
    "### BEGIN SOLUTION\na = 1\n// END SOLUTION": "// END SOLUTION without // BEGIN SOLUTION",
    "### BEGIN SOLUTION\nprint(1)\n### END SOLUTION": "binds no name",
    "for x in y:\n    ### BEGIN SOLUTION\n    x()\n    ### END SOLUTION": "not valid Python",
}


@pytest.mark.parametrize("source, words", IMPOSSIBLE.items(), ids=IMPOSSIBLE.values())
def test_what_gives_no_stub_names_notebook_and_cell(source, words):
    with pytest.raises(NotebookError, match=words) as caught:
        make_lab(notebook("# Lab 01 · A", source), "01_a.ipynb")
    assert str(caught.value).startswith("solutions/01_a.ipynb, cell 2: ")


def test_labs_are_written_executed_and_stable(checkout):
    path = checkout / "labs" / "01_a.ipynb"
    before = path.read_text(encoding="utf-8")
    path.unlink()
    assert labs(checkout, "1") == [path]
    assert path.read_text(encoding="utf-8") == before and "Ellipsis" in before
