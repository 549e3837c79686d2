"""Places in an arena, right and as learners choose them: lab 15, exercise 2."""

from __future__ import annotations

from ...grading.exercise import Misconception

LINE = 64


def up(place):
    return -(-place // LINE) * LINE


def down(place):
    return place // LINE * LINE


def planner(
    order=lambda i, sizes, lives: (-sizes[i], i),
    meets=lambda a, b: a[0] <= b[1] and b[0] <= a[1],
    rounded=up,
    fits=lambda at, size, begin: at + size <= begin,
    upwards=max,
    by=lambda place, size: place,
    gaps=True,
    among_equals=lambda size, j: 0,
):
    def plan(sizes, lives):
        offsets = [0] * len(sizes)
        placed = []
        for i in sorted(range(len(sizes)), key=lambda i: order(i, sizes, lives)):
            at = 0
            others = [j for j in placed if meets(lives[i], lives[j])]
            for j in (
                sorted(others, key=lambda j: (by(offsets[j], sizes[j]), among_equals(sizes[j], j)))
                if by
                else others
            ):
                if gaps and fits(at, sizes[i], offsets[j]):
                    break
                at = upwards(at, rounded(offsets[j] + sizes[j]))
            offsets[i] = at
            placed.append(i)
        return offsets

    return plan


def gap_by_size(sizes, lives, largest=False):
    """Take the smallest gap that is large enough, or the largest one."""
    offsets, placed = {}, []
    for i in sorted(range(len(sizes)), key=lambda i: (-sizes[i], i)):
        at, found = 0, []
        for j in sorted(
            (j for j in placed if lives[j][0] <= lives[i][1] and lives[i][0] <= lives[j][1]),
            key=offsets.get,
        ):
            if at + sizes[i] <= offsets[j]:
                found.append(((at - offsets[j]) if largest else (offsets[j] - at), at))
            at = max(at, up(offsets[j] + sizes[j]))
        offsets[i] = min(found)[1] if found else at
        placed.append(i)
    return [offsets[i] for i in range(len(sizes))]


MORE = (
    Misconception(
        "largest gap",
        lambda *given: gap_by_size(*given, largest=True),
        symptom="Of several gaps you take the largest.",
        concept="That is *worst fit*: it leaves large rests, and none whole. The rule here is the "
        "lowest place.",
        line="Stop at the first gap from below with room for `sizes[i]` bytes.",
    ),
    Misconception(
        "equal ones by their lives",
        lambda sizes, lives, second=lambda life: life[0] - life[1]: planner(
            order=lambda i, sizes, lives: (-sizes[i], second(lives[i]), i)
        )(sizes, lives),
        choices={
            "second": (
                lambda life: life[0],
                lambda life: life[1],
                lambda life: -life[0],
                lambda life: -life[1],
                lambda life: life[1] - life[0],
            )
        },
        symptom="Right but where two arrays have the same size: those you order by their lives.",
        concept="Of equal ones, that with the smaller number goes first, whenever it lives.",
        line="`sorted(range(len(sizes)), key=lambda i: (-sizes[i], i))`.",
    ),
    Misconception(
        "size times life first",
        planner(order=lambda i, sizes, lives: (-sizes[i] * (lives[i][1] - lives[i][0] + 1), i)),
        symptom="You place by size times the length of the life.",
        concept="That is another good order, and here the size alone decides.",
        line="`key=lambda i: -sizes[i]`.",
    ),
)
