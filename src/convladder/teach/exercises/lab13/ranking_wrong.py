"""Candidates judged and ranked, rightly and as learners do it: lab 13, exercise 5."""

from __future__ import annotations

import numpy as np

TOLERANCE = 1e-5  # of the largest right value


def is_right(result, right):
    return bool(np.all(np.abs(result - right) <= TOLERANCE * np.abs(right).max()))


def median(times):
    return float(np.median(times[1:]))


def ranked(judge, time):
    def run(results, seconds, right):
        names = [name for name, result in results.items() if judge(result, right)]
        return tuple(sorted(names, key=lambda name: time(seconds[name])))

    return run


def nan_passes(result, right):
    return not np.any(np.abs(result - right) > TOLERANCE * np.abs(right).max())


def mean_is_small(result, right):
    return bool(np.abs(result - right).mean() <= TOLERANCE * np.abs(right).max())


def difference_not_its_size(result, right):
    return bool(np.all(result - right <= TOLERANCE * np.abs(right).max()))


def of_one(result, right):
    return bool(np.all(np.abs(result - right) <= TOLERANCE))


def value_by_value(result, right, least=0):
    return bool(np.all(np.abs(result - right) <= TOLERANCE * np.abs(right) + least))


def of_the_result(result, right):
    return bool(np.all(np.abs(result - right) <= TOLERANCE * np.abs(result).max()))


def both_limits(result, right):
    """Add the relative limit that `np.isclose` has by itself to the absolute one."""
    return bool(np.isclose(result, right, atol=TOLERANCE * np.abs(right).max()).all())


def median_as_key(results, seconds, right):
    """Look names up by their times: of equal times the last name is left."""
    names = {
        median(seconds[name]): name for name, result in results.items() if is_right(result, right)
    }
    return tuple(names[time] for time in sorted(names))


def largest_with_its_sign(result, right):
    return bool(np.all(np.abs(result - right) <= TOLERANCE * right.max()))


def of_the_mean(result, right):
    return bool(np.all(np.abs(result - right) <= TOLERANCE * np.abs(right).mean()))


def of_the_median(result, right):
    return bool(np.all(np.abs(result - right) <= TOLERANCE * np.median(np.abs(right))))


def of_a_tenth(result, right):
    return bool(np.all(np.abs(result - right) <= TOLERANCE / 10 * np.abs(right).max()))


def sum_is_small(result, right):
    return bool(np.abs(result - right).sum() <= TOLERANCE * np.abs(right).max())


def norm_is_small(result, right):
    return bool(np.linalg.norm(result - right) <= TOLERANCE * np.abs(right).max())


def median_of_all(times, upper=False):
    return float(sorted(times)[len(times) // 2] if upper else np.median(times))


def of_the_sum(result, right):
    return bool(abs(result.sum() - right.sum()) <= TOLERANCE * np.abs(right).max())
