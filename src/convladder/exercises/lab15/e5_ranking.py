"""Lab 15, exercise 5: which candidates an autotuner ranks, and how."""

import numpy as np

from ..draws import real
from ..exercise import Exercise, Misconception, edit

# Whatever one may take for the time of several runs gives another order of these candidates.
EVEN = [
    [3.6, 8.7, 7.6, 2.3, 4.3],
    [5.9, 4.3, 5.0, 5.9, 6.0],
    [4.2, 4.8, 2.8, 8.5, 5.3],
    [3.8, 5.6, 6.1, 4.5, 5.7],
]
ODD = [
    [4.6, 3.6, 3.6, 9.8, 4.6, 6.6],
    [7.7, 2.5, 5.4, 4.4, 6.0, 5.4],
    [3.7, 2.8, 5.0, 7.3, 3.4, 4.9],
    [6.2, 4.2, 3.0, 5.9, 6.3, 4.5],
]
# Errors, as (place, share of the largest right value). Place 0 has the largest value, 1 a tiny one.
ALLOWED = [[], [(2, 2e-6)], [(1, -5e-6)], [(at, 4e-6 * (-1) ** at) for at in range(8)]]
BROKEN = [
    *[[(4, 1e-4)], [(4, -1e-4)], [(4, 1e-4), (5, -1e-4)], [(2, 1.5e-5)], [(0, 1.5e-5)]],
    *[[(7, "nan")], [(3, "inf")], [(0, -2.0)]],
]


def ranking(results, seconds, right):
    limit = 1e-5 * np.abs(right).max()
    kept = [name for name, result in results.items() if np.all(np.abs(result - right) <= limit)]
    return tuple(sorted(kept, key=lambda name: np.median(seconds[name][1:])))


def candidates(rng, errors, runs):
    """Return `(name, errors, seconds of its runs)` of each candidate, under drawn names."""
    names = rng.permutation(list("abcdefghijklmnop"))[: len(runs)].tolist()
    return [(name, wrong, times) for name, wrong, times in zip(names, errors, runs, strict=True)]


def cases(rng):
    values = [60.0, 0.001, *(real(rng, 5, 40) * (-1) ** at for at in range(6))]
    quick = [[1.0, *[0.2 + at / 10] * 4] for at in range(len(BROKEN))]
    runs = [[9.0, 6.0, 6.2, 6.1], [30.0, 2.0, 2.0, 9.0], [2.6, 2.5, 2.6, 2.4], [5.0, 4.0, 4.1, 4.0]]
    close = [
        ("g", [], [5.0, 2.0, 2.0]),
        ("h", [(1, 1e-6)], [5.0, 1.0, 1.0]),
        ("i", [(1, 7e-6)], [5.0, 1.5, 1.5]),
        ("k", [], [5.0, 3.0, 3.0]),
    ]
    return [
        (candidates(rng, ALLOWED, runs), values),
        (candidates(rng, ALLOWED + BROKEN, EVEN + quick), values),
        (candidates(rng, ALLOWED, ODD), [0.0] * 8),
        (candidates(rng, [*ALLOWED, [(2, 1e-4)]], EVEN + quick[:1]), [-each for each in values]),
        (candidates(rng, ALLOWED + BROKEN, ODD + quick), [each / 4096 for each in values]),
        (close, [0.5, -100.0, 2.0]),
    ]


def search(fill, candidates, values):
    """Return the results and the seconds by name, and the right result."""
    right = np.array(values, np.float32)
    largest, results = float(np.abs(right).max()), {}
    for name, errors, _ in candidates:
        results[name] = right.copy()
        for place, share in errors:
            results[name][place] += float(share) * largest
    return results, {name: seconds for name, _, seconds in candidates}, right


def enough_runs(candidates, values):
    """Whether the names differ, and so do the times, which then have one order."""
    if any(len(seconds) < 2 or min(seconds) <= 0 for *_, seconds in candidates):
        return False
    times = {np.median(seconds[1:]) for *_, seconds in candidates}
    return len({name for name, *_ in candidates}) == len(candidates) == len(times) > 0


LIMIT = "limit = 1e-5 * np.abs(right).max()"
JUDGE = "np.all(np.abs(result - right) <= limit)"
TIME = "np.median(seconds[name][1:])"

EXERCISE = Exercise(
    name="ranking",
    lab=15,
    task="An autotuner's last step: leave out wrong candidates, and rank the rest by time.",
    solution=ranking,
    cases=cases,
    inputs=search,
    valid=enough_runs,
    mend=f"`{LIMIT}`; keep a name if `{JUDGE}`; sort the names with the key `{TIME}`",
    misconceptions=[
        Misconception(
            "wrong candidates let through",
            edit(f" if {JUDGE}", ""),
            "Candidates with wrong results are ranked too, and they win.",
            "A search finds whatever is fastest, and leaving out work is fastest of all. So a "
            "candidate must be right in every value before its time counts.",
        ),
        Misconception(
            "NaN let through",
            [
                edit(JUDGE, "not np.any(np.abs(result - right) > limit)"),
                edit(JUDGE, "np.nanmax(np.abs(result - right)) <= limit"),
            ],
            "A result that holds NaN is ranked.",
            'A comparison with NaN is False. So "no difference is above the limit" holds for NaN, '
            'and "all differences are within the limit" does not.',
        ),
        Misconception(
            "exact equality",
            edit(JUDGE, "np.array_equal(result, right)"),
            "You leave out candidates whose results differ by rounding only.",
            "Another order of the same sum rounds differently, so the task allows `1e-5` of the "
            "largest right value.",
        ),
        Misconception(
            "a wrong limit",
            [
                edit("np.abs(right).max()", "np.abs(right)"),
                edit(" * np.abs(right).max()", ""),
                edit("np.abs(right).max()", "right.max()"),
            ],
            "Your limit is not `1e-5` of the largest magnitude, so you leave out or keep the wrong "
            "candidates.",
            "Rounding errors grow with the largest values of a sum. A small result may be the "
            "difference of large values, and inherits their errors.",
        ),
        Misconception(
            "the warm-up counted",
            edit("[name][1:]", "[name]"),
            "Your order counts the first run of each candidate.",
            "The first run compiles, allocates and fills caches. It says little about the "
            "thousandth run.",
        ),
        Misconception(
            "no median of the runs",
            [edit("np.median", each) for each in ("np.mean", "min", "max")],
            "Your order is not that of the medians.",
            "One interruption moves a mean or a maximum, and a minimum is one lucky run. The "
            "median is the usual time.",
        ),
    ],
)
