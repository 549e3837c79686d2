"""The shrinker, on plain data."""

import numpy as np

from convladder.core.problem import ConvProblem
from convladder.exercises import load_exercise
from convladder.exercises.exercise import Edit
from convladder.grading import check
from convladder.grading.smallest import Tries, needed, smallest
from convladder.grading.words import code, needs


def test_settings_go_first_and_what_is_left_is_a_cause():
    case = (ConvProblem(2, 9, 8, 3, 3, 3, 4, stride=(2, 3), padding=(1, 2)), [3, 1, 2], 0.75)
    names = ("problem", "items", "rate")

    def fails(case):
        return case[0].p_h > 0 and len(case[1]) > 1

    (p, items, rate) = found = smallest(case, names, fails, Tries(500))
    assert p == ConvProblem(1, 1, 1, 1, 1, 1, 1, padding=(1, 0)) and items == [0, 0] and rate == 0
    steps = needed(found, names, lambda case: not fails(case), Tries(500))
    assert [step.name for step in steps] == ["p_h", "len(items)"]
    assert smallest((1000,), ("n",), lambda case: True, Tries(0)) == (1000,)


def test_an_exercise_names_the_parts_of_its_sizes_as_the_course_does():
    right = Edit(()).apply(load_exercise("pack_weights").solution)

    def wrong(w, lanes):
        return right(w, lanes) + (w.shape[2] > 1)

    assert "right with `i_c` = 1." in repr(check("pack_weights", wrong))


def test_a_size_that_must_be_a_multiple_of_16_gets_smaller():
    source = load_exercise("load_a_fragment").solution.replace("k0 + 2 * t", "2 * t")
    assert "a = float16 [16, 32]" in repr(check("load_a_fragment", source))


def test_ones_in_a_sequence_are_not_called_a_number():
    steps = needed(([2.0, 3.0],), ("rates",), lambda case: case == ([1.0, 1.0],), Tries(99))
    assert needs(steps) == "This case comes out right with all of `rates` = 1."


def test_arrays_in_a_dictionary_are_shown_as_arrays_are():
    shown = code({"w": np.float32([[2]]), "v": np.zeros(999)})
    assert shown == "{'w': np.array([[2.]], np.float32), 'v': float64 [999]}"
