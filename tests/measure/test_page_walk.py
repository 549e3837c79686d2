"""A walk from line to line visits each once; what it cannot do it says."""

import pytest

from convladder.measure import page_walk


@pytest.mark.parametrize("shuffled", [True, False])
def test_visits_every_line_once_and_comes_back(monkeypatch, shuffled):
    seen = []

    def watched(values, at, steps):
        assert values.ctypes.data % 2**21 == 0, "huge pages begin here"
        start, visited = at, []
        for _ in range(steps):
            visited.append(at)
            at = int(values[at])
        seen.append((start, visited, at))
        return at

    monkeypatch.setattr(page_walk, "_walk", lambda: watched)
    monkeypatch.setattr(page_walk, "SECONDS", 1e-7)
    assert page_walk.step_seconds(20, 4160, shuffled=shuffled) > 0
    start, visited, end = seen[0]
    assert sorted(visited) == list(range(0, 20 * 520, 520)) and end == start
    assert (visited == sorted(visited)) != shuffled


def test_a_system_without_large_pages_gives_none(monkeypatch):
    monkeypatch.setattr(page_walk, "HUGE", None)
    assert page_walk.step_seconds(8, huge=True) is None
