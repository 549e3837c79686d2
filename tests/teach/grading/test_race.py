"""Answers whose iterations run at once: right every time, or now and then."""

from types import SimpleNamespace

from convladder.registry import get_method
from convladder.teach.exercises.lab05 import race

right = get_method("loops_numba").run
compiled = SimpleNamespace(targetoptions={"parallel": True})  # as Numba's dispatchers have it
calls = []


def now_and_then(x, w, problem):
    calls.append(problem)
    return right(x, w, problem) * (0.5 if len(calls) % 7 == 0 else 1)


def every_time(x, w, problem):
    return right(x, w, problem)


def test_what_is_wrong_in_some_calls_is_a_race(monkeypatch):
    found = race.race(now_and_then)
    assert found.name == race.RACE and "`prange`" in found.sentence
    assert race.race(every_time) is None
    monkeypatch.delitem(globals(), "compiled")
    assert race.race(now_and_then) is None, "nothing here is shared among threads"


def test_a_function_of_another_process_is_called_whatever_it_may_be(monkeypatch):
    class Remote:
        def __call__(self, *args):
            return now_and_then(*args)

    monkeypatch.delitem(globals(), "compiled")
    assert race.race(Remote()).name == race.RACE
