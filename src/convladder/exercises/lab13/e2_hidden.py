"""Lab 13, exercise 2: how long copies and kernels ran at the same time."""

from ..exercise import Exercise, Misconception, edit


def hidden(copies, kernels):
    def merged(intervals):
        found = []
        for start, end in sorted(intervals):
            if found and start <= found[-1][1]:
                found[-1] = (found[-1][0], max(found[-1][1], end))
            else:
                found.append((start, end))
        return found

    pairs = [(a, b) for a in merged(copies) for b in merged(kernels)]
    return float(sum(max(0, min(a[1], b[1]) - max(a[0], b[0])) for a, b in pairs))


def drawn(rng, count):
    starts, lengths = rng.integers(0, 2000, count).tolist(), rng.integers(1, 250, count).tolist()
    return [(start, start + length) for start, length in zip(starts, lengths, strict=True)]


MERGE = "found[-1] = (found[-1][0], max(found[-1][1], end))"
BOTH = "for a in merged(copies) for b in merged(kernels)"
OVERLAP = "max(0, min(a[1], b[1]) - max(a[0], b[0]))"

EXERCISE = Exercise(
    name="hidden",
    lab=13,
    task="Add up the time in which copies and kernels ran at the same time.",
    solution=hidden,
    cases=lambda rng: [
        ([(0, 40)], [(30, 100)]),
        ([(0, 40), (40, 80)], [(45, 60), (62, 90)]),
        ([(0, 10)], [(20, 30)]),
        ([(0, 50), (30, 60)], [(20, 80)]),  # two copies at once: up and back
        ([(10.5, 20), (30, 40)], [(0, 25), (15, 50)]),  # two kernels at once
        ([(30, 60), (0, 20)], [(40, 90), (10, 35)]),  # not in order
        ([(0, 100), (20, 30)], [(50, 70)]),  # one within another
        ([], [(0, 5)]),
        ([(5, 9), (100, 130), (225, 260)], [(0, 200), (220, 300)]),  # nothing runs for a while
        (drawn(rng, 12), drawn(rng, 15)),
    ],
    valid=lambda copies, kernels: all(0 <= start < end for start, end in [*copies, *kernels]),
    mend="Merge the copies, and merge the kernels; then add up "
    "`max(0, min(a[1], b[1]) - max(a[0], b[0]))` over all pairs",
    misconceptions=[
        Misconception(
            "overlaps within a kind counted twice",
            [
                edit(BOTH, "for a in copies for b in kernels"),
                edit(BOTH, "for a in copies for b in merged(kernels)"),
                edit(BOTH, "for a in merged(copies) for b in kernels"),
            ],
            "Right where no two copies, and no two kernels, run at the same time.",
            "A moment in which two kernels run is still one moment. Merge each list first.",
        ),
        Misconception(
            "negative overlaps",
            edit(OVERLAP, "min(a[1], b[1]) - max(a[0], b[0])"),
            "Intervals that don't meet are subtracted.",
            "Two intervals that don't overlap share no time, not a negative one.",
        ),
        Misconception(
            "intervals not sorted by where they begin",
            [
                edit("sorted(intervals)", "intervals"),
                edit("sorted(intervals)", "sorted(intervals, key=lambda each: each[1])"),
            ],
            "Right where no interval begins before those merged so far.",
            "An interval can be merged with the one before it only if none begins earlier.",
            mend="`for start, end in sorted(intervals):`",
        ),
        Misconception(
            "the later interval's end",
            edit(MERGE, "found[-1] = (found[-1][0], end)"),
            "Wrong where one interval lies within another.",
            "The merged interval ends with whichever ends last: `max` of both ends.",
            mend="`found[-1] = (found[-1][0], max(found[-1][1], end))`",
        ),
        Misconception(
            "one partner per interval",
            [
                edit("[(a, b) " + BOTH + "]", "list(zip(merged(copies), merged(kernels)))"),
                edit(
                    "sum(" + OVERLAP + " for a, b in pairs)",
                    "sum({a: " + OVERLAP + " for a, b in pairs}.values())",
                ),
            ],
            "A copy counts with one kernel only.",
            "A long copy can overlap several kernels. All pairs count.",
        ),
    ],
)
