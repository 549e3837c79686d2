"""Lab 17, exercise 7: a planner of your own. Many answers are right: rules judge them."""

import numpy as np

from ...networks import memory
from ...networks.memory import Block
from ..draws import wholes
from ..exercise import Exercise, Misconception
from .graphs import chain, graphs


def my_planner(blocks):
    """Try the package's orders, then random ones, each block into its lowest gap."""
    rng, best = np.random.default_rng(0), memory.best(blocks).offsets
    for _ in range(300):
        if arena(blocks, best) == memory.lower_bound(blocks):
            break
        order = [blocks[i] for i in rng.permutation(len(blocks))]
        best = min(best, memory.first_fit(blocks, order).offsets, key=lambda o: arena(blocks, o))
    return best


def arena(blocks, offsets):
    return max(offsets[b.name] + b.bytes for b in blocks)


def accept(blocks, offsets):
    """Accept a valid plan as small as `memory.best`; on the puzzle, as its lower bound."""
    names = {b.name for b in blocks}
    if not isinstance(offsets, dict):
        return "The result should be a dict with a place for each block's name."
    for name in sorted(names ^ offsets.keys(), key=str):
        return (
            f"There is no place for {name!r}." if name in names else f"{name!r} is no block's name."
        )
    for name, at in offsets.items():
        if isinstance(at, bool) or not isinstance(at, int | np.integer) or at < 0:
            return f"{name!r} is at {at}. Places are whole numbers from 0."
    for a, b in memory.overlaps(blocks, offsets)[:1]:
        return (
            f"{a.name!r} and {b.name!r} share bytes: they are at {offsets[a.name]} and "
            f"{offsets[b.name]}, with {a.bytes} and {b.bytes} bytes, and step "
            f"{max(a.first, b.first)} needs both."
        )
    puzzle = [*blocks] == [*graphs()["puzzle"]]
    most = memory.lower_bound(blocks) if puzzle else memory.best(blocks).bytes
    if (used := arena(blocks, offsets)) > most:
        return f"The plan is valid, but its arena has {used:,} bytes, where {most:,} are possible."
    return None


def cases(rng):
    found = graphs() | {"chain": chain(*wholes(rng, 1, 40, 7))}
    return [
        ([(b.name, b.bytes, b.first, b.last) for b in blocks],)
        for blocks in sorted(found.values(), key=len)
    ]


def by_order(key):
    return lambda blocks: memory.first_fit(blocks, sorted(blocks, key=key)).offsets


def shorter_lives(blocks):
    shorter = [Block(b.name, b.bytes, b.first, max(b.first, b.last - 1)) for b in blocks]
    return memory.best(shorter).offsets


EXERCISE = Exercise(
    name="my_planner",
    lab=17,
    task="A planner of your own, never worse than the package's, and perfect on the puzzle.",
    solution=my_planner,
    accept=accept,
    cases=cases,
    inputs=lambda fill, blocks: ([Block(*each) for each in blocks],),
    valid=lambda blocks: len(blocks) > 0 and all(n > 0 and 0 <= a <= b for _, n, a, b in blocks),
    allowed=("convladder.networks.memory.lifetimes",),
    mend="Try many orders; place each block into the lowest gap that is free at all its steps; "
    "keep the smallest plan",
    misconceptions=[
        Misconception(
            "a single order",
            [
                by_order(lambda b: -b.bytes),
                lambda blocks: memory.best(blocks).offsets,
            ],
            "Your plan is valid, but on some graph another order of placing needs less.",
            "No order is best for all graphs. Planning happens once, so there is time to try "
            "many orders and keep the smallest plan.",
        ),
        Misconception(
            "no shared places",
            lambda blocks: {
                b.name: sum(each.bytes for each in blocks[:i]) for i, b in enumerate(blocks)
            },
            "No two of your blocks share a place.",
            "Blocks that never live in the same step may share bytes.",
        ),
        Misconception(
            "lives a step too short",
            shorter_lives,
            "Your arena is small because blocks that share a step overlap.",
            "Both ends of a life are included. Two blocks meet if `a.first <= b.last` and "
            "`b.first <= a.last`.",
        ),
    ],
)
