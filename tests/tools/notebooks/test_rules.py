"""Each rule is seen to pass on a sound checkout and to fail on a notebook that breaks it."""

import pytest
from nbformat.v4 import new_code_cell, new_markdown_cell, new_output

from convladder.cli.saving import WIDGET_VIEW
from tools.notebooks.bars import REMEDY
from tools.notebooks.notebook import normalise, read, write
from tools.notebooks.rules import check

from .conftest import picture, stream


def told(checkout) -> list[str]:
    """All findings but those about bars, which the small notebooks here lack: test_frame.py."""
    return [str(finding) for finding in check(checkout).findings if finding.remedy != REMEDY]


def test_a_sound_checkout_has_no_findings(checkout):
    """What else is allowed, the course itself shows."""
    assert told(checkout) == []


def changed(checkout, change, folder="course") -> list[str]:
    """Change the notebook of a folder and return what is told."""
    path = checkout / folder / "01_a.ipynb"
    nb = read(path)
    change(nb)
    write(nb, path)
    return told(checkout)


def break_cell(**changes):
    """Change the second code cell (cell 3) and save in the normal form."""

    def change(nb):
        nb.cells[2].update(changes)
        normalise(nb)

    return change


def add(source, *outputs, tags=None):
    """Add a code cell (cell 5) that has run."""

    def change(nb):
        cell = new_code_cell(source, outputs=list(outputs), execution_count=4)
        cell.metadata.update({"tags": tags} if tags else {})
        nb.cells.append(cell)
        normalise(nb)

    return change


def moving(*sources):
    """Cells of which the last but one is followed by a picture with controls."""
    *before, last = [new_code_cell(source) for source in sources]
    return [*before, new_code_cell("explore(draw, n=(1, 2))", outputs=[picture()]), last]


def result(**data):
    return new_output(
        "execute_result", {k.replace("_", "/"): v for k, v in data.items()}, execution_count=4
    )


def no_alt():
    output = picture()
    output.metadata = {}
    return output


def numbered_picture(nb):
    add("show()", picture())(nb)
    nb.cells[-1].outputs[0]["execution_count"] = 4  # a result has one, what is displayed has none


WIDGET_ONLY = new_output("display_data", {WIDGET_VIEW: {"model_id": "1"}, "text/plain": "w"})

BROKEN = {
    "an output that no reader takes": (
        numbered_picture,
        "is not a valid notebook: Additional properties",
    ),
    "import of a file": (
        add("from convladder.cpu.mec import lower"),
        "cell 5: imports from convladder.cpu.mec",
    ),
    "never executed": (
        break_cell(execution_count=None, outputs=[]),
        "cell 3: execution count None, not 2",
    ),
    "executed out of order": (break_cell(execution_count=7), "cell 3: execution count 7, not 2"),
    "print without output": (break_cell(outputs=[]), "cell 3: holds no output though"),
    "value without output": (add("x"), "cell 5: holds no output though"),
    "display inside": (add("display(x)\ny = 2"), "cell 5: holds no output though"),
    "error": (
        add("1 / 0", new_output("error", ename="ZeroDivisionError", evalue="", traceback=[])),
        "cell 5: holds the error ZeroDivisionError",
    ),
    "stderr": (add("warn()", stream("UserWarning: x", "stderr")), "cell 5: writes to stderr"),
    "empty text cell": (lambda nb: nb.cells.append(new_markdown_cell(" \n")), "cell 5: is empty"),
    "backticks in a summary": (
        lambda nb: nb.cells[0].update(
            source=nb.cells[0].source + "\n\n<details><summary>What is `x`?</summary></details>"
        ),
        "cell 1: has backticks in <summary>What is `x`?",
    ),
    "a time of one machine": (
        lambda nb: nb.cells.append(new_markdown_cell("The fast one takes 3.5 ms here.")),
        "cell 5: names 3.5 ms, which no output",
    ),
    "path in a source": (add("path = '/home/ann/x.png'"), "absolute path /home/ann"),
    "path in a stream": (add("print(p)", stream("saved /tmp/x.png\n")), "absolute path /tmp/x"),
    "path in HTML": (add("p", result(text_html="<b>C:\\Users</b>", text_plain="p")), "path C:\\"),
    "memory address": (
        add("f", result(text_plain="<function f at 0x7f12ab34cd56>")),
        "cell 5: prints a memory address",
    ),
    "timings": (
        lambda nb: nb.cells[2].metadata.update(execution={"iopub.execute_input": "now"}),
        "cell 3: metadata beyond tags and folds (execution)",
    ),
    "another tag": (add("y = 1", tags=["nbval-skip"]), "cell 5: has the tag 'nbval-skip'"),
    "comment marker": (add("# NBVAL_IGNORE_OUTPUT\ny = 1"), "has the comment # NBVAL_IGNORE"),
    "kernelspec": (lambda nb: nb.metadata.kernelspec.update(name="conda"), "its kernelspec is"),
    "long cell": (add("\n".join(f"x{n} = {n}" for n in range(16))), "cell 5: 16 lines of code"),
    "not Python": (add("for for"), "cell 5: is not Python"),
    "no title": (lambda nb: nb.cells.pop(0), "cell 1: does not begin with a title"),
    "wrong number": (lambda nb: nb.cells[0].update(source="# 02 · A chapter"), "`# 01 · ...`"),
    "cell ids": (lambda nb: nb.cells[1].update(id="mine"), "not in the saved form"),
    "widget alone": (add("w", WIDGET_ONLY), "cell 5: shows a widget that leaves no picture"),
    "no alt text": (add("draw()", no_alt()), "cell 5: shows a picture without alt text"),
    "a name taken from a picture": (
        lambda nb: nb.cells.extend(
            moving(
                "y = 2",
                "def f(a):\n    return [y + x for _ in a]",
                "def draw(n):\n    return f(n)",
                "for y in range(3): pass",
            )
        ),
        "cell 9: binds 'y' anew, which the picture of cell 8 reads",
    ),
}


@pytest.mark.parametrize("change, words", BROKEN.values(), ids=BROKEN)
def test_a_broken_chapter_is_found_out(checkout, change, words):
    findings = changed(checkout, change)
    assert any(words in finding for finding in findings), findings
    assert all(finding.startswith("course/01_a.ipynb") for finding in findings)


def test_a_chapter_that_was_never_executed_is_one_finding(checkout):
    def clear(nb):
        for cell in nb.cells[1:]:
            cell.update(outputs=[], execution_count=None)

    assert changed(checkout, clear) == [
        "course/01_a.ipynb: was never executed; run `python -m tools notebooks run 01`"
    ]


EDITS = {  # a folder, what is done to its notebook, and a finding
    "a large file": (
        "course", lambda nb: nb.cells[0].update(source="x" * 1_000_000), "not under 1,000,000",
    ),
    "a lab edited by hand": (
        "labs", lambda nb: nb.cells[1].update(source="my code"),
        "labs/01_a.ipynb, cell 2: its source is not what the solution gives; "
        "edit solutions/ and run `python -m tools notebooks labs`",
    ),
    "a solution edited without its lab": (
        "solutions", lambda nb: nb.cells[0].update(source="# Lab 01!"),
        "labs/01_a.ipynb, cell 1: its id is not what the solution gives",
    ),
    "a cell fewer": ("labs", lambda nb: nb.cells.pop(), "2 cells where the solution gives 3"),
}  # fmt: skip


@pytest.mark.parametrize("case", EDITS)
def test_an_edited_notebook_is_found_out(checkout, case):
    folder, edit, words = EDITS[case]
    findings = changed(checkout, lambda nb: (edit(nb), normalise(nb)), folder)
    assert any(words in finding for finding in findings)


@pytest.mark.parametrize("folder", ["course", "solutions", "labs"])
def test_finding_nothing_to_compare_is_a_finding(checkout, folder):
    (checkout / folder / "01_a.ipynb").unlink()
    assert any(finding.startswith(f"{folder}/: no notebook") for finding in told(checkout))


def test_a_lab_and_a_solution_come_in_pairs(checkout):
    text = (checkout / "labs" / "01_a.ipynb").read_text().replace("Lab 01", "Lab 02")
    (checkout / "labs" / "02_b.ipynb").write_text(text)
    assert "labs/02_b.ipynb: has no solution; remove it" in told(checkout)
    text = (checkout / "solutions" / "01_a.ipynb").read_text()
    (checkout / "solutions" / "03_c.ipynb").write_text(text)
    assert any("solutions/03_c.ipynb: has no lab" in finding for finding in told(checkout))


def test_ignored_cells_are_counted(checkout):
    changed(checkout, lambda nb: nb.cells[2].metadata.update(tags=["nbval-ignore-output"]))
    assert list(check(checkout).ignored.values()) == [1, 0, 0]
