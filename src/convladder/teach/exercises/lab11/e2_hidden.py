"""Lab 11, exercise 2: how long copies and kernels ran at the same time."""

from __future__ import annotations

from itertools import pairwise

from ...grading.exercise import Exercise, Misconception


def _merged(intervals):
    found = []
    for start, end in sorted(intervals):
        if found and start <= found[-1][1]:
            found[-1] = (found[-1][0], max(found[-1][1], end))
        else:
            found.append((start, end))
    return found


def _length(intervals):
    return sum(end - start for start, end in intervals)


def _both(ones, others):
    return sum(max(0, min(a[1], b[1]) - max(a[0], b[0])) for a in ones for b in others)


def hidden(copies, kernels):
    return float(_both(_merged(copies), _merged(kernels)))  # times: whole or not


def _unsorted(intervals):
    found = []
    for start, end in intervals:
        if found and start <= found[-1][1]:
            found[-1] = (found[-1][0], max(found[-1][1], end))
        else:
            found.append((start, end))
    return found


def _later_end(intervals):
    found = []
    for start, end in sorted(intervals):
        if found and start <= found[-1][1]:
            found[-1] = (found[-1][0], end)
        else:
            found.append((start, end))
    return found


def _spans(copies, kernels):
    return _both(*([(min(s for s, _ in each), max(e for _, e in each))] if each else []
                   for each in (copies, kernels)))


def _whole(copies, kernels):
    return sum(end - start for start, end in _merged(copies)
               if any(a <= start and end <= b for a, b in _merged(kernels)))


def _gaps_forgotten(copies, kernels):
    there = [*copies, *kernels]
    if not there:
        return 0
    return (_length(_merged(copies)) + _length(_merged(kernels))
            - (max(e for _, e in there) - min(s for s, _ in there)))


def _neighbours(copies, kernels):
    tagged = sorted([(*each, 0) for each in copies] + [(*each, 1) for each in kernels])
    return sum(max(0, min(a[1], b[1]) - b[0]) for a, b in pairwise(tagged) if a[2] != b[2])


def _negative(copies, kernels):
    return sum(min(a[1], b[1]) - max(a[0], b[0])
               for a in _merged(copies) for b in _merged(kernels))


def _share_of_the_copies(copies, kernels):
    whole = _length(_merged(copies))
    return hidden(copies, kernels) / whole if whole else 0.0


def _exposed(copies, kernels):
    return _length(_merged(copies)) - hidden(copies, kernels)


def _apart_where_they_touch(copies, kernels):
    """Count a gap of one where an interval begins at the end of another."""
    return max(0.0, hidden(copies, kernels) - sum(
        a[1] == b[0] for a in copies for b in copies))


def _kernels_merged_only(copies, kernels):
    return _both(copies, _merged(kernels))


def _copies_merged_only(copies, kernels):
    return _both(_merged(copies), kernels)


def _in_place(copies, kernels):
    copies.sort(), kernels.sort()
    return hidden(copies, kernels)


def _cases(rng):
    def chance(count):
        starts = rng.integers(0, 2000, count)
        return [(int(s), int(s + n)) for s, n in zip(starts, rng.integers(1, 250, count))]

    return [
        ([(0, 40)], [(30, 100)]),
        ([(0, 40), (40, 80)], [(45, 60), (62, 90)]),
        ([(0, 10)], [(20, 30)]),
        ([(0, 50), (30, 60)], [(20, 80)]),  # two copies at once: up and back
        ([(10, 20), (30, 40)], [(0, 25), (15, 50)]),  # two kernels at once
        ([(30, 60), (0, 20)], [(40, 90), (10, 35)]),  # not in order
        ([(0, 100), (20, 30)], [(50, 70)]),  # one within another
        ([], [(0, 5)]),
        ([(5, 9), (100, 130)], [(0, 200)]),
        (chance(12), chance(15)),
    ]


EXERCISE = Exercise(
    name="hidden", lab=11, reference=hidden,
    task="Add up the time in which copies and kernels ran at the same time.",
    cases=_cases,
    misconceptions=[
        Misconception(
            "pair by pair", _both,
            symptom="Right where copies follow one another and kernels do; too high where two of a "
                    "kind overlap.",
            concept="A moment in which two copies and a kernel run is one moment. Pair by pair it "
                    "counts twice.",
            line="Merge the copies to intervals that do not overlap, the kernels too; then take "
                 "pairs."),
        Misconception(
            "not in order", lambda copies, kernels: _both(_unsorted(copies), _unsorted(kernels)),
            symptom="Right where intervals come in order of their beginnings.",
            concept="They may come in any order, and merging looks at the last one only.",
            line="`for start, end in sorted(intervals):`"),
        Misconception(
            "the end of the later one",
            lambda copies, kernels: _both(_later_end(copies), _later_end(kernels)),
            symptom="Where one interval lies within another, you cut the long one off.",
            concept="What begins later may end sooner.",
            line="The merged end is `max(last_end, end)`."),
        Misconception(
            "the shorter total", lambda copies, kernels: min(
                _length(_merged(copies)), _length(_merged(kernels))),
            symptom="You give what could be hidden at best.",
            concept="Totals do not say *when*. A copy before the first kernel hides nothing.",
            line="Compare where intervals begin and end."),
        Misconception(
            "gaps forgotten", _gaps_forgotten,
            symptom="Right where the GPU is never idle, too low (or negative) elsewhere.",
            concept="Busy with copies plus busy with kernels minus the *union* is the overlap. "
                    "From the first to the last is the union only if there is no gap.",
            line="Subtract the length of the merged union, not the span."),
        Misconception(
            "only the outer ends", _spans,
            symptom="You compare where all copies begin and end with where all kernels do.",
            concept="Between the first copy and the last there are moments without one.",
            line="Go through the intervals, not through their hull."),
        Misconception(
            "only whole copies", _whole,
            symptom="A copy that is half under a kernel counts for nothing with you.",
            concept="What is hidden is time, and it may be part of a copy.",
            line="`min(ends) - max(starts)` of two intervals, where that is above 0."),
        Misconception(
            "only neighbours", _neighbours,
            symptom="A long kernel hides several copies, and you count one.",
            concept="After sorting, an interval can still reach over the next three.",
            line="Compare each copy with every kernel, or sweep with both lists merged."),
        Misconception(
            "less than nothing", _negative,
            symptom="Intervals that do not meet lower your sum.",
            concept="The formula for the overlap of two is negative where there is a gap between "
                    "them.",
            line="`max(0, ...)`."),
        Misconception(
            "only the kernels merged", _kernels_merged_only,
            symptom="Right where no two copies overlap.",
            concept="A copy up and a copy back may run at the same time. That moment counts "
                    "once.",
            line="Merge the copies as well."),
        Misconception(
            "only the copies merged", _copies_merged_only,
            symptom="Right where no two kernels overlap.",
            concept="Kernels of two streams may run at the same time. That moment counts once.",
            line="Merge the kernels as well."),
        Misconception(
            "a share", _share_of_the_copies,
            symptom="You return a share of the copies' time.",
            concept="A time is asked for, in the unit of the lists.",
            line="Leave out the division."),
        Misconception(
            "what is not hidden", _exposed,
            symptom="You return the time in which copies ran alone.",
            concept="Hidden is what a kernel runs beside.",
            line="The overlap itself, not the copies less the overlap."),
        Misconception(
            "the union", lambda copies, kernels: float(_length(_merged([*copies, *kernels]))),
            symptom="You return the time in which anything ran at all.",
            concept="At least one copy *and* at least one kernel: that is the overlap, not the "
                    "union.",
            line="`min(ends) - max(starts)` of a copy and a kernel."),
        Misconception(
            "the lists sorted in place", _in_place,
            symptom="Your sum may be right, but the lists that you were given are in another "
                    "order now.",
            concept="`list.sort` changes the list itself. `sorted` makes a new one.",
            line="`for start, end in sorted(intervals)`"),
        Misconception(
            "the shorter of two sums",
            lambda copies, kernels: float(min(_length(copies), _length(kernels))),
            symptom="You give the shorter of the two totals.",
            concept="Totals do not say *when*: a copy before the first kernel hides behind "
                    "nothing.",
            line="Compare begins and ends, pair by pair, after merging."),
    ],
)
