"""Lab 15, exercise 2: places in one arena, largest first."""

from __future__ import annotations

from ...grading.exercise import Exercise, Misconception
from . import plan_arena_wrong as wrong
from .graphs import ARRAYS

plan = wrong.planner()


def _meeting(rule):
    """Plan with another rule of which lives meet: of the new array, and of a placed one."""
    return lambda sizes, lives, meets=rule: wrong.planner(meets=meets)(sizes, lives)


def plan_arena(sizes, lives):
    return plan(sizes, lives)


def _as_placed(sizes, lives):
    offsets = plan(sizes, lives)
    return [offsets[i] for i in sorted(range(len(sizes)), key=lambda i: (-sizes[i], i))]


def _cases(rng):
    def random(count):
        firsts = sorted(rng.integers(0, count, count).tolist())
        return (
            rng.integers(1, 999, count).tolist(),
            [(first, first + int(rng.integers(0, 5))) for first in firsts],
        )

    return [*ARRAYS, random(14), random(20)]


def _rounded_afterwards(sizes, lives):
    offsets, placed = [0] * len(sizes), []
    for i in sorted(range(len(sizes)), key=lambda i: (-sizes[i], i)):
        at = 0
        for j in sorted(
            (j for j in placed if lives[j][0] <= lives[i][1] and lives[i][0] <= lives[j][1]),
            key=lambda j: offsets[j],
        ):
            if at + sizes[i] <= offsets[j]:
                break
            at = max(at, offsets[j] + sizes[j])
        offsets[i] = wrong.up(at)
        placed.append(i)
    return offsets


def _lined(sizes, lives, line=32):
    return wrong.planner(rounded=lambda place: -(-place // line) * line)(sizes, lives)


EXERCISE = Exercise(
    name="plan_arena",
    lab=15,
    reference=plan_arena,
    task="Place arrays in one arena, largest first, at multiples of 64 bytes.",
    cases=_cases,
    misconceptions=[
        *wrong.MORE,
        Misconception(
            "shared steps missed",
            _meeting(lambda a, b: a[0] < b[1] and b[0] < a[1]),
            choices={
                "meets": (
                    lambda a, b: a[0] <= b[1] and b[0] < a[1],
                    lambda a, b: a[0] < b[1] and b[0] <= a[1],
                    lambda a, b: max(a[0], b[0]) < min(a[1], b[1]),
                )
            },
            symptom="You let two arrays share a place where one ends in the step in which the "
            "other begins.",
            concept="That step reads the one while it writes the other. Both ends of a life are "
            "included, so they meet.",
            line="`first <= other_last and other_first <= last`, with `<=` on both sides.",
        ),
        Misconception(
            "not aligned",
            wrong.planner(rounded=lambda place: place),
            symptom="Some of your places are no multiples of 64.",
            concept="An array that begins inside a cache line makes vector loads straddle two.",
            line="Round the end of the array below up, `-(-end // 64) * 64`; or search in steps of "
            "64.",
        ),
        Misconception(
            "rounded down",
            wrong.planner(rounded=wrong.down),
            symptom="Your places are multiples of 64, but some lie inside the array below.",
            concept="To round down moves an array into the one before it.",
            line="`-(-end // 64) * 64` rounds up; `end // 64 * 64` rounds down.",
        ),
        Misconception(
            "lives ignored",
            wrong.planner(meets=lambda a, b: True),
            symptom="No two of your arrays share a place, whenever they live.",
            concept="Arrays that are never needed in the same step may have the same place: that "
            "is all that planning is about.",
            line="Look only at placed arrays whose life meets that of the one you place.",
        ),
        Misconception(
            "always on top",
            wrong.planner(gaps=False),
            symptom="You never use a gap between two arrays, nor below them.",
            concept="Below the highest array that it meets there may be room enough.",
            line="Go through them from the lowest place; stop where the gap before one is "
            "`sizes[i]` or more.",
        ),
        Misconception(
            "too small a gap",
            wrong.planner(fits=lambda at, size, begin: at < begin),
            symptom="You put arrays into gaps that are too small for them.",
            concept="A gap is from the end of one array to the begin of the next: compare its "
            "size.",
            line="`at + sizes[i] <= offsets[j]`.",
        ),
        Misconception(
            "too large a gap",
            wrong.planner(fits=lambda at, size, begin: at + size < begin),
            symptom="You pass over a gap that is exactly as large as the array.",
            concept="Two arrays may touch: the one ends at the byte at which the other begins.",
            line="It fits where `at + sizes[i] <= offsets[j]`: equal is enough.",
        ),
        Misconception(
            "smallest gap",
            wrong.gap_by_size,
            symptom="Of several gaps you take the smallest that is large enough.",
            concept="That is *best fit*, a good planner too. The rule here is the lowest place.",
            line="Stop at the first gap from below that is large enough.",
        ),
        Misconception(
            "down again",
            lambda sizes, lives, among_equals=lambda size, j: 0: wrong.planner(
                upwards=lambda at, end: end, among_equals=among_equals
            )(sizes, lives),
            symptom="Some of your arrays lie in one that they had passed on their way up.",
            concept="A low array may end below the end of a taller one that also begins low, where "
            "the two do not meet each other.",
            line="`at = max(at, ...)`: on your way up you never go down.",
            choices={"among_equals": (lambda size, j: size, lambda size, j: j)},
        ),
        Misconception(
            "a line too many",
            wrong.planner(rounded=lambda place: (place // wrong.LINE + 1) * wrong.LINE),
            symptom="Where an array ends at a multiple of 64 you leave 64 bytes unused behind it.",
            concept="Such an end is a place already: two arrays may touch.",
            line="`(end + 63) // 64 * 64` rounds up, and leaves a multiple as it is. In a search "
            "step by step, arrays that only touch do not meet: `<`, not `<=`.",
        ),
        Misconception(
            "lives that begin inside",
            _meeting(lambda a, b: a[0] <= b[0] <= a[1]),
            choices={"meets": (lambda a, b: b[0] <= a[0] <= b[1],)},
            symptom="You see that two arrays meet only if a certain one of them, the placed one or "
            "the new one, begins while the other lives.",
            concept="Either may have begun before, and still be there. Lives meet both ways.",
            line="Two conditions: each begins no later than the other ends.",
        ),
        Misconception(
            "half of the test",
            _meeting(lambda a, b: b[0] <= a[1]),
            choices={"meets": (lambda a, b: a[0] <= b[1],)},
            symptom="You keep arrays apart that are never needed in the same step.",
            concept="That one begins before the other ends is half of it: the other must begin "
            "before this one ends, too.",
            line="`lives[j][0] <= last and first <= lives[j][1]`: both conditions.",
        ),
        Misconception(
            "in the order of placing",
            _as_placed,
            symptom="The right places in another order: that in which you placed the arrays.",
            concept="Whoever reads your plan looks up array 0 first, and then array 1.",
            line="`offsets = [0] * len(sizes)` first, then `offsets[i] = ...`.",
        ),
        Misconception(
            "in the order of their numbers",
            wrong.planner(order=lambda i, sizes, lives: i),
            symptom="You place arrays in the order of their numbers.",
            concept="A small array that is placed early can split the room that a large one needs.",
            line="Sort by size, the largest first; equal ones in their order.",
        ),
        Misconception(
            "smallest first",
            wrong.planner(order=lambda i, sizes, lives: (sizes[i], i)),
            symptom="You place the smallest array first.",
            concept="Large arrays are hard to place, so they go first; small ones fit into what is "
            "left.",
            line="`sorted(..., key=lambda i: -sizes[i])`.",
        ),
        Misconception(
            "equal ones from behind",
            wrong.planner(order=lambda i, sizes, lives: (-sizes[i], -i)),
            symptom="Right but where two arrays have the same size.",
            concept="Of equal ones, that with the smaller number goes first, so that everybody's "
            "plan is the same. To reverse a sorted list reverses them too.",
            line="`sorted(range(len(sizes)), key=lambda i: -sizes[i])` keeps equal ones in order.",
        ),
        Misconception(
            "not from below",
            lambda sizes, lives, by=None: wrong.planner(by=by)(sizes, lives),
            choices={"by": (lambda place, size: place + size,)},
            symptom="Where an array meets several others, yours may overlap one of them, or leave "
            "room unused.",
            concept="Gaps are between neighbours in the *arena*. In another order, as that of "
            "placing, the next array may begin below the last.",
            line="Sort the arrays that it meets by where they begin before you look for a gap.",
        ),
        Misconception(
            "sizes rounded up first",
            lambda sizes, lives: wrong.planner()([wrong.up(size) for size in sizes], lives),
            symptom="Your places are right for some arrays; others are in an order that their "
            "real sizes do not give.",
            concept="Rounding makes arrays equal that are not. Sort and compare with the sizes "
            "as they are; only places are multiples of 64.",
            line="`key=lambda i: -sizes[i]`, with the real size; rounded is the end of the array "
            "below, `-(-end // 64) * 64`.",
        ),
        Misconception(
            "a dictionary",
            lambda sizes, lives: dict(enumerate(plan(sizes, lives))),
            symptom="Your offsets are in a dictionary.",
            concept="Arrays have numbers here, and a list is looked up by number.",
            line="`[offsets[i] for i in range(len(sizes))]`",
        ),
        Misconception(
            "the longest lives first",
            wrong.planner(order=lambda i, sizes, lives: (lives[i][0] - lives[i][1], i)),
            symptom="You place by the length of the lives.",
            concept="That is another good order, but not the one that is asked for.",
            line="Sort by `-sizes[i]`.",
        ),
        Misconception(
            "in lines",
            lambda sizes, lives: [at // wrong.LINE for at in plan(sizes, lives)],
            symptom="Your offsets are 64 times too small.",
            concept="An offset is in bytes.",
            line="No division at the end.",
        ),
        Misconception(
            "rounded behind the search",
            _rounded_afterwards,
            symptom="Your places are multiples of 64. Some arrays reach into the next one: their "
            "gap is large enough only from where the array below *ends*.",
            concept="Rounding up takes bytes from the gap. What fits before it may not fit after.",
            line="Round each end up as you walk: `at = max(at, -(-end // 64) * 64)`.",
        ),
        Misconception(
            "another line",
            _lined,
            symptom="Your places are multiples of another number than 64.",
            concept="A cache line has 64 bytes here, so that no two arrays share one.",
            line="`-(-end // 64) * 64`.",
            choices={"line": (8, 16, 128, 256, 4096)},
        ),
    ],
)
