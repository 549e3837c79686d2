"""The journal: whole after a crash, with many writers, and never in a learner's way."""

import json
import os
import subprocess
import sys

import numpy as np
import pytest

from convladder.journal import (
    CHECKED,
    PREDICTED,
    VARIABLE,
    events,
    export,
    forget,
    journal_path,
    log,
    tell,
)
from convladder.journal.event import Event, parsed
from convladder.journal.location import NOBODY
from convladder.teach import check, versus


def test_what_is_told_is_read_again_with_all_it_says(journal):
    told = [
        tell(CHECKED, exercise="dot", stage="passed", misconception=""),
        tell(PREDICTED, what="gain", prediction=50, measured=3770.5, unit="×"),
    ]
    assert events() == told
    line = json.loads(journal.read_text().splitlines()[-1])
    said = {"v": 1, "kind": PREDICTED, "prediction": 50, "measured": 3770.5, "unit": "×"}
    assert line.items() >= {**said, "what": "gain"}.items()
    assert {"uid", "time", "session", "course"} <= line.keys() and "exercise" not in line
    assert journal.stat().st_mode & 0o077 == 0, "nobody else reads it"


def test_half_a_line_is_lost_alone(journal):
    first = tell(CHECKED, exercise="one")
    with journal.open("ab") as file:
        file.write(b"\n" + Event(CHECKED, exercise="torn").line().encode()[:40])
    last = tell(CHECKED, exercise="two")
    assert events() == [first, last]


@pytest.mark.parametrize(
    "line",
    [
        *("", "{", "[]", "3", '{"v": 1}'),
        '{"v": 2, "uid": "a", "time": "b", "kind": "c"}',
        '{"v": 1, "uid": 3, "time": "b", "kind": "c"}',
        '{"v": 1, "uid": "a", "time": "b", "kind": "c", "prediction": "fifty"}',
    ],
)
def test_what_is_no_event_is_passed_over(line):
    assert parsed(line) is None


WRITER = """
from convladder.journal import tell
for n in range(200): tell("checked", exercise="x" * 300, stage=str(n))
"""


def test_an_event_that_stands_twice_counts_once(journal):
    tell(CHECKED, exercise="one")
    journal.write_bytes(2 * journal.read_bytes())
    assert len(events()) == 1


def test_two_notebooks_at_once_lose_nothing(journal):
    writers = [subprocess.Popen([sys.executable, "-c", WRITER]) for _ in range(2)]
    assert [writer.wait(60) for writer in writers] == [0, 0]
    found = events()
    assert len(found) == 400 and len({event.session for event in found}) == 2
    assert len([line for line in journal.read_bytes().split(b"\n") if line]) == 400


def test_another_who_holds_the_lock_keeps_nobody_waiting(journal):
    fcntl = pytest.importorskip("fcntl")
    tell(CHECKED, exercise="one")
    with journal.open("ab") as held:
        fcntl.flock(held, fcntl.LOCK_EX)
        assert tell(CHECKED, exercise="two")
    assert len(events()) == 2


@pytest.mark.parametrize(
    "number, kept",
    [
        *((3, 3), (np.float32(0.5), 0.5), (np.int64(7), 7)),
        *((each, None) for each in (float("nan"), float("inf"), True, "fifty", None)),
    ],
)
def test_a_number_is_kept_as_json_has_it(journal, number, kept):
    assert tell(PREDICTED, prediction=number).prediction == kept
    assert events()[0].prediction == kept


def test_a_disk_without_room_is_told_once_and_a_check_goes_on(journal, monkeypatch, capsys):
    monkeypatch.setattr(os, "write", lambda file, data: len(data) // 2)
    for _ in range(3):
        assert check("one_pixel", lambda window, kernel: float((window * kernel).sum())).passed
    assert capsys.readouterr().out == (
        "(Your progress is not being kept: there is no room left on the disk. All else works; "
        "CONVLADDER_PROGRESS may name another file.)\n"
    )


def test_whatever_fails_stays_here(journal, monkeypatch, capsys):
    monkeypatch.setattr(log, "notebook_cell", lambda: 1 / 0)
    assert tell(CHECKED) is None
    assert "ZeroDivisionError" in capsys.readouterr().out


def test_a_check_and_a_prediction_leave_their_lines(journal):
    check("one_pixel", lambda window, kernel: float((window * kernel[::-1, ::-1]).sum()))
    versus(50, 60.0, "times", "gain")
    versus(..., 60.0)
    versus("fifty", 60.0)
    with pytest.raises(KeyError):
        check("no_such_exercise", 3)
    wrong, guess = events()
    said = wrong.kind, wrong.exercise, wrong.stage, wrong.misconception
    assert said == (CHECKED, "one_pixel", "wrong values", "a flipped kernel")
    assert (guess.kind, guess.what, guess.prediction, guess.measured) == (PREDICTED, "gain", 50, 60)


def test_nothing_is_kept_where_nobody_learns(monkeypatch):
    for name in (VARIABLE, *NOBODY):
        monkeypatch.delenv(name, raising=False)
    assert journal_path().name == "progress.jsonl" and "convladder" in journal_path().parts
    for name in NOBODY:
        monkeypatch.setenv(name, "1")
        assert journal_path() is None
        monkeypatch.delenv(name)
    monkeypatch.setenv(VARIABLE, "off")
    assert journal_path() is None and tell(CHECKED) is None and events() == []


def test_beginning_anew_puts_the_old_aside(journal, tmp_path):
    assert forget() is None
    one = tell(CHECKED, exercise="one")
    aside = forget()
    assert not journal.exists() and events() == [] and events(aside) == [one]
    tell(CHECKED, exercise="two")
    assert export(tmp_path / "out.jsonl") == 1
    assert parsed((tmp_path / "out.jsonl").read_text()).exercise == "two"


@pytest.mark.parametrize("ci", ["false", ""])
def test_a_variable_that_says_no_is_none(monkeypatch, ci):
    for name in (VARIABLE, *NOBODY):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("CI", ci)
    assert journal_path() is not None
    monkeypatch.setenv("CI", "true")
    assert journal_path() is None


def test_a_clock_that_was_ahead_once_is_not_last_for_ever(journal):
    tell(CHECKED, exercise="later", stage="passed")
    line = json.loads(journal.read_text())
    journal.write_text(json.dumps({**line, "time": "2031" + line["time"][4:]}))
    tell(CHECKED, exercise="now", stage="passed")
    assert [event.exercise for event in events()] == ["later", "now"]
