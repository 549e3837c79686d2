"""Corrections merged into notebooks in which somebody has worked."""

import json
from random import Random

import pytest

from convladder.classroom.merging import main, merged


def cell(source, name=None, output=None):
    """A code cell; its id and outputs are no part of what it says."""
    return {
        "cell_type": "code",
        "source": source,
        "id": name or f"id-{source}"[:64],
        "outputs": [output] if output else [],
    }


def cells(text, output=None):
    return [cell(letter, output=output) for letter in text]


def said(found):
    return "".join("".join(each["source"]) for each in found)


@pytest.mark.parametrize(
    "base, ours, theirs, result, conflict",
    [
        ("abcd", "abcd", "aBcd", "aBcd", False),  # a correction, and nothing done
        ("abcd", "aXcd", "abcd", "aXcd", False),  # work, and no correction here
        ("abcd", "aXcd", "abcD", "aXcD", False),  # both, in different cells
        ("abcd", "aXcd", "AbCd", "AXCd", False),  # and side by side
        ("abcd", "aXYd", "aBcd", "aXYd", True),
        ("abcd", "aXcd", "aBcd", "aXcd", True),  # both in one: the learner's
        ("abcd", "aBcd", "aBcd", "aBcd", False),  # both the same
        ("abcd", "abcdX", "Abcd", "AbcdX", False),  # a cell added at the end
        ("abcd", "abcdX", "abcdY", "abcdX", True),
        ("abcd", "acd", "abcD", "acD", False),  # a cell removed
        ("abcd", "acd", "aBcd", "acd", True),
        ("abcd", "abcd", "abXYcd", "abXYcd", False),
        ("abcd", "dcba", "abcd", "dcba", False),  # moved
        ("abcd", "", "abcd", "", False),
        ("", "x", "y", "x", True),
    ],
)
def test_the_learners_cells_stay_and_corrections_arrive(base, ours, theirs, result, conflict):
    found, both = merged(cells(base), cells(ours, "ran"), cells(theirs))
    assert (said(found), both) == (result, conflict)


def test_what_was_run_keeps_its_outputs():
    found, _ = merged(cells("abc"), cells("abc", "ran"), cells("abC"))
    assert [len(each["outputs"]) for each in found] == [1, 1, 0]


def test_no_cell_of_the_learners_is_ever_lost():
    """Whatever both do: what the learner has that was not handed out is there, in its order."""
    random = Random(7)
    for _ in range(400):
        base = "abcdefgh"[: random.randrange(9)]
        ours, theirs = (_changed(random, base, letters) for letters in ("UVWXYZ", "uvwxyz"))
        found, conflict = merged(cells(base), cells(ours), cells(theirs))
        assert [each for each in said(found) if each in "UVWXYZ"] == [
            each for each in ours if each in "UVWXYZ"
        ], (base, ours, theirs)
        if not conflict:
            assert all(each in said(found) for each in theirs if each in "uvwxyz")


def _changed(random, text, letters):
    kept = [each for each in text if random.random() < 0.8]
    for letter in letters[: random.randrange(4)]:
        kept.insert(random.randrange(len(kept) + 1), letter)
    return "".join(kept)


def files(tmp_path, base, ours, theirs):
    paths = []
    for name, found in (("base", base), ("ours", ours), ("theirs", theirs)):
        path = tmp_path / f".merge_{name}"
        path.write_bytes(
            found
            if isinstance(found, bytes)
            else json.dumps(
                {"cells": found, "metadata": {}, "nbformat": 4, "nbformat_minor": 5}
            ).encode()
        )
        paths.append(str(path))
    return paths, tmp_path / "03_mec.ipynb"


def test_where_both_changed_the_corrected_notebook_lies_beside_never_over_another(tmp_path):
    paths, name = files(tmp_path, cells("ab"), cells("aX"), cells("aY"))
    beside = tmp_path / "03_mec.corrected.ipynb"
    beside.write_text("my notes", encoding="utf-8")
    for _ in range(2):  # the same correction again makes no third file
        assert main(*paths, str(name)) == 0
    assert said(json.loads((tmp_path / ".merge_ours").read_text())["cells"]) == "aX"
    assert beside.read_text(encoding="utf-8") == "my notes"
    second = json.loads((tmp_path / "03_mec.corrected-2.ipynb").read_text())
    assert said(second["cells"]) == "aY"
    assert not (tmp_path / "03_mec.corrected-3.ipynb").exists()


@pytest.mark.parametrize("broken", [b"", b"<<<<<<< HEAD", b"[]", b'{"cells": 3}', b"\xff\xfe"])
def test_a_notebook_that_is_none_stays_as_it_is(tmp_path, broken):
    paths, name = files(tmp_path, cells("ab"), broken, cells("aY"))
    assert main(*paths, str(name)) == 0
    assert (tmp_path / ".merge_ours").read_bytes() == broken
    assert (tmp_path / "03_mec.corrected.ipynb").exists()


def test_ids_stay_different():
    from convladder.classroom.merging import _with_own_ids

    names = [
        each["id"]
        for each in _with_own_ids(
            [
                cell("a", "x"),
                cell("b", "x"),
                cell("c", "x"),
                cell("d", "y" * 64),
                cell("e", "y" * 64),
            ]
        )
    ]
    assert len(set(names)) == 5 and all(len(name) <= 64 for name in names)
