"""Lab 11, exercise 2: how long copies and kernels ran at the same time."""

from __future__ import annotations

from ...grading.exercise import Exercise, Misconception
from .intervals import (
    any_two,
    began_first,
    begun_within,
    best_of_each,
    both,
    both_move_on,
    by_ends,
    copies_merged_only,
    distances,
    ends_counted,
    exposed,
    first_of_each,
    flags,
    gaps_forgotten,
    hidden,
    hull,
    in_place,
    kernels_merged_only,
    last_forgotten,
    later_end,
    length,
    merged,
    negative,
    neighbours,
    share_of_the_copies,
    spans,
    touched,
    twice_taken_off,
    unsorted,
    whole,
    zipped,
)


def _cases(rng):
    def chance(count):
        starts = rng.integers(0, 2000, count)
        return [(int(s), int(s + n)) for s, n in zip(starts, rng.integers(1, 250, count))]

    return [
        ([(0, 40)], [(30, 100)]),
        ([(0, 40), (40, 80)], [(45, 60), (62, 90)]),
        ([(0, 10)], [(20, 30)]),
        ([(0, 50), (30, 60)], [(20, 80)]),  # two copies at once: up and back
        ([(10.5, 20), (30, 40)], [(0, 25), (15, 50)]),  # two kernels at once
        ([(30, 60), (0, 20)], [(40, 90), (10, 35)]),  # not in order
        ([(0, 100), (20, 30)], [(50, 70)]),  # one within another
        ([], [(0, 5)]),
        ([(5, 9), (100, 130), (225, 260)], [(0, 200), (220, 300)]),  # nothing runs for a while
        (chance(12), chance(15)),
    ]


EXERCISE = Exercise(
    name="hidden",
    lab=11,
    reference=hidden,
    task="Add up the time in which copies and kernels ran at the same time.",
    cases=_cases,
    misconceptions=[
        Misconception(
            "pair by pair",
            both,
            symptom="Right where no two copies and no two kernels overlap; else moments may count"
            " twice.",
            concept="A moment in which two copies and a kernel run is one moment. Pair by pair it "
            "counts twice.",
            line="Merge the copies to intervals that do not overlap, the kernels too; then take "
            "pairs.",
        ),
        Misconception(
            "not in order",
            lambda copies, kernels, earlier=False: both(
                unsorted(copies, earlier), unsorted(kernels, earlier)
            ),
            symptom="Right where intervals come in order of their beginnings.",
            concept="They may come in any order, and merging looks at the last one only.",
            line="`for start, end in sorted(intervals):`",
            choices={"earlier": (True,)},
        ),
        Misconception(
            "the end of the later one",
            lambda copies, kernels: both(later_end(copies), later_end(kernels)),
            symptom="Where one interval lies within another, you cut the long one off.",
            concept="What begins later may end sooner.",
            line="The merged end is `max(last_end, end)`.",
        ),
        Misconception(
            "the shorter total",
            lambda copies, kernels: min(length(merged(copies)), length(merged(kernels))),
            symptom="You give what could be hidden at best: the shorter of the two times, each "
            "moment counted once.",
            concept="Totals do not say *when*. A copy before the first kernel hides behind "
            "nothing.",
            line="Merge both lists, then compare where intervals begin and end, pair by pair.",
        ),
        Misconception(
            "gaps forgotten",
            gaps_forgotten,
            symptom="Right where the GPU is never idle between the first begin and the last end; "
            "where it is, you may count too little.",
            concept="Busy with copies plus busy with kernels minus the *union* is the overlap. "
            "From the first to the last is the union only if there is no gap.",
            line="Subtract the length of the merged union, not the span.",
            choices={"clipped": (True,)},
        ),
        Misconception(
            "only the outer ends",
            spans,
            symptom="You count as if there were no gap from the first begin of a kind to its last "
            "end.",
            concept="Between the first copy and the last there are moments without one; between "
            "kernels too.",
            line="Go through the merged intervals of both kinds, not through their hull.",
            choices={"made": ((merged, hull), (hull, merged), (list, hull), (hull, list))},
        ),
        Misconception(
            "merged in the order of their ends",
            lambda copies, kernels: float(both(by_ends(copies), by_ends(kernels))),
            symptom="Your sum is as if intervals were merged in the order of their ends: one that "
            "began early and ends late comes out wrong.",
            concept="Merging looks back at the last interval only. So they must come in the order "
            "in which they *begin*.",
            line="`for start, end in sorted(intervals):`, by their beginnings.",
        ),
        Misconception(
            "only what begins within",
            begun_within,
            symptom="You count an overlap only if the one kind begins while the other runs, not "
            "the other way round.",
            concept="A copy may run already when its kernel begins.",
            line="`min(ends) - max(starts)`, where that is above 0, whoever began first.",
            choices={"turned": (True,)},
        ),
        Misconception(
            "overlaps of one kind taken off",
            twice_taken_off,
            symptom="Right where no two copies and no two kernels overlap; else you take off all "
            "of that, also where nothing of the other kind runs.",
            concept="What counts twice is a moment with two of one kind *and* one of the other.",
            line="Merge the copies, merge the kernels, and nothing is left to be taken off.",
        ),
        Misconception(
            "only whole copies",
            whole,
            symptom="A copy that is only partly under a kernel counts for nothing with you.",
            concept="What is hidden is time, and it may be part of a copy.",
            line="`min(ends) - max(starts)` of two intervals, where that is above 0.",
        ),
        Misconception(
            "only neighbours",
            neighbours,
            symptom="Your sum is as if only neighbours in the order of time could meet, and each "
            "such pair by itself.",
            concept="After sorting, an interval can still reach over the next three; and a moment "
            "with two of one kind is one moment.",
            line="Merge both lists, then compare each copy with every kernel.",
        ),
        Misconception(
            "on from the one that began first",
            began_first,
            symptom="A long interval meets only some of those that it should with you.",
            concept="With a pointer into each list, the one that *ends* first can meet nothing "
            "more. The one that began first may still meet the next.",
            line="`if copies[i][1] < kernels[j][1]: i += 1`, else `j += 1`: ends, not begins.",
        ),
        Misconception(
            "both move on",
            both_move_on,
            symptom="Right where each stretch meets only one of the other kind; a long one that "
            "meets several counts with one of them.",
            concept="When a kernel ends within a copy, the copy goes on and may meet the next "
            "kernel. Only the one that ends first is done with.",
            line="After an overlap, too, only one moves on: `i += 1` if "
            "`copies[i][1] < kernels[j][1]`, else `j += 1`.",
        ),
        Misconception(
            "less than nothing",
            negative,
            symptom="Intervals that do not meet lower your sum.",
            concept="The formula for the overlap of two is negative where there is a gap between "
            "them.",
            line="`max(0, ...)` for each pair, before you add it.",
        ),
        Misconception(
            "only the kernels merged",
            kernels_merged_only,
            symptom="Right where no two copies overlap.",
            concept="A copy up and a copy back may run at the same time. That moment counts once.",
            line="Merge the copies as well.",
        ),
        Misconception(
            "only the copies merged",
            copies_merged_only,
            symptom="Right where no two kernels overlap.",
            concept="Kernels of two streams may run at the same time. That moment counts once.",
            line="Merge the kernels as well.",
        ),
        Misconception(
            "a share",
            share_of_the_copies,
            symptom="You return a share, not a time.",
            concept="A time is asked for, in the unit of the lists.",
            line="Leave out the division.",
            choices={
                "of": (lambda copies, kernels: kernels, lambda copies, kernels: [*copies, *kernels])
            },
        ),
        Misconception(
            "what is not hidden",
            exposed,
            symptom="You return the time in which copies ran alone.",
            concept="Hidden is what a kernel runs beside.",
            line="The overlap itself, not the copies less the overlap.",
        ),
        Misconception(
            "the union",
            lambda copies, kernels: float(length(merged([*copies, *kernels]))),
            symptom="You return the time in which anything ran at all.",
            concept="At least one copy *and* at least one kernel: that is the overlap, not the "
            "union.",
            line="Merge copies and kernels apart; then `min(ends) - max(starts)` of a copy and a "
            "kernel, where that is above 0.",
        ),
        Misconception(
            "the lists sorted in place",
            in_place,
            symptom="Your sum may be right, but the lists that you were given are in another "
            "order now.",
            concept="`list.sort` changes the list itself. `sorted` makes a new one.",
            line="`for start, end in sorted(intervals)`",
        ),
        Misconception(
            "the shorter of two sums",
            lambda copies, kernels: float(min(length(copies), length(kernels))),
            symptom="You give the shorter of the two sums, wherever copies and kernels lie.",
            concept="Totals do not say *when*: a copy before the first kernel hides behind "
            "nothing.",
            line="Compare begins and ends, pair by pair, after merging.",
        ),
        Misconception(
            "a flag for several",
            flags,
            symptom="Right where no two copies and no two kernels overlap; where two do, you may "
            "count too little.",
            concept='"A copy is running" is no yes or no while two of them may run: neither the '
            "begin of the second nor the end of one must switch off the other.",
            line="Count: `+ 1` where one begins, `- 1` where one ends; both counts above 0.",
            choices={"toggled": (True,)},
        ),
        Misconception(
            "any two at a time",
            any_two,
            symptom="You count moments in which two things run, also two copies or two kernels.",
            concept="Hidden is a copy behind a *kernel*: one of each kind.",
            line="Two counts, one for copies and one for kernels; both above 0.",
        ),
        Misconception(
            "one kernel for each copy",
            best_of_each,
            symptom="Right where no stretch of copies meets two kernels; else only its longest "
            "overlap counts.",
            concept="A long copy may hide behind several kernels, one after the other.",
            line="Add up over all kernels, merged.",
        ),
        Misconception(
            "side by side in the lists",
            zipped,
            symptom="Your sum is that of the first copy with the first kernel, the second with the "
            "second.",
            concept="Which kernel a copy meets is a question of time, not of its number.",
            line="Each merged copy with *every* merged kernel: a loop within a loop.",
        ),
        Misconception(
            "both ends counted",
            ends_counted,
            symptom="Each stretch in which both run is too long by its last moment, and where "
            "they only touch you count one.",
            concept="From 45 to 60 it is 15: `end` is the moment at which it is over, and no "
            "nanosecond of its own.",
            line="`min(ends) - max(starts)`, or moments from `start` to `end - 1`: no `+ 1`.",
        ),
        Misconception(
            "whole copies, if touched",
            touched,
            symptom="You count the whole of what overlaps, not the part in which both run.",
            concept="A copy may begin before its kernel, and only from then on it is hidden.",
            line="`min(ends) - max(starts)` of merged copies and kernels, where that is above 0.",
            choices={"turned": (True,)},
        ),
        Misconception(
            "the first kernel of each copy",
            first_of_each,
            symptom="Of several that one copy, or one kernel, meets you count one; moments with "
            "two of one kind may count twice.",
            concept="A copy may hide behind several kernels, and a kernel may hide several copies.",
            line="After one that is met, on to the next; merge both lists first.",
            choices={"joined": (list, merged), "turned": (False, True)},
        ),
        Misconception(
            "the last merged one forgotten",
            lambda copies, kernels: float(both(last_forgotten(copies), last_forgotten(kernels))),
            symptom="Your sum lacks the last stretch of each kind: of a single copy or kernel "
            "nothing is left.",
            concept="What is kept only when the next stretch begins is not kept when none does.",
            line="After the loop the last merged interval goes into the list as well.",
        ),
        Misconception(
            "gaps for overlaps",
            distances,
            symptom="Intervals that do not meet add to your sum; moments with two of one kind may "
            "count twice.",
            concept="Where two do not meet, the formula for their overlap gives the gap between "
            "them, with a minus.",
            line="`max(0, min(ends) - max(starts))`, of merged copies and merged kernels.",
            choices={"joined": (merged,)},
        ),
        Misconception(
            "the first of an empty list",
            lambda copies, kernels: (copies[0], kernels[0], hidden(copies, kernels))[2],
            symptom="You take an item of a list that has none.",
            concept="There may be no copies, or no kernels. Then nothing is hidden.",
            line="Begin with an empty list of merged intervals, and look at its last one only if "
            "there is one.",
        ),
    ],
)
