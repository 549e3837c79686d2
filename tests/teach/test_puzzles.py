"""Puzzles inside chapters: each is solved by its solution, and a wrong answer is shown why."""

import numpy as np
import pytest

from convladder.teach import puzzle, puzzles


@pytest.mark.parametrize("name", sorted(puzzles._puzzles()))
def test_the_solution_is_right_and_a_stub_is_not_tried(name):
    asked = puzzles._puzzles()[name]
    assert puzzle(name, asked.solution).mark == "✓"
    assert puzzle(name, (lambda *_: ...) if callable(asked.solution) else ...).mark == "○"


@pytest.mark.parametrize("name", sorted(puzzles._puzzles()))
def test_a_changed_solution_is_wrong(name):
    asked = puzzles._puzzles()[name]
    one_more = (
        (lambda *case: np.asarray(asked.solution(*case)) + 1)
        if callable(asked.solution)
        else np.asarray(asked.solution) + 1
    )
    assert puzzle(name, one_more).mark == "✗"


def test_a_wrong_answer_is_shown_with_its_case():
    said = str(puzzle("window", lambda image, h, v: image[v : v + 3, h : h + 3]))
    assert "it gives" in said and "should give" in said and "Rows come first" in said
    assert "ZeroDivisionError" in str(puzzle("window", lambda image, h, v: 1 // 0))
    said = str(puzzle("places", 73))
    assert said.startswith("✗ 73 isn't right.\nThe starts") and "74" not in said
    with pytest.raises(ValueError, match="no puzzle 'windo'"):
        puzzle("windo", 1)
