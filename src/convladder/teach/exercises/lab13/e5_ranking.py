"""Lab 13, exercise 5: which candidates an autotuner ranks, and how."""

from __future__ import annotations

from functools import partial

import numpy as np

from ...grading.exercise import Exercise, Misconception
from . import ranking_wrong as wrong
from .ranking_times import EVEN, ODD, OF_RUNS, by
from .ranking_wrong import is_right, median, ranked


def ranking(results, seconds, right):
    return ranked(is_right, median)(results, seconds, right)


def _cases(rng):
    right = 50 * rng.standard_normal(40).astype(np.float32)
    right[3] = 1e-3  # the rounding of the largest values is a large part of it
    one_off, nan, last_digit = right.copy(), right.copy(), right.copy()
    one_off[7] += 1e-4 * np.abs(right).max()
    too_small, cancels, nearly = 2 * right - one_off, one_off.copy(), right.copy()
    cancels[9] -= 1e-4 * np.abs(right).max()  # its sum is right
    nearly[7] += 1.5e-5 * np.abs(right).max()  # the root of its mean square is small
    largest_off = right * np.float32(1 + 1.5e-5 * (np.abs(right) == np.abs(right).max()))
    nan[-1], endless, turned = np.nan, right.copy(), right.copy()
    endless[0], turned[5] = np.inf, -right[5]
    last_digit[3] += 5e-6
    rounded, shifted = right * np.float32(1 + 1e-6), right + np.float32(2e-6 * np.abs(right).max())
    a_few = {
        "plain": (right.copy(), [9.0, 6.0, 6.2, 6.1, 6.0, 6.1]),  # one run more
        "tiled": (rounded, [30.0, 2.0, 2.0, 2.0, 9.0]),
        "unrolled": (shifted, [2.6, 2.5, 2.6, 2.4, 2.5]),
        "blocked": (last_digit, [5.0, 4.0, 4.1, 4.0, 4.0]),
    }
    broken = {
        "fast": (one_off, [1.0, 0.5, 0.5, 0.5, 0.5]),
        **a_few,
        "quick": (too_small, [1.0, 0.4, 0.4, 0.4, 0.4]),
        "faster": (nan, [1.0, 0.2, 0.2, 0.2, 0.2]),
        "level": (cancels, [1.0, 0.3, 0.3, 0.3, 0.3]),
        "near": (nearly, [1.0, 0.6, 0.6, 0.6, 0.6]),
        "next": (largest_off, [1.0, 0.7, 0.7, 0.7, 0.7]),
        "last": (endless, [1.0, 0.8, 0.8, 0.8, 0.8]),
        "sign": (turned, [1.0, 0.9, 0.9, 0.9, 0.9]),
    }
    even = {name: (right.copy(), runs) for name, runs in EVEN.items()} | {
        "e": (one_off, [2.0, 2.0, 2.0, 2.0, 2.0])
    }
    odd = {name: (rounded, runs) for name, runs in ODD.items()}
    # The largest right value is negative: what is far from the largest positive one is right.
    below = np.array([0.5, -100, -1e-3, 2], np.float32)
    off = {"g": 0, "h": 1e-4, "i": 7e-4, "j": 5e-3, "k": 0}  # g and k take the same time
    negative = (
        {name: below + np.float32([0, by, 0, 0]) for name, by in off.items()},
        {name: [5.0, quick, quick] for name, quick in zip(off, (2.0, 1.0, 1.5, 0.5, 2.0))},
        below,
    )
    cases = [a_few, *(_renamed(rng, case) for case in (broken, even, odd))]
    found = [
        (
            {name: r for name, (r, _) in case.items()},
            {name: t for name, (_, t) in case.items()},
            right,
        )
        for case in cases
    ] + [negative]
    # Of small values: what is wrong by much of the largest is off by less than 1e-5.
    small = {name: np.float32(2**-12) * result for name, result in found[2][0].items()}
    return [*found, (small, found[2][1], np.float32(2**-12) * right)]


def _renamed(rng, case):
    """Return the same candidates, whose names the seed has given anew."""
    return dict(zip(rng.permutation(list(case)).tolist(), case.values(), strict=True))


EXERCISE = Exercise(
    name="ranking",
    lab=13,
    reference=ranking,
    cases=_cases,
    task="An autotuner's last step: leave out what is wrong, rank the rest by time.",
    misconceptions=[
        Misconception(
            "never judged",
            ranked(lambda result, right: True, median),
            symptom="Candidates with wrong results are ranked too, and they win.",
            concept="A search finds whatever is quickest, and nothing is as quick as leaving out "
            "work. Right comes before fast.",
            line="Keep a name only if `np.all(np.abs(result - right) <= 1e-5 * "
            "np.abs(right).max())`.",
        ),
        Misconception(
            "NaN is let through",
            ranked(wrong.nan_passes, median),
            symptom="A result that holds NaN is ranked.",
            concept="A comparison with NaN is False, and `max` and `np.nanmax` may pass over it. "
            'So "no difference is above the limit" holds, and "all differences are '
            'within the limit" does not.',
            line="`np.all(difference <= limit)`, with no NaN replaced or left out before.",
        ),
        Misconception(
            "right on average",
            ranked(wrong.mean_is_small, median),
            symptom="A result with a single wrong value is ranked.",
            concept="One wrong output among many hardly moves a mean, and is little beside a sum: "
            "a tail that was not computed looks just like that.",
            line="The *largest* difference has to be within `1e-5 * np.abs(right).max()`.",
        ),
        Misconception(
            "equal to the last digit",
            ranked(lambda result, right: bool(np.array_equal(result, right)), median),
            symptom="You leave out candidates whose results differ by rounding only.",
            concept="Another order of the same sum rounds otherwise. All schedules but one would "
            "go.",
            line="Allow `1e-5 * np.abs(right).max()`.",
        ),
        Misconception(
            "difference without its size",
            ranked(wrong.difference_not_its_size, median),
            symptom="A result of which a value is too small is ranked.",
            concept="A difference may be negative, and then it is below any limit.",
            line="`np.abs(result - right)`",
        ),
        Misconception(
            "1e-5 of nothing",
            ranked(wrong.of_one, median),
            symptom="Of large values you leave out candidates that are off by little more than "
            "1e-5; of small ones you rank what is wrong.",
            concept="float32 has about seven digits, wherever the point is. A limit that does not "
            "grow with the values is too strict for large ones, and too lax for small.",
            line="Multiply your limit by `np.abs(right).max()`.",
        ),
        Misconception(
            "value by value",
            lambda results, seconds, right, least=0: ranked(
                partial(wrong.value_by_value, least=least), median
            )(results, seconds, right),
            choices={"least": (1e-8, 1e-5)},
            symptom="You leave out candidates that are off by little where `right` is small.",
            concept="A sum of large terms may come out near zero, and keeps their rounding. So the "
            "largest value sets the limit, for all. `np.allclose` compares one by one, and "
            "its `atol` is the same for large values and small ones.",
            line="One limit for all: `np.abs(result - right) <= 1e-5 * np.abs(right).max()`.",
        ),
        Misconception(
            "median of all runs",
            by(wrong.median_of_all),
            choices={"upper": (True,)},
            symptom="Your order is that of the medians of all runs, the first one included.",
            concept="With few runs, one that is far off moves the middle too.",
            line="`seconds[name][1:]`, then the median.",
        ),
        Misconception(
            "last run left out",
            ranked(is_right, lambda times: float(np.median(times[:-1]))),
            symptom="Your order is that of the medians without the last run, where it should be "
            "without the first.",
            concept="It is the first that warms up.",
            line="`np.median` of `seconds[name][1:]`, not of `seconds[name][:-1]`.",
        ),
        Misconception(
            "warm-up counted",
            ranked(is_right, lambda times: float(np.mean(times))),
            symptom="Your order is that of the means of all runs, the first one included.",
            concept="A first run compiles, loads, and finds cold caches. And a mean follows every "
            "interruption.",
            line="`np.median(seconds[name][1:])`",
        ),
        Misconception(
            "mean without the first run",
            ranked(is_right, lambda times: float(np.mean(times[1:]))),
            symptom="Your order is that of the means of the runs behind the first.",
            concept="Interruptions only ever make a run slower. The median does not notice one of "
            "them, the mean does.",
            line="`np.median(seconds[name][1:])`, no mean and no sum.",
        ),
        Misconception(
            "the luckiest run",
            ranked(is_right, lambda times: min(times[1:])),
            symptom="Your order is that of each candidate's quickest run.",
            concept="The quickest run may have been measured while the clock was high. Asked for "
            "is what happens usually.",
            line="`np.median(...)` of the runs behind the first: the middle one, by size.",
        ),
        Misconception(
            "slowest first",
            ranked(is_right, lambda times, sign=-1: sign * median(times)),
            symptom="The right names, the slowest first.",
            concept="Time is to be small.",
            line="`sorted` puts small values first: no `reverse=True`, no minus in its key and no "
            "turning round.",
        ),
        Misconception(
            "largest value with its sign",
            ranked(wrong.largest_with_its_sign, median),
            symptom="You leave out candidates that are right, where the value of the largest "
            "size is negative.",
            concept="The largest of -100 and 2 is 2, but it is -100 that sets how much rounding "
            "there is.",
            line="`np.abs(right).max()`: first the sizes, then the largest.",
        ),
        Misconception(
            "a limit too small",
            lambda results, seconds, right, judge=wrong.of_the_mean: ranked(judge, median)(
                results, seconds, right
            ),
            symptom="You leave out candidates that are off by less than 1e-5 of the largest value.",
            concept="Rounding follows the largest value. A limit from a mean is smaller than one "
            "from the largest, and a sum of differences is larger than each of them.",
            line="Of the differences the largest, and of `right` the largest: "
            "`np.abs(result - right).max() <= 1e-5 * np.abs(right).max()`.",
            choices={
                "judge": (
                    wrong.of_the_median,
                    wrong.sum_is_small,
                    wrong.norm_is_small,
                    wrong.of_a_tenth,
                )
            },
        ),
        Misconception(
            "sums compared",
            ranked(wrong.of_the_sum, median),
            symptom="You let a result pass whose errors cancel, or you refuse one whose "
            "rounding adds up.",
            concept="A sum says little of its terms.",
            line="Value by value: `np.all(np.abs(result - right) <= 1e-5 * np.abs(right).max())`.",
        ),
        Misconception(
            "times of wrong ones too",
            lambda results, seconds, right: tuple(
                sorted(
                    seconds,
                    key=lambda name: (not is_right(results[name], right), median(seconds[name])),
                )
            ),
            symptom="Wrong candidates are still in your list, at its end.",
            concept="Whoever takes the list may take any of them.",
            line="Leave a wrong candidate out.",
        ),
        Misconception(
            "the quickest only",
            lambda results, seconds, right: ranking(results, seconds, right)[:1],
            symptom="You return the winner alone.",
            concept="An autotuner keeps the others: on another machine one of them may win.",
            line="Return all that are right, in order.",
        ),
        Misconception(
            "in the order given",
            lambda results, seconds, right: tuple(
                name for name, result in results.items() if is_right(result, right)
            ),
            symptom="The right names, in the order in which they came.",
            concept="Asked for is the quickest first.",
            line="`sorted(kept, key=...)`",
        ),
        Misconception(
            "names sorted",
            lambda results, seconds, right: tuple(sorted(ranking(results, seconds, right))),
            symptom="The right names, in the order of the alphabet.",
            concept="`sorted` compares what it is given: names by the alphabet, tuples by what "
            "stands first.",
            line="Give `sorted` a key: `key=lambda name: np.median(seconds[name][1:])`.",
        ),
        Misconception(
            "the luckiest of all runs",
            ranked(is_right, min),
            symptom="Your order is that of each candidate's quickest run, the first one included.",
            concept="A single run may be lucky, or cut short. What happens usually is in the "
            "middle.",
            line="`np.median(seconds[name][1:])`, with the first run left out.",
        ),
        Misconception(
            "sorted, then the first left out",
            ranked(is_right, lambda times: float(np.median(sorted(times)[1:]))),
            symptom="Your order is that of the medians without each candidate's *shortest* run.",
            concept="Which run warmed up is said by its place; sorted, that is lost.",
            line="`seconds[name][1:]` first; the median sorts for itself.",
        ),
        Misconception(
            "too much let pass",
            lambda results, seconds, right, limit=1e-3: ranked(
                lambda result, right: bool(
                    np.all(np.abs(result - right) <= limit * np.abs(right).max())
                ),
                median,
            )(results, seconds, right),
            symptom="You rank results of which a value is off by more than 1e-5 of the largest.",
            concept="Rounding is less than that: float32 keeps seven digits. And a root mean "
            "square is less than the largest difference.",
            line="`np.all(np.abs(result - right) <= 1e-5 * np.abs(right).max())`.",
            choices={"limit": (2e-5, 4e-5, 2e-4, 1e-2, 1e-1)},
        ),
        Misconception(
            "slowest run left out",
            ranked(is_right, lambda times: float(np.median(sorted(times)[:-1]))),
            symptom="Your order is that of the medians without each candidate's *longest* run.",
            concept="The first run warms up. It often is the longest, and here not always.",
            line="`seconds[name][1:]`, by its place; the median sorts for itself.",
        ),
        Misconception(
            "the first two left out",
            ranked(is_right, lambda times: float(np.median(times[2:]))),
            symptom="Your order is that of the medians without the first two runs.",
            concept="One run warms up. The second counts like any other.",
            line="`np.median` of `seconds[name][1:]`, not of `seconds[name][2:]`.",
        ),
        Misconception(
            "a second limit",
            ranked(wrong.both_limits, median),
            symptom="You rank a result that is off by more than the limit where the right value is "
            "large.",
            concept="Where two limits are added up, values may be off by both. `np.isclose` and "
            "`np.allclose` do so: `atol` plus `rtol` times the right value, and without "
            "your word `rtol` is 1e-5.",
            line="One limit, `np.abs(result - right) <= limit`; or `rtol=0` beside your `atol`.",
        ),
        *OF_RUNS,
    ],
)
