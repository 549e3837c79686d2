"""Lab 14, exercise 4: a rung's gain, predicted from the profile of the rung before."""

from ..draws import real
from ..exercise import Exercise, Misconception, edit

# Programs on an RTX 2060, in ms: fc_tuned and fc_coalesced, rows below 0.1 ms left out.
FC_TUNED = (
    27.1,
    [("HtoD", 9.38)],
    [("Conv2", 8.46), ("Linear1", 3.89), ("Conv1", 1.74), ("MaxPool", 1.13), ("Linear2", 0.84)],
)
FC_COALESCED = (
    18.8,
    [("HtoD", 4.87)],
    [("Conv2", 8.25), ("Conv1", 1.98), ("Linear1", 1.56), ("Linear2", 0.80), ("MaxPool", 0.93)],
)


def next_gain(wall, copies, kernels, times, overlap):
    left = wall - sum(copies.values()) - sum(kernels.values())
    moved = sum(seconds / times.get(name, 1) for name, seconds in copies.items())
    computed = sum(seconds / times.get(name, 1) for name, seconds in kernels.items())
    return wall / (left + (max(moved, computed) if overlap else moved + computed))


def makes_sense(wall, copies, kernels, times, overlap):
    rows = [*copies, *kernels]
    names = [name for name, _ in rows]
    return (
        0 < sum(seconds for _, seconds in rows) <= wall
        and all(seconds >= 0 for _, seconds in rows)
        and len(set(names)) == len(names)
        and all(factor > 0 for _, factor in times)
    )


NEW = "(max(moved, computed) if overlap else moved + computed)"
MOVED = "moved = sum(seconds / times.get(name, 1)"
COMPUTED = "computed = sum(seconds / times.get(name, 1)"

EXERCISE = Exercise(
    name="next_gain",
    lab=14,
    task="How many times as fast is the next program, if some rows of this profile shrink?",
    solution=next_gain,
    cases=lambda rng: [
        (10.0, [("there", 2.0)], [("a", 4.0), ("b", 3.0)], [("a", 2.0)], False),
        (10.0, [("there", 2.0)], [("a", 4.0), ("b", 3.0)], [], True),
        (10.0, [("there", 6.0)], [("a", 2.0), ("b", 1.0)], [("there", 1.5)], True),
        (12.0, [("there", 4.0)], [("a", 3.0), ("b", 3.0)], [("a", 3.0), ("b", 3.0)], True),
        (9.0, [("there", 5.5)], [("a", 2.0), ("b", 0.5)], [("a", 1.25)], True),
        (*FC_TUNED, [("HtoD", real(rng, 1.5, 4))], False),
        (*FC_COALESCED, [("Linear1", 2.0), ("Linear2", 1.5)], False),
        (*FC_COALESCED, [], True),
        (12.0, [("up", 1.0), ("down", 0.5)], [("k", 0.5)], [("k", 4.0)], False),
        (
            13.0,
            [("up", 1.0), ("down", 3.0)],
            [("k", 4.0), ("l", 0.5)],
            [("k", 2.0), ("down", 1.5)],
            True,
        ),
        (10.0, [("up", 4.0)], [("k", 5.0)], [("up", 2.0)], True),
    ],
    inputs=lambda fill, wall, copies, kernels, times, overlap: (
        wall,
        dict(copies),
        dict(kernels),
        dict(times),
        overlap,
    ),
    valid=makes_sense,
    mend="`left = wall - (all rows)`; new sums with `seconds / times.get(name, 1)`; "
    "`wall / (left + (max(moved, computed) if overlap else moved + computed))`",
    misconceptions=[
        Misconception(
            "the rest left out",
            [
                edit("(left + " + NEW + ")", "(" + NEW + " or 1)"),
                edit("    return", "    wall, left = wall - left, 0\n    return"),
            ],
            "Your gains are too high, since part of the wall time is in no row.",
            "What is in no row stays as it is, before and after: `left`.",
        ),
        Misconception(
            "a quantity other than the gain",
            [
                edit("return wall / (left + " + NEW + ")", "return (left + " + NEW + ") / wall"),
                edit("return wall / (left", "return (left"),
            ],
            "You return the new time, or its share of the old one.",
            "The gain is the old time over the new one.",
        ),
        Misconception(
            "factors for one kind only",
            [edit(MOVED, "moved = sum(seconds"), edit(COMPUTED, "computed = sum(seconds")],
            "Right where only kernels, or only copies, get faster.",
            "`times` can name rows of both kinds.",
        ),
        Misconception(
            "overlap always, or never",
            [
                edit(NEW, "(moved + computed)"),
                edit(NEW, "max(moved, computed)"),
                edit("if overlap else", "if not overlap else"),
            ],
            "Right for one value of `overlap` only.",
            "Side by side the longer of the two sums counts. Otherwise both do.",
        ),
        Misconception(
            "the wrong sum hidden",
            [
                edit("max(moved, computed)", "min(moved, computed)"),
                edit("max(moved, computed)", "computed"),
                edit(
                    "left + " + NEW,
                    "(max(left + computed, moved) if overlap else left + moved + computed)",
                ),
            ],
            "With `overlap` you hide the wrong part.",
            "The larger of the two new sums remains, and the rest comes on top.",
        ),
    ],
)
