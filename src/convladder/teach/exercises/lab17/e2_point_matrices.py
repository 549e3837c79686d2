"""Lab 17, exercise 2: the three matrices, from points."""

from __future__ import annotations

import numpy as np

from ...grading import stages
from ...grading.compare import difference
from ...grading.exercise import Exercise, Misconception
from .steps import BETTER, USUAL, matrices

ROUNDING = 1e-9  # of sums whose terms are 1


def point_matrices(m, r, points):
    return matrices(m, r, points)


def _usual(got, expected):
    """Say which of the three matrices are the usual ones, if some are."""
    same = [
        f"`{name}`"
        for name, mine, usual in zip(("AT", "G", "BT"), got, expected)
        if np.allclose(mine, usual)
    ]
    if not same:
        return ""
    return (
        f" {' and '.join(same)} {'are' if same[1:] else 'is'} right: look at "
        f"{'the other one' if same[1:] else 'the others'}."
    )


def accept(m, r, points, got):
    """Return None for any three matrices that compute the correlation, else why not."""
    expected = matrices(m, r, points)
    wrong = difference(expected, got)
    if wrong and wrong[0] == stages.WRONG_SHAPE:
        return wrong[:2]
    AT, G, BT = got
    if not all(np.isfinite(matrix).all() for matrix in got):
        return stages.WRONG_VALUES, "returned NaN or infinity. Do two points divide by zero?"
    shift = np.einsum("jp,pt,pi->tji", AT, G, BT)
    for tap, found in enumerate(shift):
        if np.abs(found - np.eye(m, m + r - 1, tap)).max() > ROUNDING:
            row = np.abs(found - np.eye(m, m + r - 1, tap)).max(1).argmax()
            reads = np.array2string(found[row] + 0.0, precision=3, suppress_small=True)
            return stages.WRONG_VALUES, (
                f"returned matrices that are not right for m = {m}, r = {r}: of a filter that has "
                f"a 1 at tap {tap} and zeros elsewhere, output {row} should be d[{row + tap}]. "
                f"Yours takes these shares of d[0] to d[{m + r - 2}]: {reads}."
                f"{_usual(got, expected)}"
            )
    return None


def _changed(A=lambda AT: AT, G=lambda G: G, B=lambda BT: BT):
    """Make an answer that changes the right matrices."""

    def answer(m, r, points):
        AT, made, BT = (matrix.copy() for matrix in matrices(m, r, points))
        return A(AT), G(made), B(BT)

    return answer


def _without_infinity(AT):
    AT[-1, -1] = 0
    return AT


def _scaled(times):
    """Make an answer whose G has other factors: `times(f)` of `f_i = Π(p_i - p_k)`."""

    def answer(m, r, points):
        AT, G, BT = (matrix.copy() for matrix in matrices(m, r, points))
        for i, p in enumerate(points):
            f = np.prod([p - q for q in points if q != p])
            G[i] *= f * times(f)
        return AT, G, BT

    return answer


def _highest_first(m, r, points, rows=slice(None)):
    AT, G, BT = (matrix.copy() for matrix in matrices(m, r, points))
    for i, row in list(enumerate(BT))[rows]:
        degree = len(BT) - (1 if i == len(BT) - 1 else 2)
        row[: degree + 1] = row[: degree + 1][::-1].copy()
    return AT, G, BT


def _last_tap_first(G):
    G[-1] = np.eye(1, G.shape[1])
    return G


def _infinity_alone(BT):
    BT[-1] = np.eye(1, len(BT), len(BT) - 1)
    return BT


def _cases(rng):
    sizes = [(2, 4), (3, 2), (3, 3), (3, 4), (3, 5), (4, 2), (5, 2), (5, 3), (2, 2), (2, 6)]
    drawn = [sizes[at] for at in rng.permutation(len(sizes))[:3]]
    others = [1.0, -0.5, -1.0, 2.0, 0.5, -2.0]
    even = 3, 3, [0.0, 1.0, -1.0, 2.0]  # factors p - q whose number is odd
    lists = [[0.0, *rng.permutation(others)[: m + r - 3].tolist()] for m, r in drawn]
    lists[-1] = lists[-1][::-1]  # 0 need not be the first
    return [
        (2, 3, USUAL[2]),
        (4, 3, BETTER),
        even,
        *((*size, points) for size, points in zip(drawn, lists)),
    ]


def _differences_turned(G):
    G[:-1] *= (-1) ** (len(G) - 2)
    return G


def _one_power_on(AT):
    AT[:, :-1] = np.concatenate([AT[1:, :-1], AT[1:2, :-1] ** len(AT)])
    return AT


def _row_of_zeros(matrix):
    matrix[-1] = 0
    return matrix


def _column_of_ones(AT):
    AT[:, -1] = 1
    return AT


def _last_tap_lowest(G):
    G[:-1] = G[:-1, ::-1].copy()
    return G


def _divided_twice(m, r, points):
    AT, made, BT = (matrix.copy() for matrix in matrices(m, r, points))
    for i, p in enumerate(points):
        BT[i] /= np.prod([p - q for q in points if q != p])
    return AT, made, BT


EXERCISE = Exercise(
    name="point_matrices",
    lab=17,
    reference=point_matrices,
    accept=accept,
    task="Aᵀ, G and Bᵀ of F(m, r) from its points.",
    cases=_cases,
    misconceptions=[
        Misconception(
            "infinity left out of A",
            _changed(A=_without_infinity),
            symptom="All outputs but the last one are right.",
            concept="The point infinity carries the highest power. It counts for one output only: "
            "the last.",
            line="The last column of `AT` is zeros and, in its last row, a 1.",
        ),
        Misconception(
            "B for its transpose",
            _changed(B=lambda BT: BT.T.copy()),
            symptom="The rows of your `BT` are what should be its columns.",
            concept="A row of `BT` belongs to a point and holds a polynomial's coefficients. You "
            "return them as columns.",
            line="Each polynomial is a row: `BT[i, : a - 1] = ...`.",
        ),
        Misconception(
            "coefficients from the top",
            _highest_first,
            choices={"rows": (slice(None, -1), slice(-1, None))},
            symptom="`BT` has rows with the right numbers in reverse order.",
            concept="`np.poly` gives the highest power first. Column `k` of `BT` is for `d[k]`, "
            "which goes with the power `k`.",
            line="`np.poly(others)[::-1]`, and in the last row `np.poly(points)[::-1]`.",
        ),
        Misconception(
            "not divided",
            _scaled(lambda f: 1),
            symptom="The matrices have the right zeros, and sums that are too large or too small.",
            concept="Going back from values to coefficients divides by how far the points are "
            "apart: `f`, the product of all `p - q`.",
            line="Divide row `i` of `G` by `np.prod([p - q for q in others])`.",
        ),
        Misconception(
            "multiplied by f",
            _scaled(lambda f: f),
            symptom="For F(2,3) some rows of `G` are four times as large as they should be.",
            concept="`f`, the product of all `p - q`, stands below the line: a row of `G` is the "
            "powers of `p` over it.",
            line="Powers over `f`: `p ** t / f`.",
        ),
        Misconception(
            "infinity's row of G begins",
            _changed(G=_last_tap_first),
            symptom="Right for filters whose first and last taps are the same; else the last "
            "output is wrong.",
            concept="At infinity only the highest power of the filter is left: its last tap.",
            line="The last row of `G` is zeros, and a 1 at its end.",
        ),
        Misconception(
            "infinity's row of B alone",
            _changed(B=_infinity_alone),
            symptom="The last output is wrong for a filter's last tap; all else is right.",
            concept="The last row of `BT` is a polynomial, too: the product of `x - p` over *all* "
            "the points, so that every one of them is taken out.",
            line="`BT[-1] = np.poly(points)[::-1]`.",
        ),
        Misconception(
            "A for its transpose",
            _changed(A=lambda AT: AT.T.copy()),
            symptom="`AT` came back standing on its side.",
            concept="`AT` makes `m` outputs from `a` products: it has `m` rows.",
            line="Row `j` holds the powers `p ** j` of all points.",
        ),
        Misconception(
            "differences turned round",
            _changed(G=_differences_turned),
            symptom="Right for an odd number of points. For an even number all rows of `G` but "
            "infinity's have the wrong sign.",
            concept="`f` is the product of all `p - q`: of an odd number of factors `q - p` the "
            "sign is another.",
            line="`np.prod([p - q for q in others])`.",
        ),
        Misconception(
            "whole numbers",
            _changed(A=np.rint, G=np.trunc, B=np.trunc),
            symptom="Your matrices hold whole numbers only: what `G` has behind the point is gone.",
            concept="Rows of `G` are quotients: 0.5, for instance. An array with dtype int cuts "
            "off what is written into it.",
            line="`np.zeros((a, r))`, with no dtype, is float64, and so for the other two; and `/` "
            "with no rounding.",
        ),
        Misconception(
            "powers from 1 on",
            _changed(A=_one_power_on),
            symptom="The rows of your `AT` stand one power too high: the first one holds the "
            "points themselves, not ones.",
            concept="Output 0 takes a value at a point as it is, `p ** 0`; output `j` takes it "
            "times `p ** j`.",
            line="`p ** j` for `j` from 0 to `m - 1`.",
        ),
        Misconception(
            "infinity left out of G",
            _changed(G=_row_of_zeros),
            symptom="Wrong only for filters with a last tap: the last row of your `G` is zeros.",
            concept="At infinity a filter is its highest coefficient, the last tap.",
            line="`G[-1, -1] = 1`.",
        ),
        Misconception(
            "infinity left out of B",
            _changed(B=_row_of_zeros),
            symptom="Wrong only for filters with a last tap: the last row of your `BT` is zeros.",
            concept="Infinity's row is the product of `x - p` over all points.",
            line="`np.poly(points)[::-1]` for the last row, with *all* points.",
        ),
        Misconception(
            "infinity in every output",
            _changed(A=_column_of_ones),
            symptom="All outputs but the last take a share of infinity's product that is not "
            "theirs.",
            concept="The product at infinity is the coefficient of the highest power, and that is"
            " of the last output alone.",
            line="The last column of `AT`: zeros, and a 1 in the last row.",
        ),
        Misconception(
            "the filter's powers downwards",
            _changed(G=_last_tap_lowest),
            symptom="The rows of your `G`, but for infinity's, hold the right numbers in reverse "
            "order.",
            concept="Column `t` of `G` is for tap `t`, which goes with the power `t`.",
            line="`p ** t / f` for `t` from 0 to `r - 1`.",
        ),
        Misconception(
            "divided on both sides",
            _divided_twice,
            symptom="You divide by `f`, the product of all `p - q`, twice: in `G` and in `BT`.",
            concept="Each product is divided once. The filter's side does it, once for all tiles.",
            line="Rows of `BT` are the polynomials as they are.",
        ),
        Misconception(
            "the other way round",
            lambda m, r, points: matrices(m, r, points)[::-1],
            symptom="Your three matrices come in reverse order.",
            concept="Asked for are `AT`, `G`, `BT`, as in `AT @ [(G @ g) * (BT @ d)]`.",
            line="`return AT, G, BT`.",
        ),
    ],
)
