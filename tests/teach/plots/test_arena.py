"""Pictures of lifetimes, plans, stacks and what is held: their words are facts."""

import pytest

from convladder.networks import memory
from convladder.networks.memory import Block
from convladder.teach.plots.common import tradeoff_picture
from convladder.teach.plots.small_memory import (
    arena_plan_picture,
    lifetimes_picture,
    memory_breakdown_picture,
    overlaps,
    placing_picture,
    stack_picture,
)

CHAIN = (Block("a", 4, 0, 1), Block("b", 6, 1, 2), Block("c", 2, 2, 2))


def test_lifetimes_and_plan():
    assert "(a 0 to 1; b 1 to 2; c 2 to 2)" in lifetimes_picture(CHAIN).alt
    assert lifetimes_picture(CHAIN).alt.endswith("10 at most.")
    assert "arena of 10 bytes" in arena_plan_picture(memory.best(CHAIN)).alt
    assert "arena of 12 bytes, as planner 'naive'" in arena_plan_picture(memory.naive(CHAIN)).alt


@pytest.mark.parametrize(
    "offsets, words",
    [
        (dict(a=0, b=0, c=0), "in each other's way: a and b, b and c."),
        (dict(a=0, b=4, c=9), "in each other's way: b and c."),
        (dict(a=0, b=4, c=10), "valid, arena 12: go on."),
        (dict(a=0, b=4, c=2), "valid, arena 10: the lower bound, nobody can do better."),
    ],
)
def test_placing(offsets, words):
    assert words in placing_picture(CHAIN, offsets, {"somebody": 11}).alt


def test_placing_between_the_bound_and_others():
    offsets = dict(a=0, b=5, c=0)
    assert (
        "valid, arena 11: better than somebody"
        in placing_picture(CHAIN, offsets, {"somebody": 12, "best": 10}).alt
    )


def test_what_overlaps_in_place_but_not_in_time():
    assert not overlaps(CHAIN, dict(a=0, b=4, c=0))
    assert [(a.name, b.name) for a, b in overlaps(CHAIN, dict(a=3, b=0, c=5))] == [
        ("a", "b"),
        ("b", "c"),
    ]


@pytest.mark.parametrize(
    "settings, words",
    [
        (dict(), "4, 6, 8, 10 values"),
        (dict(layers=2, kernel=5, tile=2, at=0), "2, 4, 6 values"),  # zeros do not count
        (dict(layers=2, kernel=3, tile=2, stride=2, at=1), "2, 5, 11 values"),
        (
            dict(layers=5, kernel=7, tile=8, stride=2, at=9),
            "values of a row",
        ),  # beyond the last tile
    ],
)
def test_stack(settings, words):
    assert words in stack_picture(**settings).alt


def test_others_are_drawn():
    rows = {"one": {"a": 5, "b": 10**6}, "two": {"a": 0, "b": 3}}
    assert memory_breakdown_picture(rows, "title", "words").alt == "words"
    curves = {"one": [(1, 2, "x"), (100, 3, "")], "two": [(2, 2, "y"), (3, 9, "z")]}
    for log in (False, True):
        assert tradeoff_picture(curves, "x", "y", "t", "words", log=log, zero=not log).png
