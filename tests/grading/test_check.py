"""Whatever an answer does, a verdict comes of it; and the verdict is true."""

import sys
import threading
import time
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from functools import partial

import numpy as np
import pytest

from convladder.exercises import load_exercise
from convladder.exercises.exercise import Edit, Exercise, Misconception, edit
from convladder.grading import check, grade, threads
from convladder.grading.check import Interrupted
from convladder.grading.small_case import factor
from convladder.grading.traffic import traffic
from convladder.journal import events

KEPT = {}


def foreign(function):
    """Return a function as a learner writes it, outside of the course."""
    return Edit(()).apply(function)


lowered = foreign(load_exercise("mec_lower").solution)


def endless(x, problem):
    while True:
        try:
            x.sum()
        except BaseException:
            pass


def keeps(x, problem):
    L = lowered(x, problem)
    KEPT.setdefault(L.shape, L)[...] = L
    return KEPT[L.shape]


def remembers(x, problem):
    return KEPT.setdefault(problem, lowered(x, problem))


def changes(x, problem):
    L = lowered(x, problem)
    x[...] = 0
    return L


def recursive(x, problem):
    return recursive(x, problem)


def wears_out(x, problem, calls=[]):  # noqa: B006
    calls.append(1)
    return sys.exit("no more") if len(calls) > 6 else lowered(x, problem)


class Spiteful:
    def __getattr__(self, name):
        raise RuntimeError(name)

    def __deepcopy__(self, memo):
        raise RuntimeError("no copies")

    def __repr__(self):
        raise RuntimeError("no words")

    __str__ = __eq__ = __repr__
    __hash__ = None


def course(x, problem):
    from convladder.cpu import mec

    return mec.lower(x, problem)


ANSWERS = {
    "raises": (lambda x, problem: 1 / 0, "raised an exception"),
    "recursive": (recursive, "raised an exception"),
    "exits": (lambda x, problem: exit(), "raised an exception"),
    "input": (lambda x, problem: input("?"), "raised an exception"),
    "wears out": (wears_out, "raised an exception"),
    "None": (lambda x, problem: None, "wrong shape or type"),
    "generator": (lambda x, problem: (i for i in x), "wrong shape or type"),
    "objects": (lambda x, problem: np.array([None] * 3), "wrong shape or type"),
    "spiteful": (lambda x, problem: Spiteful(), "wrong shape or type"),
    "few arguments": (lambda x: x, "wrong shape or type"),
    "a spiteful object": (Spiteful(), "wrong shape or type"),
    "changes": (changes, "touches its input"),
    "keeps": (keeps, "reuses its result"),
    "remembers": (remembers, "reuses its result"),
    "calls the course": (course, "not your own code"),
    "stub": (..., "not attempted"),
    "stub within": (lambda x, problem: (..., x), "not attempted"),
}


@pytest.mark.parametrize("name", ANSWERS)
def test_whatever_an_answer_does_a_verdict_comes_of_it(name, capfd):
    answer, stage = ANSWERS[name]
    verdict = check("mec_lower", answer)
    assert verdict.stage == stage, verdict
    assert "Traceback" not in repr(verdict) + verdict._repr_html_() + "".join(capfd.readouterr())
    assert type(np.empty).__name__ == "builtin_function_or_method"


@pytest.mark.parametrize(
    "answer, left", [(endless, False), (lambda x, problem: time.sleep(30), True)]
)
def test_what_never_ends_is_stopped_or_left(answer, left, monkeypatch):
    monkeypatch.setattr(threads, "SECONDS", 0.3)
    if left:  # no number of tries would stop it
        monkeypatch.setattr(threads, "TRIES", 9)
    verdict = check("mec_lower", answer)
    assert verdict.stage == "takes too long", verdict
    assert ("restart the kernel" in repr(verdict)) == left


class Callable:
    def __call__(self, x, problem):
        return lowered(x, problem)


@pytest.mark.parametrize(
    "answer", [partial(lowered), Callable(), Callable().__call__, lambda *args: lowered(*args)]
)
def test_an_answer_may_be_anything_that_is_called(answer):
    assert check("mec_lower", answer).passed


def test_a_verdict_names_the_mistake_and_shows_the_smallest_case():
    def one_side(x, problem):
        p = problem
        padded = np.pad(x, ((0, 0), (2 * p.p_h, 0), (2 * p.p_w, 0), (0, 0)))
        return np.stack([padded[:, :, p.s_w * w :][:, :, : p.k_w] for w in range(p.o_w)], 1)

    verdict = check("mec_lower", one_side)
    assert verdict.misconception == "padding on one side"
    assert verdict.small.args[1].padding == (0, 1) and verdict.small.args[0].size == 1
    assert "padding on one side" in repr(verdict) and verdict.hint(3).startswith(
        "A line of the solution: `padded = np.pad(x"
    )
    double = check("mec_lower", lambda x, problem: lowered(x, problem).astype(float))
    assert "float64, not float32" in repr(double) and not double.hints()
    assert "fails, made from case" in repr(verdict) and "<details" in verdict._repr_html_()


def test_a_single_wrong_value_is_one():
    def one_wrong(x, problem):
        L = lowered(x, problem)
        L.flat[-1] += L.size > 1
        return L

    verdict = check("mec_lower", one_wrong)
    assert "1 of 2 values is wrong." in repr(verdict)
    assert "First difference: result[" in verdict._repr_html_()


def test_an_unknown_mistake_shows_what_it_needs():
    def exchanged(x, problem):
        p = problem
        padded = np.pad(x, ((0, 0), (p.p_w, p.p_w), (p.p_h, p.p_h), (0, 0)))
        L = np.empty((p.i_n, p.o_w, p.padded_h, p.k_w, p.i_c), np.float32)
        for w in range(p.o_w):
            L[:, w] = padded[:, :, p.s_w * w : p.s_w * w + p.k_w]
        return L

    verdict = check("mec_lower", exchanged)
    assert verdict.misconception is None and "This case comes out right with `p_w` = 0." in repr(
        verdict
    )


def test_a_constant_factor_is_told_even_of_numbers_that_lie():
    class Liar(int):
        __eq__ = lambda self, other: True  # noqa: E731
        __hash__ = int.__hash__

    right = foreign(load_exercise("lowered_bytes").solution)
    assert not check("lowered_bytes", lambda problem: Liar(3)).passed
    verdict = check("lowered_bytes", lambda problem: 3 * right(problem))
    assert "Every wrong result is 3 times the right one." in repr(verdict)
    assert factor([(np.ones(2), np.array([1e-9, 2e-9]))]) is None


def test_prints_are_counted_and_not_shown(capsys):
    def chatty(problem):
        print("hello")
        return 4 * problem.i_n * problem.o_w * problem.padded_h * problem.k_w * problem.i_c

    verdict = check("lowered_bytes", chatty)
    assert verdict.passed and "printed" in repr(verdict) and not capsys.readouterr().out


def test_the_journal_gets_a_line_with_the_smallest_case():
    check("lowered_bytes", lambda problem: 1)
    check("lowered_bytes", ...)
    wrong, stub = events()

    def interrupted(problem):
        raise KeyboardInterrupt

    with pytest.raises(Interrupted, match="Nothing is judged"):
        check("lowered_bytes", interrupted)
    with pytest.raises(KeyError, match=r"no exercise 'mec_lowr'.*mec_lower"):
        check("mec_lowr", ...)
    assert len(events()) == 2
    assert (wrong.exercise, wrong.stage) == ("lowered_bytes", "wrong values")
    assert wrong.case.startswith("problem=ConvProblem(") and stub.stage == "not attempted"


def tripled(x):
    return 3 * x


TRIPLED = Exercise(
    name="tripled",
    lab=99,
    task="Three times x.",
    solution=tripled,
    cases=lambda rng: [(3,), (5,)],
    inputs=lambda fill, n: (fill(n),),
    mend="`3 * x`",
    misconceptions=[Misconception("doubled", edit("3 * x", "2 * x"), "It is 2x.", "Three.")],
)


def test_threads_that_nobody_waits_for():
    def unwaited(x):
        y = np.zeros_like(x)

        def work():
            time.sleep(0.2)
            y[...] = 3 * x

        threading.Thread(target=work).start()
        return y

    assert grade(TRIPLED, unwaited).stage == "did not wait"
    with ThreadPoolExecutor(1) as pool:
        assert grade(TRIPLED, lambda x: pool.submit(lambda: 3 * x).result()).passed


def test_an_error_in_a_task_is_told():
    def lost(x):
        y = np.zeros_like(x)
        with ThreadPoolExecutor(1) as pool:
            pool.submit(lambda: 1 / 0)
        return y

    assert "ZeroDivisionError" in repr(grade(TRIPLED, lost))


def test_a_mistake_that_differs_on_the_first_case_runs_on_no_other():
    seen = []

    def watched(x):
        seen.append(x.size)
        return 2 * x

    mistake = Misconception("watched", watched, "It is 2x.", "Three.")
    exercise = replace(TRIPLED, misconceptions=[mistake])
    assert grade(exercise, lambda x: x + 1).misconception is None and seen == [3]
    assert grade(exercise, lambda x: x + x).misconception == "watched" and 5 in seen


def test_a_mistakes_own_smallest_case_is_shown_unless_the_answer_is_right_there():
    seen = []

    def doubled(x):
        seen.append(x.size)
        return 2 * x

    verdict = grade(TRIPLED, doubled)
    assert verdict.small.args[0].size == 1 and seen == [3, 5, 1]
    verdict = grade(TRIPLED, lambda x: (2 if x.size > 1 else 3) * x)
    assert verdict.misconception == "doubled" and verdict.small.args[0].size == 2


def partition(L, h, problem, waste=False, copies=False):
    p = problem
    row = p.k_w * p.i_c
    wasted = L.repeat(2, axis=0) if waste else L
    found = wasted[: p.i_n].reshape(p.i_n, p.o_w, -1)
    found = L.reshape(found.shape)[:, :, p.s_h * h * row : (p.s_h * h + p.k_h) * row]
    return np.ascontiguousarray(found) if copies else found


def test_the_line_that_takes_the_memory_is_named_and_no_other():
    assert check("partition", partition).passed
    said = repr(check("partition", partial(partition, waste=True)))
    assert "over budget" in said and "`wasted = L.repeat(2, axis=0) if waste else L`" in said
    said = repr(check("partition", partial(partition, copies=True)))
    assert "over budget" in said and "Most come" not in said


def test_only_a_kernel_has_traffic_and_of_others_the_verdict_is_shown():
    assert traffic("mec_lower", lowered).passed
