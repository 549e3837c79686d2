"""Lab 15, exercise 7: a planner of one's own."""

from __future__ import annotations

import numpy as np

from .... import memory
from ....memory import Block
from ...grading import stages
from ...grading.written import short
from ...grading.exercise import Exercise, Misconception
from ....exercises.draws import wholes
from .graphs import chain, graphs

TRIES = 300


def _arena(blocks, offsets):
    return max(offsets[b.name] + b.bytes for b in blocks)


def my_planner(blocks):
    """Take the best of some orders, then of many by chance, each block into the lowest gap."""
    rng, bound = np.random.default_rng(0), memory.lower_bound(blocks)
    best = memory.best(blocks).offsets
    for _ in range(TRIES):
        if _arena(blocks, best) == bound:
            break
        order = [blocks[i] for i in rng.permutation(len(blocks))]
        tried = memory.first_fit(blocks, order).offsets
        best = min(best, tried, key=lambda offsets: _arena(blocks, offsets))
    return best


def accept(blocks, offsets):
    """Return None for a valid plan that is as small as can be; but for the puzzle, as `best`."""
    if not isinstance(offsets, dict):
        return stages.WRONG_SHAPE, (
            f"returned {short(offsets)}, where a dict with a place for each block's name is wanted."
        )
    names = {b.name for b in blocks}
    for name in offsets:
        if name not in names:
            return stages.WRONG_SHAPE, f"gives a place to {name!r}, which is no block's `name`."
    for name in sorted(names - offsets.keys()):
        return stages.WRONG_SHAPE, f"gives no place to {name!r}."
    for name, place in offsets.items():
        if isinstance(place, bool) or not isinstance(place, (int, np.integer)) or place < 0:
            at = f"the float {place}" if isinstance(place, float) else short(place)
            return stages.WRONG_SHAPE, f"puts {name!r} at {at}; places are whole numbers from 0."
    if clashes := memory.overlaps(blocks, offsets):
        a, b = clashes[0]
        return stages.WRONG_VALUES, (
            f"lets {a.name!r} and {b.name!r} share bytes: they are at {offsets[a.name]} and "
            f"{offsets[b.name]}, with {a.bytes} and {b.bytes} bytes, and step "
            f"{max(a.first, b.first)} needs both."
        )
    easy = blocks != graphs()["puzzle"]
    limit = memory.best(blocks).bytes if easy else memory.lower_bound(blocks)
    arena = _arena(blocks, offsets)
    if arena > limit:
        whose = "the package's `best` needs" if easy else "there is one with"
        return stages.OVER_BUDGET, (
            f"gives a valid plan, but an arena of {arena:,} bytes, where "
            f"{whose} {limit:,}. {_free_below(blocks, offsets)}"
        )
    return None


def _free_below(blocks, offsets):
    """Say which block fits lower; of none, how much is free below the highest one, at the step
    where that is least."""
    for block in sorted(blocks, key=lambda b: -offsets[b.name] - b.bytes):
        others = sorted(
            (b for b in blocks if b is not block and b.meets(block)), key=lambda b: offsets[b.name]
        )
        place = 0
        for other in others:
            if place + block.bytes <= offsets[other.name]:
                break
            place = max(place, offsets[other.name] + other.bytes)
        if place < offsets[block.name]:
            return f"{block.name!r} is at {offsets[block.name]:,}, and is free to be at {place:,}."
    top = max(blocks, key=lambda b: offsets[b.name] + b.bytes)
    used = {
        step: sum(b.bytes for b in blocks if b.first <= step <= b.last)
        for step in range(top.first, top.last + 1)
    }
    step = max(used, key=used.get)
    return (
        f"{top.name!r} ends there. In step {step}, which needs it, "
        f"{offsets[top.name] + top.bytes - used[step]:,} bytes below it are free. No block "
        "alone can be moved further down: another order of placing may do better."
    )


def _lives_one_short(blocks):
    shorter = [Block(b.name, b.bytes, b.first, max(b.first, b.last - 1)) for b in blocks]
    return memory.best(shorter).offsets


def _by_chance_alone(blocks):
    """Take one order by chance."""
    order = np.random.default_rng(3).permutation(len(blocks))
    return memory.first_fit(blocks, [blocks[i] for i in order]).offsets


def _worst_of_many(blocks):
    rng = np.random.default_rng(0)
    plans = [
        memory.first_fit(blocks, [blocks[i] for i in rng.permutation(len(blocks))]).offsets
        for _ in range(20)
    ]
    return max(plans, key=lambda offsets: _arena(blocks, offsets))


def _cases(rng):
    found = graphs() | {"chain": chain(*wholes(rng, 1, 40, 7))}
    return [(blocks,) for blocks in sorted(found.values(), key=len)]


def _always_on_top(blocks, order=lambda b: -b.bytes):
    places, done = {}, []
    for block in sorted(blocks, key=order):
        places[block.name] = max(
            (places[other.name] + other.bytes for other in done if block.meets(other)), default=0
        )
        done.append(block)
    return places


def _one_order(blocks, order=lambda b: -b.bytes * (b.last - b.first)):
    return memory.first_fit(blocks, sorted(blocks, key=order)).offsets


EXERCISE = Exercise(
    name="my_planner",
    lab=15,
    reference=my_planner,
    accept=accept,
    task="A planner of your own, never worse than the package's, and perfect on the puzzle.",
    calls_allowed=("convladder.memory.lifetimes",),
    cases=_cases,
    misconceptions=[
        Misconception(
            "a place for each",
            lambda blocks: memory.naive(blocks).offsets,
            symptom="In these cases no two of your blocks share a place.",
            concept="A place is free again when the block that had it is no longer needed.",
            line="Begin each block at 0, and move it up only past those that it `meets` and would "
            "overlap.",
        ),
        Misconception(
            "largest first",
            lambda blocks: memory.best_fit(blocks).offsets,
            symptom="Your plans are those of the largest first, each into the smallest gap that it "
            "fits. On the puzzle that gives 23.",
            concept="A greedy order never looks back. Another order gives other plans: none is "
            "always best.",
            line="Make plans in many orders (by size, by step, by size times life, a hundred by "
            "chance), and return the smallest.",
        ),
        Misconception(
            "largest first, lowest gap",
            lambda blocks: (
                memory.first_fit(blocks, sorted(blocks, key=lambda b: (-b.bytes, b.first))).offsets
            ),
            symptom="Your plans are those of the largest first, each into the lowest gap. That is "
            "not always enough.",
            concept="One order, whichever, loses somewhere. Trying many costs milliseconds, once, "
            "before the network ever runs.",
            line="Keep your function, and call it with many orders; "
            "`rng.permutation(len(blocks))` gives one by chance.",
        ),
        Misconception(
            "in the order of steps",
            lambda blocks: memory.in_order(blocks).offsets,
            symptom="Your plans are those of blocks placed as they are made, into the lowest gap. "
            "On the puzzle that gives 19.",
            concept="That is what an allocator must do, which does not know what comes. You do "
            "know.",
            line="Try a hundred orders by chance, and keep the smallest plan.",
        ),
        Misconception(
            "lives one step short",
            _lives_one_short,
            symptom="Your arena is small because blocks that share a step overlap.",
            concept="`last` is included: in that step the block is still read.",
            line="Two blocks meet if `a.first <= b.last and b.first <= a.last`.",
        ),
        Misconception(
            "all at 0",
            lambda blocks: {b.name: 0 for b in blocks},
            symptom="All of your blocks are in one place.",
            concept="Blocks that are needed in the same step must not share a byte.",
            line="Move a block up until it overlaps none that it `meets`.",
        ),
        Misconception(
            "one order by chance",
            _by_chance_alone,
            symptom="Your plan is one that a single order gives.",
            concept="One order by chance is as good as any. A hundred, of which you keep the "
            "best, are better than almost any rule.",
            line="A loop around it, one `rng` before the loop, and the best plan so far.",
        ),
        Misconception(
            "the worst of many",
            _worst_of_many,
            symptom="Your plan is larger than it needs to be, for every graph.",
            concept="The arena is what has to be bought: of many plans the smallest is the good "
            "one.",
            line="`min(..., key=...)`, or keep a plan only if its arena is *smaller*.",
        ),
        Misconception(
            "places in floats",
            lambda blocks: {
                name: float(place) for name, place in memory.best(blocks).offsets.items()
            },
            symptom="Your places are floats.",
            concept="A place is a number of bytes from the begin of the arena.",
            line="Whole numbers all the way (`0`, `//`), or `int(...)` at the end.",
        ),
        Misconception(
            "a list of places",
            lambda blocks: [memory.best(blocks).offsets[b.name] for b in blocks],
            symptom="You return a list.",
            concept="Places are looked up by the block's name.",
            line="`{block.name: place}`",
        ),
        Misconception(
            "numbers for names",
            lambda blocks: dict(enumerate(memory.best(blocks).offsets.values())),
            symptom="Your dictionary has the blocks' numbers, not their names.",
            concept="Whoever uses the plan asks for an array by its name.",
            line="`offsets[block.name] = place`",
        ),
        Misconception(
            "a block left out",
            lambda blocks: dict(list(memory.best(blocks).offsets.items())[:-1]),
            symptom="One of the blocks has no place.",
            concept="Every block needs one, also the last and the smallest.",
            line="Go through all of `blocks`.",
        ),
        Misconception(
            "always on top",
            _always_on_top,
            symptom="Your blocks share places, but what lies free between two that a block meets "
            "is never used.",
            concept="Two blocks that do not meet each other may leave a gap between them for a "
            "third one that meets both.",
            line="Walk up from 0 through the blocks that it meets, by their places, and stop at "
            "the first gap that is large enough.",
            choices={"order": (lambda b: b.bytes * (b.first - b.last - 1),)},
        ),
        Misconception(
            "pairs of name and place",
            lambda blocks: list(memory.best(blocks).offsets.items()),
            symptom="You return a list of pairs.",
            concept="Places are looked up by name.",
            line="`dict(pairs)`.",
        ),
        Misconception(
            "another single order",
            _one_order,
            symptom="Your plans are those of a single order, each block into the lowest gap: for "
            "some graph it is not the best.",
            concept="No order is best for every graph: which was, the arenas tell.",
            line="Make plans in a hundred orders by chance, too; return `min(plans, key=arena)`.",
            choices={
                "order": (
                    lambda b: (-b.bytes, -b.first),
                    lambda b: b.first - b.last,
                    lambda b: -b.last,
                    lambda b: -b.first,
                    lambda b: -b.bytes * (b.last - b.first + 1),
                    lambda b: (b.first - b.last, -b.bytes),
                    lambda b: b.last,
                    lambda b: (-b.bytes, -b.last),
                    lambda b: (b.first, -b.bytes),
                    lambda b: b.name,
                    lambda b: -b.bytes / (b.last - b.first + 1),
                    lambda b: b.bytes,
                )
            },
        ),
    ],
)
