"""Rows of a profile's table, right and as learners make them: lab 11, exercise 1."""

from __future__ import annotations


def of_the_device(activities):
    return [each for each in activities if each[0] != "call"]


def by_name(activities):
    groups = {}
    for _, name, start, end in activities:
        groups.setdefault(name, []).append((start, end))
    return groups


def table(activities, total):
    return {
        name: (
            len(group),
            *map(
                float,
                (  # times: whole or not
                    total(group),
                    min(e - s for s, e in group),
                    max(e - s for s, e in group),
                ),
            ),
        )
        for name, group in by_name(activities).items()
    }


def summed(group):
    return sum(end - start for start, end in group)


def union(group):
    covered, until = 0, min(start for start, _ in group)
    for start, end in sorted(group):
        covered += max(0, end - max(start, until))
        until = max(until, end)
    return covered


def rows(activities):
    return table(of_the_device(activities), summed)


def last_only(activities):
    return {
        name: (1, group[-1][1] - group[-1][0]) + 2 * (group[-1][1] - group[-1][0],)
        for name, group in by_name(of_the_device(activities)).items()
    }


def kinds_for_names(activities):
    return table(
        [(kind, kind, start, end) for kind, _, start, end in of_the_device(activities)], summed
    )


def changed(change):
    """Change each right row: `change(calls, total, shortest, longest)`."""
    return lambda activities: {name: change(*row) for name, row in rows(activities).items()}


def in_the_other_order(activities):
    """Give the GPU's rows, the one with the most time first, as a list."""
    return [
        (name, *row) for name, row in sorted(rows(activities).items(), key=lambda item: -item[1][1])
    ]


def copies_out(activities):
    return rows([each for each in activities if each[0] != "upload" and each[0] != "download"])


def neighbours_only(activities):
    """Begin a row anew whenever another activity came between."""
    found, last = {}, None
    for kind, name, start, end in activities:
        if kind != "call":
            took = end - start
            calls, total, least, most = found[name] if name == last else (0, 0, took, took)
            found[name] = (calls + 1, total + took, min(least, took), max(most, took))
            last = name
    return found


def from_zero(activities):
    """Let the shortest begin at 0, which is never beaten."""
    return changed(lambda calls, total, least, most: (calls, total, 0.0, most))(activities)


def in_order(activities):
    return changed_groups(
        activities, lambda group: (group[0][1] - group[0][0], group[-1][1] - group[-1][0])
    )


def either(activities):
    """Let a call be a new shortest or a new longest, never both; the longest begins at 0."""

    def ends(group):
        least, most = float("inf"), 0
        for start, end in group:
            if end - start < least:
                least = end - start
            else:
                most = max(most, end - start)
        return least, most

    return changed_groups(activities, ends)


def last_end(activities):
    return changed_groups(
        activities,
        lambda group: (min(end - start for start, end in group), max(end for _, end in group)),
    )


def changed_groups(activities, ends):
    """Make right rows whose last two values are `ends(group)`."""
    return {
        name: (len(group), float(summed(group)), *map(float, ends(group)))
        for name, group in by_name(of_the_device(activities)).items()
    }
