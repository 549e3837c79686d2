"""Lab 17, exercise 2: places for arrays in one arena, largest first."""

from ..exercise import Exercise, Misconception, edit

# (size in bytes, (first step, last step)) of each array
ARRAYS = [
    [(128, (0, 1)), (64, (1, 2)), (100, (2, 2))],
    [(300, (0, 1)), (200, (1, 2)), (100, (2, 3)), (300, (3, 3))],
    [
        (200, (0, 3)),
        (700, (0, 1)),
        (200, (0, 3)),
        (600, (1, 3)),
        (610, (3, 5)),
        (400, (4, 5)),
        (720, (4, 5)),
    ],
    [
        (320, (3, 6)),
        (192, (1, 4)),
        (192, (1, 1)),
        (320, (1, 4)),
        (128, (1, 2)),
        (320, (5, 5)),
        (192, (0, 1)),
        (320, (2, 2)),
        (256, (3, 3)),
    ],  # gaps as large as the array
    [(200, (0, 2)), (100, (0, 3)), (60, (1, 2)), (20, (0, 3))],  # a gap, but no whole line
    [(1000, (0, 1)), (448, (2, 3)), (100, (3, 4)), (50, (1, 4))],  # a low array ends highest
    [(256, (3, 3)), (128, (0, 1)), (64, (1, 2)), (320, (3, 5)), (192, (0, 0)), (100, (2, 3))],
    [(1000, (0, 1)), (512, (3, 4)), (100, (2, 3)), (64, (1, 2))],  # the higher one ends lower
]


def plan_arena(sizes, lives):
    offsets = {}
    for i in sorted(range(len(sizes)), key=lambda i: -sizes[i]):
        first, last = lives[i]
        met = [j for j in offsets if lives[j][0] <= last and first <= lives[j][1]]
        at = 0
        for j in sorted(met, key=offsets.get):
            if at + sizes[i] <= offsets[j]:
                break
            at = max(at, -(-(offsets[j] + sizes[j]) // 64) * 64)
        offsets[i] = at
    return [offsets[i] for i in range(len(sizes))]


def cases(rng):
    def drawn(count, unit):  # a large unit gives arrays of one size
        firsts = sorted(rng.integers(0, count, count).tolist())
        return [
            (unit * int(rng.integers(1, 1 + 999 // unit)), (f, f + int(rng.integers(0, 5))))
            for f in firsts
        ]

    return [(each,) for each in (*ARRAYS, drawn(14, 1), drawn(20, 1), drawn(20, 90))]


MEET = "lives[j][0] <= last and first <= lives[j][1]"

EXERCISE = Exercise(
    name="plan_arena",
    lab=17,
    solution=plan_arena,
    cases=cases,
    task="Place arrays in an arena: largest first, each at the lowest multiple of 64 that is free.",
    inputs=lambda fill, arrays: ([size for size, _ in arrays], [life for _, life in arrays]),
    valid=lambda arrays: all(size > 0 and 0 <= a <= b for size, (a, b) in arrays),
    mend="`if at + sizes[i] <= offsets[j]: break`, else `at = max(at, (offsets[j] + sizes[j] + 63) "
    "// 64 * 64)`, over the arrays it meets from the lowest up",
    misconceptions=[
        Misconception(
            "unaligned places",
            [
                edit("-(-(offsets[j] + sizes[j]) // 64) * 64", each)
                for each in ("offsets[j] + sizes[j]", "(offsets[j] + sizes[j]) // 64 * 64")
            ],
            "Some of your places are not multiples of 64, or lie inside the array below.",
            "An array begins on a line of its own: round the end of the one below up, not down.",
        ),
        Misconception(
            "lives without their last step",
            edit(MEET, "lives[j][0] < last and first < lives[j][1]"),
            "Arrays that meet in one step only share bytes.",
            "Both ends of a life are included: (0, 1) and (1, 2) meet in step 1.",
            mend="`met = [j for j in offsets if lives[j][0] <= last and first <= lives[j][1]]`",
        ),
        Misconception(
            "arrays kept apart needlessly",
            edit(MEET, "True"),
            "You keep arrays apart that are never needed in the same step.",
            "Two lives meet if each begins before the other ends: both conditions. Arrays whose "
            "lives don't meet may have the same place.",
            mend="`met = [j for j in offsets if lives[j][0] <= last and first <= lives[j][1]]`",
        ),
        Misconception(
            "gaps that are never used",
            edit("if at + sizes[i] <= offsets[j]", "if False"),
            "You put every array on top of those that it meets.",
            "Below the highest of them there may be room enough.",
        ),
        Misconception(
            "gaps of the wrong size",
            [
                edit("at + sizes[i] <= offsets[j]", each)
                for each in ("at < offsets[j]", "at + sizes[i] < offsets[j]")
            ],
            "You use gaps that are too small, or pass over one that fits exactly.",
            "An array fits where its end is no higher than the next one's begin. They may touch.",
        ),
        Misconception(
            "an order other than largest first",
            [edit("-sizes[i]", each) for each in ("i", "sizes[i]", "lives[i]")],
            "You don't place the arrays from the largest down.",
            "Large arrays are hard to place, so they go first. Small ones fit into the gaps.",
            mend="`for i in sorted(range(len(sizes)), key=lambda i: -sizes[i]):`",
        ),
    ],
)
