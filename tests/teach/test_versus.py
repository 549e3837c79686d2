"""A prediction shows itself accepted, and people's ways to write a number are read."""

from fractions import Fraction

import numpy as np
import pytest
from IPython.core.interactiveshell import InteractiveShell

from convladder.journal import GUESSED, VARIABLE, cell_digest, events
from convladder.teach.prediction_cells import NotedPrediction, begin, read_numbers
from convladder.teach.versus import versus

AS_WRITTEN = "50", "...", "1 / 3", "2e3", "0,5", "10 to 20", "fifty", "%", ""
READ = {"50 %": "50", "3×": "3", "~20 times": "20", "-4 dB": "-4", "1,234,567 bytes": "1234567",
        "2e3 µs": "2e3", ".5 s": ".5", "1.5 GB/s": "1.5"}  # fmt: skip


@pytest.mark.parametrize("written, read", [*zip(AS_WRITTEN, AS_WRITTEN), *READ.items()])
@pytest.mark.parametrize("behind", ["", "  # times, e.g. 50 %"])
def test_a_number_is_read_as_people_write_it(written, read, behind):
    line = f"prediction = {written}{behind}\n"
    assert read_numbers([line, "x = 3\n"]) == [f"prediction = {read}{behind}\n", "x = 3\n"]


def test_other_lines_stay_as_they_are():
    lines = ["x = 50 %\n", "    prediction = 50 %\n", "print(prediction)\n", "prediction == 3 x\n"]
    assert read_numbers(lines) == lines


@pytest.mark.parametrize(
    "value, said",
    [
        (50, "Your prediction, 50, is noted. Read on to see how close it is."),
        (..., "There is no number in p yet. Put one"),
        ((0, 5), "p = (0, 5) is not a number: write it as 50, 0.5 or 1_000."),
        (float("nan"), "is not a number"),
    ],
)
def test_what_it_says(value, said):
    assert said in repr(NotedPrediction("p", value, "times"))


def test_its_html_is_escaped():
    html = NotedPrediction("p", "<b>", "")._repr_html_()
    assert "&lt;b&gt;" in html and "<b>" not in html


@pytest.fixture
def shell(journal, monkeypatch):
    shown = []
    monkeypatch.setattr("IPython.display.display", lambda thing: shown.append(repr(thing)))
    shell = InteractiveShell()
    shell.shown = shown
    begin(shell)
    yield shell
    shell.history_manager.end_session()


def test_in_a_notebook(shell, monkeypatch):
    begin(shell)  # a second import changes nothing
    assert [event.kind for event in events()] == ["opened"]
    shell.run_cell("prediction = 50 %  # of the peak")
    assert shell.user_ns["prediction"] == 50
    assert shell.shown == ["Your prediction, 50, is noted. Read on to see how close it is."]
    shell.run_cell("prediction_a = 1,000\nprediction_b = ...")
    assert shell.user_ns["prediction_a"] == 1000
    assert [text.split(".")[0] for text in shell.shown[1:]] == [
        "Your prediction, 1,000, is noted",
        "There is no number in prediction_b yet",
    ]
    shell.run_cell("x = 3\nprint(prediction)")
    assert len(shell.shown) == 3
    monkeypatch.setenv(VARIABLE, "off")
    shell.run_cell("prediction = ...")
    assert len(shell.shown) == 3, "a page that nobody learns from stays as it is stored"


def test_a_guess_is_noted_once_and_by_the_cell_as_it_was_given(shell):
    asked = "prediction = ...  # of the peak\nx = 3"
    for guess in ("...", "50 %", "50", "60", "'a lot'"):
        shell.run_cell(asked.replace("...", guess))
        shell.run_cell("print(prediction)")
    guesses = [event for event in events() if event.kind == GUESSED]
    assert [(event.what, event.prediction) for event in guesses] == [
        ("of the peak", 50),
        ("of the peak", 60),
    ]
    assert {event.cell for event in guesses} == {cell_digest(asked)}


@pytest.mark.parametrize(
    "given, said",
    [
        (Fraction(7, 2), "predicted 3.5 MiB, actual 3.5 MiB. Exactly as you predicted."),
        (np.float32(7), "You predicted 2 times the actual value"),
        (True, "Your prediction is True, which is not a number"),
        (10**400, "…, which is not a number"),
    ],
)
def test_every_kind_of_number_has_its_sentence(given, said):
    found = versus(given, 3.5, "MiB")
    assert said in repr(found) and len(repr(found)) < 200
    assert "3.5 MiB" in found._repr_html_()
