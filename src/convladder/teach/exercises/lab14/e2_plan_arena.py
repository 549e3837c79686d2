"""Lab 14, exercise 2: places in one arena, largest first."""

from __future__ import annotations

from ...exercise import Exercise, Misconception

LINE = 64


def _up(place):
    return -(-place // LINE) * LINE


def _down(place):
    return place // LINE * LINE


def _planner(order=lambda i, sizes, lives: (-sizes[i], i),
             meets=lambda a, b: a[0] <= b[1] and b[0] <= a[1], rounded=_up,
             fits=lambda at, size, begin: at + size <= begin, by_place=True, gaps=True):
    def plan(sizes, lives):
        offsets = [0] * len(sizes)
        placed = []
        for i in sorted(range(len(sizes)), key=lambda i: order(i, sizes, lives)):
            at = 0
            others = [j for j in placed if meets(lives[i], lives[j])]
            for j in sorted(others, key=lambda j: offsets[j]) if by_place else others:
                if gaps and fits(at, sizes[i], offsets[j]):
                    break
                at = max(at, rounded(offsets[j] + sizes[j]))
            offsets[i] = at
            placed.append(i)
        return offsets
    return plan


plan = _planner()


def plan_arena(sizes, lives):
    return plan(sizes, lives)


CHAIN = [300, 200, 100, 300], [(0, 1), (1, 2), (2, 3), (3, 3)]
PUZZLE = ([200, 700, 200, 600, 610, 400, 720],
          [(0, 3), (0, 1), (0, 3), (1, 3), (3, 5), (4, 5), (4, 5)])


def _cases(rng):
    def random(count):
        firsts = sorted(rng.integers(0, count, count).tolist())
        return (rng.integers(1, 999, count).tolist(),
                [(first, first + int(rng.integers(0, 5))) for first in firsts])
    return [([128, 64, 100], [(0, 1), (1, 2), (2, 2)]), CHAIN, PUZZLE, random(9), random(14),
            random(20)]


Exercise(
    name="plan_arena", lab=14, reference=plan_arena,
    task="Place arrays in one arena, largest first, at multiples of 64 bytes.",
    cases=_cases,
    misconceptions=[
        Misconception(
            "shared steps missed", _planner(meets=lambda a, b: a[0] < b[1] and b[0] < a[1]),
            symptom="You let two arrays share a place where one ends in the step in which the "
                    "other begins.",
            concept="That step reads the one while it writes the other. Both ends of a life are "
                    "included, so they meet.",
            line="`first <= other_last and other_first <= last`, with `<=` on both sides."),
        Misconception(
            "not aligned", _planner(rounded=lambda place: place),
            symptom="Some of your places are no multiples of 64.",
            concept="An array that begins inside a cache line makes vector loads straddle two.",
            line="Round the end of the array below up: `-(-end // 64) * 64`."),
        Misconception(
            "rounded down", _planner(rounded=_down),
            symptom="Your places are multiples of 64, but some lie inside the array below.",
            concept="To round down moves an array into the one before it.",
            line="`-(-end // 64) * 64` rounds up; `end // 64 * 64` rounds down."),
        Misconception(
            "lives ignored", _planner(meets=lambda a, b: True),
            symptom="No two of your arrays share a place, whenever they live.",
            concept="Arrays that are never needed in the same step may have the same place: that "
                    "is all that planning is about.",
            line="Look only at placed arrays whose life meets that of the one you place."),
        Misconception(
            "always on top", _planner(gaps=False),
            symptom="You never use a gap between two arrays.",
            concept="Below the highest array that it meets there may be room enough.",
            line="Go through them from the lowest place; stop where the gap before one is "
                 "`sizes[i]` or more."),
        Misconception(
            "too small a gap", _planner(fits=lambda at, size, begin: at < begin),
            symptom="You put arrays into gaps that are too small for them.",
            concept="A gap is from the end of one array to the begin of the next: compare its "
                    "size.",
            line="`at + sizes[i] <= offsets[j]`."),
        Misconception(
            "in the order of steps", _planner(order=lambda i, sizes, lives: i),
            symptom="You place arrays in the order in which they are made.",
            concept="That is what an allocator does, which cannot look ahead. A small array that "
                    "comes early can split the room that a large one needs.",
            line="Sort by size, the largest first; equal ones in their order."),
        Misconception(
            "smallest first", _planner(order=lambda i, sizes, lives: (sizes[i], i)),
            symptom="You place the smallest array first.",
            concept="Large arrays are hard to place, so they go first; small ones fit into what is "
                    "left.",
            line="`sorted(..., key=lambda i: -sizes[i])`."),
        Misconception(
            "equal ones from behind", _planner(order=lambda i, sizes, lives: (-sizes[i], -i)),
            symptom="Right but where two arrays have the same size.",
            concept="Of equal ones, that with the smaller number goes first, so that everybody's "
                    "plan is the same. To reverse a sorted list reverses them too.",
            line="`sorted(range(len(sizes)), key=lambda i: -sizes[i])` keeps equal ones in order."),
        Misconception(
            "not from below", _planner(by_place=False),
            symptom="Right with few arrays; with more, two of yours overlap or leave room unused.",
            concept="Gaps are between neighbours in the *arena*. In the order of placing, the next "
                    "array may lie below the last.",
            line="Sort the arrays that it meets by their place before you look for a gap."),
    ],
)
