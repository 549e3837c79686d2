"""Times of a program whose host may hold it up, as learners predict them: lab 11, exercise 3."""

from __future__ import annotations

from collections.abc import Callable


def faster(steps, name, factor):
    return [seconds / factor if each == name else seconds for each, seconds in steps]


def ends(times, issue, begin=lambda called, done: max(called, done), first=1):
    """Return when the last of `times` is done; `begin(called, done)`: when each may begin."""
    done = 0.0
    for number, seconds in enumerate(times):
        done = begin((number + first) * issue, done) + seconds
    return done


def timed(times: Callable = faster, **how) -> Callable:
    """Make an answer from other times of the steps, or another rule of when they begin."""

    def answer(steps, issue, name, factor):
        return float(ends(times(steps, name, factor), issue, **how))

    return answer


def total(combine: Callable) -> Callable:
    """Make an answer from what the GPU needs in all, what the host needs, and one call."""

    def answer(steps, issue, name, factor):
        return float(combine(sum(faster(steps, name, factor)), len(steps) * issue, issue))

    return answer


def names_beside(steps, issue, name, factor, ends_with=False):
    """Make kernels faster whose names begin with the one that gets faster, or end with it."""
    return float(
        ends(
            [
                seconds / factor
                if (each.endswith(name) if ends_with else each.startswith(name))
                else seconds
                for each, seconds in steps
            ],
            issue,
        )
    )


def first_of_its_name(steps, name, factor, last=False):
    places = [number for number, (each, _) in enumerate(steps) if each == name]
    at = places[-1 if last else 0]
    return [
        seconds / factor if number == at else seconds for number, (_, seconds) in enumerate(steps)
    ]


def all_but_the_first(steps, name, factor):
    at = [each for each, _ in steps].index(name)
    return [
        seconds / factor if each == name and number != at else seconds
        for number, (each, seconds) in enumerate(steps)
    ]


def names_within(steps, issue, name, factor, turned=False):
    """Make all kernels faster whose names contain the one that gets faster, or lie in it."""
    return float(
        ends(
            [
                seconds / factor if (each in name if turned else name in each) else seconds
                for each, seconds in steps
            ],
            issue,
        )
    )


def each_name_once(steps, issue, name, factor):
    return float(ends(faster(dict(steps).items(), name, factor), issue))


def a_call_for_each_name(steps, issue, name, factor):
    called, done, seen = 0.0, 0.0, set()
    for (each, _), seconds in zip(steps, faster(steps, name, factor)):
        called += issue * (each not in seen)
        seen.add(each)
        done = max(called, done) + seconds
    return done


def longer_of_each(steps, issue, name, factor, calls=0):
    """Add the longer one of each call and its kernel, and so many calls before them."""
    return float(
        calls * issue + sum(max(issue, seconds) for seconds in faster(steps, name, factor))
    )


def calls_faster_too(steps, issue, name, factor, of_all=False):
    called = done = 0.0
    for (each, _), seconds in zip(steps, faster(steps, name, factor)):
        called += issue / factor if of_all or each == name else issue
        done = max(called, done) + seconds
    return done


def old_time_less_the_gain(steps, issue, name, factor):
    """Take off the old time what the GPU saves: Amdahl's law, as if it were never idle."""
    saved = sum(seconds - seconds / factor for each, seconds in steps if each == name)
    return ends([seconds for _, seconds in steps], issue) - saved


def amdahl(steps, issue, name, factor):
    old = ends([seconds for _, seconds in steps], issue)
    busy = sum(seconds for _, seconds in steps)
    share = sum(seconds for each, seconds in steps if each == name) / busy
    return old * (1 - share + share / factor)


def host_waits_for_the_begin(steps, issue, name, factor):
    begun = done = 0.0
    for seconds in faster(steps, name, factor):
        begun = max(begun + issue, done)
        done = begun + seconds
    return done


def end_or_call(steps, issue, name, factor):
    done = 0.0
    for number, seconds in enumerate(faster(steps, name, factor)):
        done = max((number + 1) * issue, done + seconds)
    return done
