"""What is around the cells: bars, times, folded answers.

What the rules give is proved by the course: its notebooks hold all three (tests/test_notebooks.py).
"""

import pytest
from nbformat.v4 import new_code_cell, new_markdown_cell, new_notebook

from tools.notebooks.bars import bar_findings, is_bar
from tools.notebooks.folds import FOLDED
from tools.notebooks.frame import write_bars
from tools.notebooks.notebook import normalise, read, source_ids, write
from tools.notebooks.reading_time import time_findings, with_time
from tools.notebooks.rules import check

from .conftest import notebook, picture


def test_a_chapter_put_between_moves_the_bars(checkout):
    path = checkout / "course/01_a.ipynb"
    before = read(path)
    write(notebook("# 02 · B: why", "x = 1"), checkout / "course" / "02_b.ipynb")
    write_bars(checkout)
    assert write_bars(checkout) == []
    assert [str(each) for each in check(checkout).findings if "labs/" in each.notebook] == []
    write(notebook("# 01 · Between: two"), checkout / "course" / "01_between.ipynb")
    stale = list(bar_findings(read(path), path))
    assert [what for what, _ in stale] == ["its bars are not what the files give"]
    write_bars(checkout)
    now = read(path)
    assert "[01 Between →](01_between.ipynb)" in now.cells[1].source
    kept = [cell.source for cell in now.cells if not is_bar(cell)]
    assert kept == [cell.source for cell in before.cells if not is_bar(cell)]


def timed(words, said):
    """A chapter of so many words, whose box says how long they take."""
    text = f"# 01 · A\n\n> **Time** {said} to read.\n\n" + "word " * words
    return normalise(new_notebook(cells=[new_markdown_cell(text)]))


@pytest.mark.parametrize(
    "said, found",
    [("15 minutes", 0), ("20 minutes", 1), ("an hour", 1), ("some time", 1)],
)
def test_a_box_that_is_off_by_more_than_a_step_is_found_and_mended(said, found):
    nb = timed(1500, said)
    assert len(list(time_findings(nb, "course/01_a.ipynb"))) == found
    with_time(nb)
    left = list(time_findings(nb, "course/01_a.ipynb"))
    assert len(left) == (said == "some time")
    assert found or said in nb.cells[0].source
    assert said != "an hour" or "**Time** 10 minutes to read" in nb.cells[0].source


def test_a_long_chapter_says_what_to_skip():
    nb = timed(15_000, "100 minutes")
    ((what, _),) = time_findings(nb, "course/01_a.ipynb")
    assert what == "takes 100 minutes"
    assert not list(time_findings(nb, "solutions/01_a.ipynb"))
    nb.cells[0].source += " On first reading, skip the rest."
    assert not list(time_findings(nb, "course/01_a.ipynb"))


def test_a_fold_is_kept_in_the_file_and_nothing_else_of_that_kind():
    nb = new_notebook()
    nb.cells = [
        new_code_cell("prediction = ...  # times"),
        new_code_cell("versus(prediction, 3)", outputs=[picture()]),
        new_code_cell("y", metadata={"jupyter": {"outputs_hidden": True}, "tags": ["a"]}),
        new_code_cell("z", metadata={"jupyter": {"source_hidden": True}}),
    ]
    normalise(nb)
    assert [dict(cell.metadata) for cell in nb.cells] == [{}, FOLDED, {"tags": ["a"]}, {}]
    hidden = nb.cells[1].outputs
    assert "data" in hidden[0] and not hidden[0].data, (
        "JupyterLab shows the first output's first line"
    )
    normalise(nb)
    assert nb.cells[1].outputs == hidden and len(hidden) == 2
    nb.cells[0].source = "prediction = 3"
    normalise(nb)
    assert nb.cells[1].outputs == hidden[1:]
    assert source_ids(nb) == [cell.id for cell in nb.cells]
