"""A candidate's time of its runs, as learners take it: lab 13, exercise 5."""

from __future__ import annotations

from functools import partial

import numpy as np

from ...grading.exercise import Misconception
from .ranking_wrong import is_right, median, median_as_key, of_the_result, ranked

# What one may take for a candidate's time puts these in another order each: of candidates with four
# runs behind the first, and of candidates with five.
EVEN = {
    "a": [3.6, 8.7, 7.6, 2.3, 4.3],
    "b": [5.9, 4.3, 5.0, 5.9, 6.0],
    "c": [4.2, 4.8, 2.8, 8.5, 5.3],
    "d": [3.8, 5.6, 6.1, 4.5, 5.7],
}
ODD = {
    "f": [4.6, 3.6, 3.6, 9.8, 4.6, 6.6],
    "g": [7.7, 2.5, 5.4, 4.4, 6.0, 5.4],
    "h": [3.7, 2.8, 5.0, 7.3, 3.4, 4.9],
    "i": [6.2, 4.2, 3.0, 5.9, 6.3, 4.5],
}


def by(time):
    """Rank by `time` of a candidate's runs, which takes the choices that there are."""

    def run(results, seconds, right, **chosen):
        return ranked(is_right, partial(time, **chosen))(results, seconds, right)

    return run


def _without(times, which, middle=np.median):
    """Return the middle of the runs but for `which` of them."""
    return float(middle([time for i, time in enumerate(times) if i not in which(times)]))


def _slowest(times, first=0):
    return first + int(np.argmax(times[first:]))


def _quickest(times, first=0):
    return first + int(np.argmin(times[first:]))


def slowest_left_out(times):
    return _without(times, lambda times: {_slowest(times)}, np.mean)


def one_more_left_out(times, more=_slowest):
    return _without(times, lambda times: {0, more(times, 1)})


def ends_left_out(times):
    return _without(times, lambda times: {_slowest(times), _quickest(times)}, np.mean)


def one_of_the_middle(times, upper=True, first=1):
    kept = sorted(times[first:])
    return kept[(len(kept) - (not upper)) // 2]


def in_the_middle_unsorted(times, first=1):
    return times[first:][len(times[first:]) // 2]


def mean_without_ends(times):
    kept = sorted(times[1:])
    return float(np.mean(kept[1:-1] if len(kept) > 2 else kept))


OF_RUNS = (
    Misconception(
        "the slowest run",
        by(lambda times, first=1: max(times[first:])),
        choices={"first": (0,)},
        symptom="Your order is that of each candidate's slowest run.",
        concept="One interruption makes a slowest run. What happens usually is in the middle.",
        line="The median of `seconds[name][1:]`, which one slow run hardly moves.",
    ),
    Misconception(
        "1e-5 of the result",
        ranked(of_the_result, median),
        symptom="A result that holds infinity is ranked.",
        concept="The largest value of such a *result* is infinity, and so is 1e-5 of it: below "
        "that limit is everything.",
        line="`1e-5 * np.abs(right).max()`: the limit comes of what is right.",
    ),
    Misconception(
        "mean without the ends",
        by(mean_without_ends),
        symptom="Your order is that of the means of the runs behind the first, less the quickest "
        "and the slowest.",
        concept="Such a mean bears one run that is far off, as a median does. But it is not the "
        "middle one, and ranks otherwise where runs are close.",
        line="`np.median(...)` of the same runs, all of them.",
    ),
    Misconception(
        "a name for each time",
        median_as_key,
        symptom="Right but where two candidates take the same time: one of them is missing.",
        concept="A dictionary from times to names keeps one name for each time.",
        line="Sort the names, with their times as the key: `sorted(kept, key=...)`.",
    ),
    Misconception(
        "mean without the slowest run",
        by(slowest_left_out),
        symptom="Your order is that of the means of all runs but each candidate's slowest.",
        concept="What warms up is the first run, which need not be the slowest. And a mean follows "
        "every run that was disturbed.",
        line="`np.median` of `seconds[name][1:]`.",
    ),
    Misconception(
        "one run more left out",
        by(one_more_left_out),
        choices={"more": (_quickest, lambda times, first: len(times) - 1)},
        symptom="Your order is that of the medians without the first run, and without one more.",
        concept="A median bears a run that is far off. Nothing but the run that warms up has to "
        "go.",
        line="`np.median(seconds[name][1:])`, of all that are left.",
    ),
    Misconception(
        "quickest and slowest left out",
        by(ends_left_out),
        symptom="Your order is that of the means without the quickest and the slowest run; the "
        "first one counts, wherever it is neither.",
        concept="Which run warmed up is told by its place, not by its size.",
        line="`np.median(seconds[name][1:])`.",
    ),
    Misconception(
        "one of the two in the middle",
        by(one_of_the_middle),
        choices={"upper": (False,)},
        symptom="Right for an odd number of runs behind the first. For an even number your order "
        "is that of one of the two in the middle.",
        concept="The median of an even number of values is the mean of the two in the middle.",
        line="`np.median(...)` knows that.",
    ),
    Misconception(
        "the middle, unsorted",
        by(in_the_middle_unsorted),
        choices={"first": (0,)},
        symptom="Your order is that of the run in the middle, as the runs came.",
        concept="A median is the middle one *by size*.",
        line="`np.median(seconds[name][1:])`, which puts them in order by itself.",
    ),
    Misconception(
        "one run for all",
        by(lambda times, at=0: times[at]),
        choices={"at": (1, -1)},
        symptom="Your order is that of a single run of each, the same one for all.",
        concept="A single run may have been disturbed, or lucky. The middle of several is what "
        "happens usually.",
        line="`np.median(seconds[name][1:])`: of all but the first.",
    ),
)
