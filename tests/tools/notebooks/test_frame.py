"""What is around the cells: bars from the names of files, times by the rule, folded answers."""

import pytest
from nbformat.v4 import new_code_cell, new_markdown_cell, new_notebook, new_output

from tools.notebooks.bars import bar, bar_findings, is_bar
from tools.notebooks.folds import FOLDED, folded
from tools.notebooks.frame import write_bars
from tools.notebooks.notebook import normalise, read, source_ids, write
from tools.notebooks.reading_time import minutes, time_findings, with_time
from tools.notebooks.rules import check

from .conftest import SOLUTION, notebook, picture


@pytest.fixture
def three(checkout):
    """The checkout with a chapter before and one behind, which have no lab."""
    for name, title in (("00_start", "# 00 · Start here: what"), ("02_b", "# 02 · B: why")):
        write(notebook(title, "x = 1"), checkout / "course" / f"{name}.ipynb")
    return checkout


def test_a_bar_leads_to_what_is_there(three):
    assert bar(three / "course/01_a.ipynb") == (
        "[← 00 Start here](00_start.ipynb) · [Lab 01](../labs/01_a.ipynb) · "
        "[Solution](../solutions/01_a.ipynb) · [02 B →](02_b.ipynb) · [Map](00_start.ipynb)"
    )
    assert bar(three / "course/00_start.ipynb") == "[01 A chapter →](01_a.ipynb) · **Map**"
    assert bar(three / "course/02_b.ipynb") == (
        "[← 01 A chapter](01_a.ipynb) · [Map](00_start.ipynb)"
    )
    assert (
        bar(three / "labs/01_a.ipynb")
        == bar(three / "solutions/01_a.ipynb")
        == (
            "[← 01 A chapter](../course/01_a.ipynb) · [Lab 01](../labs/01_a.ipynb) · "
            "[Solution](../solutions/01_a.ipynb) · [02 B →](../course/02_b.ipynb) · "
            "[Map](../course/00_start.ipynb)"
        )
    )


def test_a_chapter_put_between_moves_the_bars(three):
    before = read(three / "course/01_a.ipynb")
    write_bars(three)
    write(notebook("# 01 · Between: two"), three / "course" / "01_between.ipynb")
    stale = list(bar_findings(read(three / "course/01_a.ipynb"), three / "course/01_a.ipynb"))
    assert [what for what, _ in stale] == ["its bars are not what the files give"]
    write_bars(three)
    now = read(three / "course/01_a.ipynb")
    assert "[01 Between →](01_between.ipynb)" in now.cells[1].source
    kept = [cell.source for cell in now.cells if not is_bar(cell)]
    assert kept == [cell.source for cell in before.cells if not is_bar(cell)]


def test_writing_twice_changes_nothing_and_a_lab_follows_its_solution(three):
    write_bars(three)
    assert write_bars(three) == []
    assert [str(each) for each in check(three).findings if "labs/" in each.notebook] == []


BOX = "# 01 · A\n\n> **Time** {} to read.\n\n"


def timed(words=0, lines=0, said="45 minutes", *more):
    nb = new_notebook()
    nb.cells = [
        new_markdown_cell(BOX.format(said) + "word " * (words - 6)),
        *([new_code_cell("\n".join(["x = 1"] * lines))] if lines else []),
        *more,
    ]
    return normalise(nb)


@pytest.mark.parametrize(
    "nb, expected",
    [
        (timed(), 5),
        (timed(1500), 10),
        (timed(1500, 300), 45),
        (timed(1500, 0, "x", *[new_code_cell(f"prediction_{n} = ...  # %") for n in range(9)]), 20),
        (timed(1500, 0, "x", *[new_code_cell(f"explore(f{n}, a=[1])") for n in range(5)]), 25),
        (
            timed(1500, 0, "x", new_markdown_cell("[a](" + "b" * 9000 + ' "' + "c " * 900 + '")')),
            10,
        ),
        (timed(0, 0, "x", *[new_code_cell(f"n = {n}\n" + SOLUTION) for n in range(6)]), 45),
    ],
)
def test_the_rule(nb, expected):
    assert minutes(nb) == expected


def test_what_a_cell_shows_is_read_too():
    shown = new_code_cell(
        "show(f)",
        outputs=[new_output("display_data", {"text/markdown": "x", "text/plain": "line\n" * 300})],
    )
    assert minutes(timed(0, 0, "x", shown)) == 35


@pytest.mark.parametrize(
    "said, found",
    [
        ("10 minutes", 0),
        ("15 minutes", 0),
        ("5 minutes", 0),
        ("20 minutes", 1),
        ("an hour", 1),
        ("some time", 1),
    ],
)
def test_a_box_that_is_off_by_more_than_a_step_is_found_and_mended(said, found):
    nb = timed(1500, 0, said)
    assert len(list(time_findings(nb, "course/01_a.ipynb"))) == found
    with_time(nb)
    left = list(time_findings(nb, "course/01_a.ipynb"))
    assert len(left) == (said == "some time")
    assert found or said in nb.cells[0].source
    assert said != "an hour" or "**Time** 10 minutes to read" in nb.cells[0].source


def test_a_long_chapter_says_what_to_skip():
    nb = timed(15_000, 0, "100 minutes")
    ((what, _),) = time_findings(nb, "course/01_a.ipynb")
    assert what == "takes 100 minutes"
    assert not list(time_findings(nb, "solutions/01_a.ipynb"))
    nb.cells[0].source += " On first reading, skip the rest."
    assert not list(time_findings(nb, "course/01_a.ipynb"))


ASK, TELL = "prediction = ...  # times", "versus(prediction, 3)"


def places(*cells):
    nb = new_notebook()
    nb.cells = [
        new_markdown_cell(source)
        if source.startswith(("#", "text"))
        else new_code_cell(source, outputs=[picture()])
        for source in cells
    ]
    return folded(nb)


@pytest.mark.parametrize(
    "cells, found",
    [
        (("x", ASK, "text", "y", TELL, "text", "z"), {3, 4}),
        ((ASK, TELL, "y", "table(rows)", "text", "z"), {1, 2, 3}),
        ((ASK, TELL, "explore(f, a=[1])", "show(f)", "y"), {1, 4}),
        ((ASK, "show(f)", "banner()", "y", TELL), {3, 4}),
        ((ASK, "y", "text\n\n## Next", "z", TELL), {1, 4}),
        ((ASK, TELL, "y", ASK, TELL), {1, 2, 4}),
        (
            (
                "prediction_a = ...\nprediction_b = ...",
                "versus(prediction_a, 1)",
                "versus(prediction_b, 1)",
            ),
            {1, 2},
        ),
        (
            (
                "prediction_a = ...\nprediction_b = ...",
                "versus(prediction_a, 1)",
                "y",
                "versus(prediction_b, 1)",
            ),
            {1, 2, 3},
        ),
        (("first_look()", "y"), set()),
        (("prediction = 3", "y", TELL), set()),
        (("guess = ...", "y", "versus(guess, 1)"), set()),
        (("y", TELL), set()),
    ],
)
def test_what_answers_a_prediction_is_folded(cells, found):
    assert places(*cells) == found


def test_a_fold_is_kept_in_the_file_and_nothing_else_of_that_kind():
    nb = new_notebook()
    nb.cells = [
        new_code_cell(ASK),
        new_code_cell(TELL, outputs=[picture()]),
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
