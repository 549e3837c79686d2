"""Chapter 17: lifetimes, plans, a reader's planner, gradients and light layers."""

from itertools import permutations

import numpy as np
import pytest

from convladder import ConvProblem
from convladder.exercises.lab17.graphs import graphs
from convladder.networks import memory
from convladder.networks.compile import NETWORKS, compile_graph
from convladder.networks.memory import PUZZLE, Block
from convladder.teach.plots import small_memory
from convladder.teach.plots.small_memory import (
    compare_planners,
    overlaps,
    placing_picture,
)

from ...gradient_oracles import input_grad_float64, weight_grad_float64

CHAIN = (Block("a", 4, 0, 1), Block("b", 6, 1, 2), Block("c", 2, 2, 2))


@pytest.mark.parametrize(
    "offsets, others, words",
    [
        ((0, 0, 0), [11], "in each other's way: a and b, b and c."),
        ((0, 4, 9), [11], "in each other's way: b and c."),
        ((0, 4, 10), [11], "valid, arena 12: keep going."),
        ((0, 5, 0), [12, 10], "valid, arena 11: better than rival 0"),
        ((0, 4, 2), [11], "valid, arena 10: the lower bound, nobody can do better."),
    ],
)
def test_placing(offsets, others, words):
    rivals = {f"rival {number}": arena for number, arena in enumerate(others)}
    assert words in placing_picture(CHAIN, dict(zip("abc", offsets)), rivals).alt


def test_what_overlaps_in_place_but_not_in_time():
    assert not overlaps(CHAIN, dict(a=0, b=4, c=0))
    assert [(a.name, b.name) for a, b in overlaps(CHAIN, dict(a=3, b=0, c=5))] == [
        ("a", "b"),
        ("b", "c"),
    ]


def test_the_puzzle_is_one():
    assert memory.best_fit(PUZZLE).bytes == 23
    assert memory.in_order(PUZZLE).bytes == memory.best(PUZZLE).bytes == 19
    assert min(memory.first_fit(PUZZLE, order).bytes for order in permutations(PUZZLE)) == 17
    assert memory.lower_bound(PUZZLE) == 17


def test_graphs_are_those_that_the_compiler_plans():
    for name in ("skip", "depthwise"):
        blocks = compile_graph(NETWORKS[name](1)).blocks
        assert [(b.name, b.bytes, b.first, b.last) for b in graphs()[name]] == [
            (b.name, b.bytes, b.first, b.last) for b in blocks
        ]


def test_a_readers_planner_has_its_column():
    assert "yours" not in compare_planners(lambda blocks: ...).columns
    assert "yours" not in compare_planners(lambda blocks: {b.name: 0 for b in blocks}).columns
    board = compare_planners(one_above_the_other)
    assert board.columns[-1] == "yours"
    assert [row[-1] for row in board.cells[:2]] == ["+100%", "+189%"]


def one_above_the_other(blocks):
    places = np.cumsum([0, *(b.bytes for b in blocks)]).tolist()
    return {b.name: place for b, place in zip(blocks, places)}


@pytest.mark.parametrize("stride", [1, 2])
@pytest.mark.parametrize("row, column", [(2, 3), (0, 0), (5, 5), (3, 4)])
def test_what_the_gradients_are_made_of(figures, row, column, stride):
    """Each marked place of dy has the tap by which it moves the pixel's gradient."""
    p = ConvProblem(1, 6, 6, 1, 3, 3, 1, stride)
    small_memory.way_back_picture(row, column, stride)
    w = np.arange(1.0, 10).reshape(p.kernel_shape)
    words = [text.get_text().split() for text in figures[0].axes[1].texts]
    for at, word in zip(np.ndindex(p.o_h, p.o_w), words, strict=True):
        dy = np.zeros(p.output_shape)
        dy[0, at[0], at[1], 0] = 1
        moved = input_grad_float64(dy, w, p)[0, row, column, 0]
        drawn = w[tuple(map(int, word[1].split(",")))].item() if word else 0
        assert moved == drawn
    words = [text.get_text().split() for text in figures[0].axes[2].texts]
    for at, word in zip(np.ndindex(6, 6), words, strict=True):
        x = np.zeros(p.input_shape)
        x[0, at[0], at[1], 0] = 1
        places = weight_grad_float64(x, np.arange(1.0, p.pixels + 1).reshape(p.output_shape), p)
        place = tuple(map(int, word[1].split(","))) if word else None
        drawn = np.ravel_multi_index(place, (p.o_h, p.o_w)) + 1 if word else 0
        assert places[0, 2, 0, 0] == drawn
