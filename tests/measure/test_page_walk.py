"""A walk from line to line visits each once; what it cannot do it says."""

import numpy as np
import pytest

from convladder.measure import page_walk


def test_visits_every_line_once_and_comes_back(monkeypatch):
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
    assert page_walk.step_seconds(20, 4160) > 0
    start, visited, end = seen[0]
    assert sorted(visited) == list(range(0, 20 * 520, 520)) and end == start
    assert visited != sorted(visited), "shuffled"


def test_in_order_is_in_order(monkeypatch):
    orders = []
    monkeypatch.setattr(
        page_walk,
        "_walk",
        lambda: (
            lambda values, at, steps: (
                orders.append(np.array([at, values[at], values[values[at]]])) or at
            )
        ),
    )
    monkeypatch.setattr(page_walk, "SECONDS", 1e-7)
    page_walk.step_seconds(5, shuffled=False)
    assert np.array_equal(orders[0], [0, 8, 16])


def test_a_system_without_large_pages_gives_none(monkeypatch):
    monkeypatch.setattr(page_walk, "HUGE", None)
    assert page_walk.step_seconds(8, huge=True) is None


@pytest.mark.parametrize("lines, apart", [(1, 64), (8, 32), (8, 100)])
def test_refuses_what_is_no_walk(lines, apart):
    with pytest.raises(ValueError, match=f"lines={lines}"):
        page_walk.step_seconds(lines, apart)
