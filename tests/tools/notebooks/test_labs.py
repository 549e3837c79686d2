"""A solution becomes a stub that runs, and says in words why one cannot be made."""

import pytest

from tools.notebooks.labs import labs, make_lab, stub
from tools.notebooks.notebook import NotebookError, read, write

from .conftest import SOLUTION, notebook, solution

STUBS = {
    "body of a function": (
        SOLUTION,
        'def double(x):\n    """Twice x."""\n    # your code here\n    return ...',
    ),
    "deeper": (
        "class A:\n    def f(self):\n        ### BEGIN SOLUTION\n        return 1\n"
        "        ### END SOLUTION",
        "class A:\n    def f(self):\n        # your code here\n        return ...",
    ),
    "names at the margin": (
        "### BEGIN SOLUTION\nimport math\na = math.pi\nb, (c, *d) = 1, (2, 3)\na += 1\n"
        "e: int = 2\ndef f(x):\n    y = x\nclass G:\n    pass\n"
        "table[0] = 9\n### END SOLUTION\nprint(a)",
        "# your code here\na = ...\nb = ...\nc = ...\nd = ...\ne = ...\nf = ...\nG = ...\nprint(a)",
    ),
    "two in one cell": (
        "def f(x):\n    ### BEGIN SOLUTION\n    return x\n    ### END SOLUTION\n"
        "### BEGIN SOLUTION\na = 1\n### END SOLUTION",
        "def f(x):\n    # your code here\n    return ...\n# your code here\na = ...",
    ),
    "a blank first line": (
        "def f(x):\n    ### BEGIN SOLUTION\n\n    return x\n    ### END SOLUTION",
        "def f(x):\n    # your code here\n    return ...",
    ),
    "in the text of a kernel": (
        'k = r"""\nvoid f(float *x)\n{\n    // BEGIN SOLUTION\n    x[0] = 1;\n'
        '    // END SOLUTION\n}\n"""',
        'k = r"""\nvoid f(float *x)\n{\n    // your code here\n    ...\n}\n"""',
    ),
    "nothing marked": ("x = 1  # BEGIN SOLUTION", "x = 1  # BEGIN SOLUTION"),
}


@pytest.mark.parametrize("source, expected", STUBS.values(), ids=STUBS)
def test_stub(source, expected):
    assert stub(source) == expected


IMPOSSIBLE = {
    "### BEGIN SOLUTION\na = 1": "### BEGIN SOLUTION without ### END SOLUTION",
    "a = 1\n### END SOLUTION": "### END SOLUTION without ### BEGIN SOLUTION",
    "### BEGIN SOLUTION\n### BEGIN SOLUTION\na = 1\n### END SOLUTION": "twice",
    "### BEGIN SOLUTION\n### END SOLUTION": "is empty",
    "// BEGIN SOLUTION\n// END SOLUTION": "is empty",
    "### BEGIN SOLUTION\na = 1\n// END SOLUTION": "// END SOLUTION without // BEGIN SOLUTION",
    "### BEGIN SOLUTION\nprint(1)\n### END SOLUTION": "binds no name",
    "for x in y:\n    ### BEGIN SOLUTION\n    x()\n    ### END SOLUTION": "not valid Python",
}


@pytest.mark.parametrize("source, words", IMPOSSIBLE.items(), ids=IMPOSSIBLE.values())
def test_what_gives_no_stub_names_notebook_and_cell(source, words):
    with pytest.raises(NotebookError, match=words) as caught:
        make_lab(notebook("# Lab 01 · A", source), "01_a.ipynb")
    assert str(caught.value).startswith("solutions/01_a.ipynb, cell 2: ")


def test_a_lab_keeps_ids_text_and_tags_but_no_outputs():
    solved = solution()
    solved.cells[2].metadata.tags = ["nbval-ignore-output"]
    lab = make_lab(solved, "01_a.ipynb")
    assert [cell.id for cell in lab.cells] == [cell.id for cell in solved.cells]
    assert lab.cells[0] == solved.cells[0]
    assert lab.cells[2].metadata == solved.cells[2].metadata
    assert lab.cells[2].outputs == [] and solved.cells[2].outputs != []
    assert "return ..." in lab.cells[1].source and "return ..." not in solved.cells[1].source


def test_labs_are_written_executed_and_stable(checkout):
    (checkout / "labs" / "01_a.ipynb").unlink()
    lines = []
    assert labs(checkout, say=lines.append) == [checkout / "labs" / "01_a.ipynb"]
    assert read(checkout / "labs" / "01_a.ipynb").cells[2].outputs[0].text == "Ellipsis\n"
    assert labs(checkout, "1", say=lines.append) == []
    assert lines == ["labs/01_a.ipynb: written", "labs/01_a.ipynb: unchanged"]


@pytest.mark.weekly
def test_a_lab_that_fails_untouched_is_not_written(checkout):
    path = checkout / "labs" / "01_a.ipynb"
    before = path.read_text(encoding="utf-8")
    solved = notebook("# Lab 01 · A", SOLUTION, ("double(2) + 1", []))
    write(solved, checkout / "solutions" / "01_a.ipynb")
    with pytest.raises(NotebookError, match="labs/01_a.ipynb, cell 3 .* TypeError"):
        labs(checkout)
    assert path.read_text(encoding="utf-8") == before


def test_labs_from_nothing_is_an_error(checkout):
    with pytest.raises(NotebookError, match="no solutions/07"):
        labs(checkout, "07")
