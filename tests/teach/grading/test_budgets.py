"""Budgets that must hold on every machine, however many of its threads run at once."""

from convladder.cpu.im2col import padded_bytes
from convladder.teach.exercises import load_exercise
from convladder.teach.exercises.lab04.layers import chunks_of


def test_my_threads_may_have_the_bands_of_all_threads_at_once():
    exercise = load_exercise("my_threads")
    x, w, p, n = exercise.seeded_cases()[-1]
    rows = sum(p.s_h * (stop - begin - 1) + p.k_h for begin, stop in chunks_of(p.o_h, n))
    bands = p.mec_bytes() // p.padded_h * rows
    assert p.mec_bytes() < bands  # those at the borders are lowered twice
    assert bands + padded_bytes(p) < exercise.workspace(x, w, p, n)


def test_bytes_are_judged_on_a_batch():
    for name in (
        "mec_lower",
        "mec_conv",
        "mec_batch",
        "lower_in_threads",
        "my_threads",
        "direct_conv",
    ):
        assert len(load_exercise(name).seeded_cases()[-1][0]) > 1, name
