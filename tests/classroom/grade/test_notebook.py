import json
from pathlib import Path

import pytest

from convladder.classroom.grade.notebook import NotANotebook, parse, signs

from .submitted import ROOT, Submitted

BOOKS = sorted([*(ROOT / "labs").glob("*.ipynb"), *(ROOT / "solutions").glob("*.ipynb")])


@pytest.mark.parametrize("path", BOOKS, ids=lambda path: f"{path.parent.name}/{path.stem}")
def test_no_lab_shows_a_sign_of_tampering_and_each_shows_its_verdicts(path: Path):
    book = parse(path.read_bytes())
    assert book.signs == ()
    assert book.checked.keys() <= book.stored.keys()
    stage = "passed" if path.parent.name == "solutions" else "not attempted"
    assert set(book.stored.values()) == {stage}


@pytest.mark.parametrize(
    "source, words",
    [
        ("import convladder.teach.grading.judge", "uses the code that judges"),
        ("from convladder.teach.grading import check as c", "uses the code that judges"),
        ("from convladder.teach import exercises", "uses the exercises' own code"),
        ("from convladder.teach.exercises.lab01 import lowering", "uses the exercises' own code"),
        ("import os\nos._exit(0)", "ends its process"),
        ("!ls /", "starts processes"),
        ("import tracemalloc as t", "reaches into measuring"),
        ("exec('1')", "runs text as code"),
        ("def check(*a): pass", "gives `check` another meaning"),
        ("x.check = 1", "replaces what judges"),
        ("import socket", "opens a connection"),
        ("open('/etc/passwd')", "opens files"),
        ("f.__globals__['x'] = 1", "reaches into functions"),
    ],
)
def test_signs_are_seen(source, words):
    assert words in set(signs(source))


@pytest.mark.parametrize(
    "data, words",
    [
        (b"hello", "not JSON"),
        (b"[]", "no cells"),
        (b"{}", "no cells"),
        (b"\xff\xfe", "not UTF-8"),
        (b'{"cells": 3}', "no list"),
        (b"[" * 100_000, "not JSON"),
        (b"", "not JSON"),
        (json.dumps({"cells": [{}] * 1001}).encode(), "more than"),
        (
            json.dumps({"cells": [{"cell_type": "code", "source": "x" * (1 << 21)}]}).encode(),
            "number 1",
        ),
    ],
)
def test_what_is_no_notebook_is_told(data, words):
    with pytest.raises(NotANotebook, match=words):
        parse(data)


def test_a_notebook_of_odd_cells_is_read():
    cells = [
        3,
        None,
        {"cell_type": "code"},
        {"cell_type": "code", "source": 3, "outputs": "x"},
        {"cell_type": "code", "source": ["a", 1, "b"], "outputs": [None, {"data": 3}]},
    ]
    assert parse(json.dumps({"cells": cells}).encode()).code == ((5, "ab"),)


def test_stored_verdicts_are_those_of_the_check_that_stands_there():
    book = parse(Submitted("01").claim("output_shape").data)
    assert book.stored["output_shape"] == "passed"
    assert book.stored["window_columns"] == "not attempted"


def test_what_measures_behind_the_last_check_is_left_out():
    book = parse(Submitted("01", "solutions").data)
    assert 'check("faster_lower", faster_lower)' == book.code[-1][1].strip()
