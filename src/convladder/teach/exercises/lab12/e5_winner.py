"""Lab 12, exercise 5: which candidates an autotuner ranks, and how."""

from __future__ import annotations

import numpy as np

from ...exercise import Exercise, Misconception

TOLERANCE = 1e-5  # of the largest right value


def ranking(results, seconds, right):
    return _ranked(_is_right, _median)(results, seconds, right)


def _is_right(result, right):
    return bool(np.all(np.abs(result - right) <= TOLERANCE * np.abs(right).max()))


def _median(times):
    return float(np.median(times[1:]))


def _ranked(judge, time):
    def run(results, seconds, right):
        names = [name for name, result in results.items() if judge(result, right)]
        return tuple(sorted(names, key=lambda name: time(seconds[name])))
    return run


def _nan_passes(result, right):
    return not np.any(np.abs(result - right) > TOLERANCE * np.abs(right).max())


def _mean_is_small(result, right):
    return bool(np.abs(result - right).mean() <= TOLERANCE * np.abs(right).max())


def _cases(rng):
    right = rng.standard_normal(40).astype(np.float32)
    one_off, nan = right.copy(), right.copy()
    one_off[7] += 1e-4 * np.abs(right).max()
    nan[-1] = np.nan
    rounded = right * np.float32(1 + 1e-6)
    a_few = {
        "plain": (right.copy(), [9.0, 6.0, 6.2, 6.1, 6.0]),
        "tiled": (rounded, [30.0, 2.0, 2.0, 2.0, 9.0]),
        "unrolled": (rounded.copy(), [2.6, 2.5, 2.6, 2.4, 2.5]),
    }
    broken = {"fast": (one_off, [1.0, 0.5, 0.5, 0.5, 0.5]), **a_few,
              "faster": (nan, [1.0, 0.2, 0.2, 0.2, 0.2])}
    steady = {"a": (right.copy(), [1.0, 4.0, 5.0, 6.0, 1.5]),
              "b": (rounded, [9.0, 4.0, 4.1, 3.9, 4.0]), "c": (one_off, [3.0, 3.0, 3.0, 3.0, 3.0])}
    return [({name: r for name, (r, _) in case.items()}, {name: t for name, (_, t) in case.items()},
             right) for case in (a_few, broken, steady)]


Exercise(
    name="ranking", lab=12, reference=ranking, cases=_cases,
    task="An autotuner's last step: leave out what is wrong, rank the rest by time.",
    misconceptions=[
        Misconception(
            "never judged", _ranked(lambda result, right: True, _median),
            symptom="Candidates with wrong results are ranked too, and they win.",
            concept="A search finds whatever is quickest, and nothing is as quick as leaving out "
                    "work. Right comes before fast.",
            line="Keep a name only if its result is within 1e-5 of `right`, over the largest "
                 "value."),
        Misconception(
            "NaN is let through", _ranked(_nan_passes, _median),
            symptom="A result that holds NaN is ranked.",
            concept="Any comparison with NaN is False. So \"no difference is above the limit\" "
                    "holds for it, and \"all differences are within the limit\" does not.",
            line="`np.all(difference <= limit)`, not `not np.any(difference > limit)`."),
        Misconception(
            "right on average", _ranked(_mean_is_small, _median),
            symptom="A result with a single wrong value is ranked.",
            concept="One wrong output among many hardly moves a mean: a tail that was not computed "
                    "looks just like that.",
            line="Compare the *largest* difference with the limit."),
        Misconception(
            "equal to the last digit",
            _ranked(lambda result, right: bool(np.array_equal(result, right)), _median),
            symptom="You leave out candidates whose results differ by rounding only.",
            concept="Another order of the same sum rounds otherwise. All schedules but one would "
                    "go.",
            line="Allow `1e-5 * np.abs(right).max()`."),
        Misconception(
            "warm-up counted",
            _ranked(_is_right, lambda times: float(np.mean(times))),
            symptom="The first run counts: the order is that of the means of all runs.",
            concept="A first run compiles, loads, and finds cold caches. And a mean follows every "
                    "interruption.",
            line="`np.median(times[1:])`"),
        Misconception(
            "mean without the first run",
            _ranked(_is_right, lambda times: float(np.mean(times[1:]))),
            symptom="One disturbed run of a candidate moves it down the list.",
            concept="Interruptions only ever make a run slower. The median does not notice one of "
                    "them, the mean does.",
            line="`np.median` in place of `np.mean`."),
        Misconception(
            "the luckiest run", _ranked(_is_right, lambda times: min(times[1:])),
            symptom="You rank by the quickest run of each.",
            concept="The quickest run may have been measured while the clock was high. Asked for is "
                    "what happens usually.",
            line="`np.median` in place of `min`."),
        Misconception(
            "slowest first",
            lambda results, seconds, right: ranking(results, seconds, right)[::-1],
            symptom="The right names, the slowest first.",
            concept="Time is to be small.",
            line="`sorted` puts small values first; leave out `reverse=True`."),
    ],
)
