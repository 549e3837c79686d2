"""Overlaps of intervals, rightly and as learners write them: lab 11, exercise 2."""

from __future__ import annotations

from itertools import combinations, pairwise


def merged(intervals):
    found = []
    for start, end in sorted(intervals):
        if found and start <= found[-1][1]:
            found[-1] = (found[-1][0], max(found[-1][1], end))
        else:
            found.append((start, end))
    return found


def length(intervals):
    return sum(end - start for start, end in intervals)


def both(ones, others):
    return sum(max(0, min(a[1], b[1]) - max(a[0], b[0])) for a in ones for b in others)


def hidden(copies, kernels):
    return float(both(merged(copies), merged(kernels)))  # times: whole or not


def unsorted(intervals, earlier=False):
    found = []
    for start, end in intervals:
        if found and start <= found[-1][1]:
            begin = min(found[-1][0], start) if earlier else found[-1][0]
            found[-1] = (begin, max(found[-1][1], end))
        else:
            found.append((start, end))
    return found


def later_end(intervals):
    found = []
    for start, end in sorted(intervals):
        if found and start <= found[-1][1]:
            found[-1] = (found[-1][0], end)
        else:
            found.append((start, end))
    return found


def hull(intervals):
    return [(min(s for s, _ in intervals), max(e for _, e in intervals))] if intervals else []


def spans(copies, kernels, made=(hull, hull)):
    return float(both(made[0](copies), made[1](kernels)))


def by_ends(intervals):
    """Merge them in the order of their ends."""
    return unsorted(sorted(intervals, key=lambda each: each[1]))


def begun_within(copies, kernels, turned=False):
    """Count only where a copy begins while a kernel runs; `turned`: a kernel while a copy runs."""
    ones, others = (kernels, copies) if turned else (copies, kernels)
    return float(
        sum(
            min(a[1], b[1]) - a[0]
            for a in merged(ones)
            for b in merged(others)
            if b[0] <= a[0] <= b[1]
        )
    )


def twice_taken_off(copies, kernels):
    """Take off what overlaps within a kind, whether the other kind runs meanwhile or not."""
    within = sum(both([a], [b]) for each in (copies, kernels) for a, b in combinations(each, 2))
    return float(both(copies, kernels) - within)


def whole(copies, kernels):
    return sum(
        end - start
        for start, end in merged(copies)
        if any(a <= start and end <= b for a, b in merged(kernels))
    )


def gaps_forgotten(copies, kernels, clipped=False):
    there = [*copies, *kernels]
    if not there:
        return 0
    found = (
        length(merged(copies))
        + length(merged(kernels))
        - (max(e for _, e in there) - min(s for s, _ in there))
    )
    return max(0, found) if clipped else found


def began_first(copies, kernels):
    """Walk along both lists, on from the interval that began first."""
    copies, kernels = merged(copies), merged(kernels)
    i = j = total = 0
    while i < len(copies) and j < len(kernels):
        total += both(copies[i : i + 1], kernels[j : j + 1])
        first = copies[i][0] < kernels[j][0]
        i, j = i + first, j + (not first)
    return float(total)


def both_move_on(copies, kernels):
    """Walk along both lists, and leave both intervals where they overlap."""
    copies, kernels = merged(copies), merged(kernels)
    i = j = total = 0
    while i < len(copies) and j < len(kernels):
        met = both(copies[i : i + 1], kernels[j : j + 1])
        total += met
        first = copies[i][1] < kernels[j][1]
        i, j = i + (met > 0 or first), j + (met > 0 or not first)
    return float(total)


def neighbours(copies, kernels):
    tagged = sorted([(*each, 0) for each in copies] + [(*each, 1) for each in kernels])
    return sum(max(0, min(a[1], b[1]) - b[0]) for a, b in pairwise(tagged) if a[2] != b[2])


def negative(copies, kernels):
    return sum(min(a[1], b[1]) - max(a[0], b[0]) for a in merged(copies) for b in merged(kernels))


def share_of_the_copies(copies, kernels, of=lambda copies, kernels: copies):
    whole = length(merged(of(copies, kernels)))
    return hidden(copies, kernels) / whole if whole else 0.0


def exposed(copies, kernels):
    return length(merged(copies)) - hidden(copies, kernels)


def kernels_merged_only(copies, kernels):
    return both(copies, merged(kernels))


def copies_merged_only(copies, kernels):
    return both(merged(copies), kernels)


def in_place(copies, kernels):
    copies.sort(), kernels.sort()
    return hidden(copies, kernels)


def sweep(copies, kernels, counts, opened):
    """Walk along all begins and ends: `opened(open, kind, step)` changes how many are open."""
    events = sorted(
        (at, step, kind)
        for kind, each in enumerate((copies, kernels))
        for interval in each
        for at, step in zip(interval, (1, -1))
    )
    total, last, open_ = 0.0, 0, [0, 0]
    for at, step, kind in events:
        total += (at - last) * counts(open_)
        open_[kind], last = opened(open_[kind], step), at
    return total


def flags(copies, kernels, toggled=False):
    return sweep(copies, kernels, all, lambda open_, step: 1 - open_ if toggled else max(0, step))


def any_two(copies, kernels):
    return sweep(copies, kernels, lambda open_: sum(open_) > 1, lambda open_, step: open_ + step)


def best_of_each(copies, kernels):
    return float(
        sum(
            max((both([copy], [kernel]) for kernel in merged(kernels)), default=0)
            for copy in merged(copies)
        )
    )


def zipped(copies, kernels):
    return float(sum(both([a], [b]) for a, b in zip(sorted(copies), sorted(kernels))))


def ends_counted(copies, kernels):
    """Count moments, the last of each interval among them."""
    moments = (
        {at for start, end in each for at in range(int(start), int(end) + 1)}
        for each in (copies, kernels)
    )
    return float(len(set.intersection(*moments)))


def touched(copies, kernels, turned=False):
    """Count a copy whole if a kernel touches it; `turned`: a kernel, if a copy does."""
    ones, others = (kernels, copies) if turned else (copies, kernels)
    return float(length(one for one in merged(ones) if both([one], others)))


def first_of_each(copies, kernels, joined=list, turned=False):
    """Leave the inner loop at the first kernel that a copy meets; `turned`: the other way round."""
    ones, others = map(joined, (kernels, copies) if turned else (copies, kernels))
    return float(
        sum(
            next((both([one], [other]) for other in others if both([one], [other])), 0)
            for one in ones
        )
    )


def last_forgotten(intervals):
    """Merge them, and keep an interval only when the next one begins a new one."""
    return merged(intervals)[:-1]


def distances(copies, kernels, joined=list):
    copies, kernels = joined(copies), joined(kernels)
    return float(sum(abs(min(a[1], b[1]) - max(a[0], b[0])) for a in copies for b in kernels))
