"""An interrupt of a cell is one sentence; in a kernel, what it started for the cell lives on."""

import pytest
from IPython.core.interactiveshell import InteractiveShell

from convladder.grading.check import Interrupted
from convladder.teach import running_cell


@pytest.fixture
def shell(monkeypatch):
    shell = InteractiveShell()
    shell.told = []
    monkeypatch.setattr(
        shell, "_showtraceback", lambda kind, error, lines: shell.told.append(lines)
    )
    running_cell.tell_interrupts(shell)
    shell.push({"stop": stop})
    return shell


def stop(error=KeyboardInterrupt):
    def deeper():
        raise error("deep in the package")

    deeper()


@pytest.mark.parametrize(
    "cell, told",
    [
        ("x = 1\nstop()  # here", "Interrupted in line 2, `stop()  # here`. "),
        ("def f():\n    return stop()\n\nf()", "Interrupted in line 2, `return stop()`. "),
    ],
)
def test_it_names_the_line_of_the_notebook_and_no_other(shell, cell, told):
    result = shell.run_cell(cell)
    assert isinstance(result.error_in_exec, KeyboardInterrupt)  # cells behind it do not run
    assert shell.told == [[f"{told}Run the cell again when you like."]]


def test_a_check_keeps_its_own_words(shell):
    shell.push({"Interrupted": Interrupted})
    shell.run_cell("stop(Interrupted)")
    assert shell.told == [["deep in the package"]]


def test_other_errors_are_told_as_ever(shell):
    shell.run_cell("1 / 0")
    assert "ZeroDivisionError" in "".join(shell.told[0])


def test_without_a_line_of_the_notebook_it_names_none():
    assert running_cell.sentence(None, {}) == "Interrupted. Run the cell again when you like."
