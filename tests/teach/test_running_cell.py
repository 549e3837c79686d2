"""A cell that takes long says what it does, and an interrupt of it is one sentence."""

import pytest
from IPython.core.interactiveshell import InteractiveShell

from convladder.bench import rounds
from convladder.core import progress as steps
from convladder.grading.check import Interrupted
from convladder.journal import VARIABLE
from convladder.teach import running_cell


class Shown:
    """What `display` gives back with a display_id."""

    def __init__(self, thing):
        self.texts = [thing.data]

    def update(self, thing):
        self.texts.append(thing.data)


@pytest.fixture
def line(monkeypatch, journal):
    made = running_cell.BusyLine()
    made.now, made.shown = 0.0, []
    monkeypatch.setattr(running_cell, "perf_counter", lambda: made.now)
    monkeypatch.setattr(
        "IPython.display.display",
        lambda thing, display_id: made.shown.append(Shown(thing)) or made.shown[-1],
    )
    monkeypatch.setattr(steps, "listeners", [made.step])
    made.begin()
    return made


def test_a_quick_cell_shows_nothing(line):
    steps.report_progress("one")
    line.now = 1.9
    steps.report_progress("two")
    line.end()
    assert line.shown == []


def test_a_long_one_says_what_it_does_and_then_no_more(line):
    for line.now, what in ((2.5, "im2col <1>"), (2.6, "too soon"), (4.0, "mec")):
        rounds.report_progress(what)
    line.end()
    (shown,) = line.shown
    assert shown.texts == ["<i>2 s: im2col &lt;1&gt;</i>", "<i>4 s: mec</i>", ""]
    line.begin()
    line.now = 5.0
    steps.report_progress("the next cell")
    assert len(line.shown) == 1


def test_nobody_waits_where_nothing_is_kept(line, monkeypatch):
    monkeypatch.setenv(VARIABLE, "off")
    line.now = 9.0
    steps.report_progress("one")
    assert line.shown == []


@pytest.fixture
def shell(monkeypatch):
    shell = InteractiveShell()
    shell.told = []
    monkeypatch.setattr(
        shell, "_showtraceback", lambda kind, error, lines: shell.told.append(lines)
    )
    running_cell.explain_interrupts(shell)
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
