"""A cell that takes long says what it does, and an interrupt of it is one sentence."""

from types import SimpleNamespace

import IPython
import IPython.display
import pytest
from IPython.core.interactiveshell import InteractiveShell

from convladder.bench import rounds
from convladder.core import progress as steps
from convladder.grading.check import Interrupted
from convladder.journal import VARIABLE
from convladder.networks.compress import network as nets
from convladder.teach import running_cell
from convladder.teach.running_cell import progress


class Shown:
    """What `display` gives back with a display_id."""

    def __init__(self, thing):
        self.texts = [thing.data]

    def update(self, thing):
        self.texts.append(thing.data)


@pytest.fixture
def line(monkeypatch, tmp_path):
    monkeypatch.setenv(VARIABLE, str(tmp_path / "p.jsonl"))
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


def test_what_counts_images_says_which(line):
    told = []
    steps.listeners.append(told.append)
    assert nets.accuracy(lambda images: nets.pixels(images).reshape(len(images), -1), 600) < 1
    assert told[0] == "labels of image 0 of 600"


def test_elsewhere_nothing_is_shown(capsys):
    with progress("timing") as step:
        step("one")
    assert capsys.readouterr() == ("", "")


def test_in_a_notebook_the_line_changes_and_goes(monkeypatch):
    shown = []
    line = SimpleNamespace(update=lambda html: shown.append(html.data))
    monkeypatch.setattr(IPython, "get_ipython", lambda: SimpleNamespace(kernel=object()))
    monkeypatch.setattr(
        IPython.display, "display", lambda html, display_id: shown.append(html.data) or line
    )
    with pytest.raises(KeyError), progress("timing <rungs>") as step:
        step("graph")
        raise KeyError
    assert shown == ["timing &lt;rungs&gt;", "timing &lt;rungs&gt;, 0 s: graph", ""]


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
