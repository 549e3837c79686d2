"""The puzzle, planners of readers, and light layers."""

from itertools import permutations

import numpy as np
import pytest

from convladder.exercises import load_exercise
from convladder.exercises.lab15.graphs import graphs
from convladder.networks import memory
from convladder.networks.compile import NETWORKS, compile_graph
from convladder.networks.memory import PUZZLE
from convladder.networks.memory.cheap_layers import light_layers
from convladder.teach.plots.small_memory import compare_planners, puzzle


def test_the_puzzle_is_one():
    assert memory.best_fit(PUZZLE).bytes == 23
    assert memory.in_order(PUZZLE).bytes == memory.best(PUZZLE).bytes == 19
    assert min(memory.first_fit(PUZZLE, order).bytes for order in permutations(PUZZLE)) == 17
    assert memory.lower_bound(PUZZLE) == 17


def test_its_sliders_reach_the_solution():
    shown = puzzle()
    assert "in each other's way" in shown.first.alt
    for name, place in dict(a=13, b=0, c=15, d=7, e=0, f=13, g=6).items():
        shown.controls[name].value = place
        assert shown.controls[name].value == place
    assert not shown.note.value


def test_graphs_are_those_that_the_compiler_plans():
    for name in ("skip", "depthwise"):
        blocks = compile_graph(NETWORKS[name](1)).blocks
        assert [(b.name, b.bytes, b.first, b.last) for b in graphs()[name]] == [
            (b.name, b.bytes, b.first, b.last) for b in blocks
        ]


def placed(blocks):
    """In the order given, each into the lowest gap: a reader's own words for `first_fit`."""
    offsets = {}
    for block in blocks:
        place = 0
        meeting = [b for b in blocks if b.name in offsets and b.meets(block)]
        for other in sorted(meeting, key=lambda b: offsets[b.name]):
            if place + block.bytes <= offsets[other.name]:
                break
            place = max(place, offsets[other.name] + other.bytes)
        offsets[block.name] = place
    return offsets


def by_chance(blocks):
    rng = np.random.default_rng(3)
    tries = [placed([blocks[i] for i in rng.permutation(len(blocks))]) for _ in range(200)]
    return min(tries, key=lambda offsets: max(offsets[b.name] + b.bytes for b in blocks))


def one_above_the_other(blocks):
    places = np.cumsum([0, *(b.bytes for b in blocks)]).tolist()
    return {b.name: place for b, place in zip(blocks, places)}


def right_on_small_graphs(blocks):
    return one_above_the_other(blocks) if len(blocks) < 20 else {b.name: 0 for b in blocks}


def test_a_readers_planner_has_its_bars():
    assert "yours" not in compare_planners(lambda blocks: ...).alt
    assert "yours" not in compare_planners(lambda blocks: {b.name: 0 for b in blocks}).alt
    assert "yours" not in compare_planners(right_on_small_graphs).alt
    assert "yours: puzzle 2.00, chain 2.89" in compare_planners(one_above_the_other).alt
    assert "yours: puzzle 1.00, chain 1.00" in compare_planners(by_chance).alt


def in_floats(blocks):
    return {b.name: float(i) for i, b in enumerate(blocks)}


@pytest.mark.parametrize(
    "planner, words",
    [
        (lambda blocks: [0] * len(blocks), "should be a dict with a place"),
        (in_floats, "is at 0.0. Places are whole numbers"),
        (lambda blocks: {b.name: 0 for b in blocks[1:]}, "There is no place for 'a'."),
        (lambda blocks: {b.name: i for i, b in enumerate(blocks)}, "share bytes"),
        (lambda blocks: {b.name: 1000 * i for i, b in enumerate(blocks)}, "where 17 are possible"),
    ],
)
def test_what_is_said_of_a_planner(planner, words):
    blocks = graphs()["puzzle"]
    assert words in load_exercise("my_planner").accept(blocks, planner(blocks))


def test_light_layers_are_lighter_and_run():
    ways = light_layers(side=8, channels=16)
    plain, grouped, bottleneck, pair, point = ways
    assert plain.macs == 64 * 9 * 256 and plain.params == 9 * 256
    assert grouped.macs * 4 == plain.macs
    assert bottleneck.macs == 64 * (2 * 16 * 4 + 9 * 16)
    assert pair.macs == 64 * (9 * 16 + 256) and point.macs == 64 * 256
    assert plain.accesses == 64 * 9 * 256 + 64 * 16 + 9 * 256
    assert (plain.between, pair.between) == (0, 4 * 64 * 16)
    for way in ways:
        assert way.macs == sum(stack.macs for stack in way.stacks)
        results = way.call()()
        assert sum(y.size for y in results) == 64 * 16
        assert all(np.isfinite(y).all() for y in results)
