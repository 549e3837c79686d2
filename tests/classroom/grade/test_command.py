"""`convladder grade`: what an instructor may mistype, and a class from end to end."""

import csv
import json

import pytest

from convladder.classroom.grade import walls as walls_module
from convladder.classroom.grade.walls import NAMESPACES, NONE, walls
from convladder.cli import main

from .submitted import Submitted

HEADER = ["Student", "ID", "SIS User ID", "SIS Login ID", "Section", "Lab 01 (5)"]


@pytest.fixture
def room(tmp_path):
    (tmp_path / "in").mkdir()
    (tmp_path / "in" / "doejane_7_70_01_im2col_gemm.ipynb").write_bytes(
        Submitted("01", "solutions").data
    )
    (tmp_path / "in" / "roeben_8_80_01_im2col_gemm.ipynb").write_bytes(b"no notebook")
    with (tmp_path / "canvas.csv").open("w", newline="") as file:
        csv.writer(file).writerows(
            [
                HEADER,
                ["    Points Possible", *[""] * 4, "6"],
                ["Doe, Jane", "7", "", "", "", ""],
                ["Roe, Ben", "8", "", "", "", ""],
                ["Poe, Pia", "9", "", "", "", "5"],
            ]
        )
    return tmp_path


@pytest.mark.parametrize(
    "words, sentence",
    [
        (["{0}/none"], "there is no"),
        (["{0}/canvas.csv"], "neither a folder nor a zip"),
        (["{0}/empty"], "holds no notebook"),
        (["{0}/in", "--labs", "44"], "no such lab"),
        (["{0}/in", "--canvas", "{0}/none.csv"], "there is no"),
        (["{0}/in", "--moodle", "{0}/canvas.csv"], "no export of Moodle"),
        (
            ["{0}/in", "--canvas", "{0}/canvas.csv", "--column", "Lab 07"],
            "name one with --column; it has 'Lab 01 (5)'",
        ),
        (["{0}/in", "--canvas", "{0}/canvas.csv", "--out", "{0}"], "would replace"),
        (["{0}/in", "--exercises", "{0}/empty"], "holds no exercise"),
        (["{0}/in", "--seconds", "0"], "give 0.1 to 600"),
    ],
)
def test_what_is_mistyped_is_one_sentence(room, capsys, words, sentence):
    (room / "empty").mkdir()
    assert main(["grade", *(word.format(room) for word in words)]) == 2
    said = capsys.readouterr().err
    assert sentence in said and len(said.splitlines()) == 1


def test_without_walls_it_asks_for_a_word(room, capsys, monkeypatch):
    monkeypatch.setattr(walls_module, "walls", lambda: NONE)
    assert main(["grade", str(room / "in")]) == 2
    assert "--fewer-walls" in capsys.readouterr().err


@pytest.mark.skipif(walls() != NAMESPACES, reason="needs namespaces")
def test_a_class_from_submissions_to_the_grade_book(room, capsys):
    assert (
        main(["grade", str(room / "in"), "--canvas", str(room / "canvas.csv"), "--seed", "5"]) == 0
    )
    said = capsys.readouterr().out
    assert "6 of 6 passed" in said and "1 entered" in said and "Poe, Pia: no submission" in said
    out = room / "graded"
    with (out / "canvas.csv").open(newline="") as file:
        assert [row[5] for row in csv.reader(file)] == ["Lab 01 (5)", "6", "6", "", "5"]
    results = json.loads((out / "results.json").read_text())
    assert results["seed"] == 5 and [one["name"] for one in results["learners"]] == [
        "Doe, Jane",
        "Roe, Ben",
    ]
    assert "not JSON" in results["learners"][1]["problems"][0]
    assert "Roe, Ben" in (out / "class.html").read_text()
