"""Gains predicted from a profile, rightly and as learners write them: lab 12, exercise 4."""

from __future__ import annotations

from itertools import zip_longest


def next_gain(wall, copies, kernels, times, beside):
    left = wall - sum(copies.values()) - sum(kernels.values())
    return wall / (left + after(copies, kernels, times, beside, max))


def after(copies, kernels, times, beside, together):
    moved, computed = (
        sum(seconds / times.get(name, 1) for name, seconds in rows.items())
        for rows in (copies, kernels)
    )
    return together(moved, computed) if beside else moved + computed


def device_only(wall, copies, kernels, times, beside):
    return (sum(copies.values()) + sum(kernels.values())) / after(
        copies, kernels, times, beside, max
    )


def shares(wall, copies, kernels, times, beside):
    """Return the gains of the rows, weighed by their shares."""
    rows = copies | kernels
    return (
        sum(seconds / wall * times.get(name, 1) for name, seconds in rows.items())
        + (wall - sum(rows.values())) / wall
    )


def all_of_it(wall, copies, kernels, times, beside):
    """Make every row as many times as fast as the best of them."""
    gain = max(times.values(), default=1)
    return next_gain(wall, copies, kernels, dict.fromkeys(copies | kernels, gain), beside)


def rest_shrinks(wall, copies, kernels, times, beside):
    return wall / (
        (wall - sum(copies.values()) - sum(kernels.values())) / max(times.values(), default=1)
        + after(copies, kernels, times, beside, max)
    )


def hidden_before(wall, copies, kernels, times, beside):
    """Take off what the old rows could hide."""
    if not beside:
        return next_gain(wall, copies, kernels, times, beside)
    hidden = min(sum(copies.values()), sum(kernels.values()))
    return wall / (wall / next_gain(wall, copies, kernels, times, False) - hidden)


def old_beside(wall, copies, kernels, times, beside):
    """Take the longer of the old sums."""
    return next_gain(wall, copies, kernels, {} if beside else times, beside)


def slower(wall, copies, kernels, times, beside):
    return next_gain(wall, copies, kernels, {name: 1 / n for name, n in times.items()}, beside)


def rest_of_the_new(wall, copies, kernels, times, beside):
    moved, computed = (
        sum(seconds / times.get(name, 1) for name, seconds in rows.items())
        for rows in (copies, kernels)
    )
    return wall / (wall - min(moved, computed) * beside)


def rest_beside(wall, copies, kernels, times, beside):
    """Hide what is left too."""
    left = wall - sum(copies.values()) - sum(kernels.values())
    if not beside:
        return next_gain(wall, copies, kernels, times, beside)
    return wall / max(left, after(copies, kernels, times, beside, max))


def rest_with_the_kernels(wall, copies, kernels, times, beside):
    """Side by side, count what is in no row with the kernels, so that copies hide behind it."""
    if not beside:
        return next_gain(wall, copies, kernels, times, beside)
    left = wall - sum(copies.values()) - sum(kernels.values())
    return wall / max(
        after(copies, {}, times, False, max), left + after({}, kernels, times, False, max)
    )


def saved_factor_less_one(wall, copies, kernels, times, beside):
    """Save `factor - 1` times each row; side by side, the shorter of the old sums besides."""
    rows = copies | kernels
    saved = sum((factor - 1) * rows.get(name, 0) for name, factor in times.items())
    hidden = min(sum(copies.values()), sum(kernels.values())) if beside else 0
    new = wall - saved - hidden
    return wall / new if new else float("inf")


def kernels_only_quicker(wall, copies, kernels, times, beside):
    """Divide the kernels by their factors, and leave the copies as they are."""
    named = {name: factor for name, factor in times.items() if name in kernels}
    return next_gain(wall, copies, kernels, named, beside)


def copies_only_quicker(wall, copies, kernels, times, beside):
    named = {name: factor for name, factor in times.items() if name in copies}
    return next_gain(wall, copies, kernels, named, beside)


def longest_row(wall, copies, kernels, times, beside):
    """Side by side, take the longest row in place of the longer sum."""
    left = wall - sum(copies.values()) - sum(kernels.values())
    rows = [seconds / times.get(name, 1) for name, seconds in (copies | kernels).items()]
    return wall / (left + (max(rows) if beside else sum(rows)))


def whole_wall_again(wall, copies, kernels, times, beside):
    """Add the new rows to the whole of the old time."""
    return wall / (wall + after(copies, kernels, times, beside, max))


def first_row_only(wall, copies, kernels, times, beside, which=0):
    one = dict([list(times.items())[which]]) if times else {}
    return next_gain(wall, copies, kernels, one, beside)


def all_of_a_kind(wall, copies, kernels, times, beside, of_copies=True, of_kernels=False):
    """Make all copies, or all kernels, as many times as fast as the best of them."""
    factors = dict(times)
    for rows, too in ((copies, of_copies), (kernels, of_kernels)):
        if too:
            factors |= dict.fromkeys(rows, max((times.get(name, 1) for name in rows), default=1))
    return next_gain(wall, copies, kernels, factors, beside)


def row_by_row(wall, copies, kernels, times, beside):
    """Side by side, let each copy run beside one kernel, in order."""
    if not beside:
        return next_gain(wall, copies, kernels, times, beside)
    left = wall - sum(copies.values()) - sum(kernels.values())
    ones, others = (
        [seconds / times.get(name, 1) for name, seconds in rows.items()]
        for rows in (copies, kernels)
    )
    return wall / (left + sum(map(max, zip_longest(ones, others, fillvalue=0))))


def multiplied(wall, copies, kernels, times, beside, hiding=True):
    """Multiply the gains of rows; side by side and `hiding`, take the shorter new sum off."""
    rows, new = copies | kernels, wall
    for name, factor in times.items():
        part = rows[name] / wall
        new *= 1 - part + part / factor
    if beside and hiding:
        new -= after(copies, kernels, times, beside, min)
    return wall / new


def copies_gone(wall, copies, kernels, times, beside):
    """Hide all copies, however long they take."""
    if not beside:
        return next_gain(wall, copies, kernels, times, beside)
    left = wall - sum(copies.values()) - sum(kernels.values())
    return wall / (left + after({}, kernels, times, False, max))


def in_percent(wall, copies, kernels, times, beside):
    return 100 * (next_gain(wall, copies, kernels, times, beside) - 1)


def named_rows_only(wall, copies, kernels, times, beside):
    """Leave out what `times` does not name."""
    left = wall - sum(copies.values()) - sum(kernels.values())
    moved, computed = (
        sum(seconds / times[name] for name, seconds in rows.items() if name in times)
        for rows in (copies, kernels)
    )
    new = left + (max(moved, computed) if beside else moved + computed)
    return wall / new if new else float("inf")


def rest_beside_the_old(wall, copies, kernels, times, beside):
    """Side by side, take only the longer of the old sums from the wall clock."""
    moved, computed = sum(copies.values()), sum(kernels.values())
    left = wall - (max(moved, computed) if beside else moved + computed)
    return wall / (left + after(copies, kernels, times, beside, max))
