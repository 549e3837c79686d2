"""Lab 06, exercise 2: the matrices of F(m, r) from its points."""

import numpy as np

from ..exercise import Exercise, Misconception, edit

ROUNDING = 1e-9  # of sums whose terms are 1
USUAL = {2: [0.0, 1.0, -1.0], 4: [0.0, 1.0, -1.0, 2.0, -2.0]}
BETTER = [0.0, 0.625, -0.625, 1.5, -1.5]


def point_matrices(m, r, points):
    a = m + r - 1
    AT, G, BT = np.zeros((m, a)), np.zeros((a, r)), np.zeros((a, a))
    for i, p in enumerate(points):
        others = [q for q in points if q != p]
        AT[:, i] = p ** np.arange(m)
        G[i] = p ** np.arange(r) / np.prod([p - q for q in others])
        BT[i, : a - 1] = np.poly(others)[::-1]
    AT[-1, -1] = G[-1, -1] = 1
    BT[-1] = np.poly(points)[::-1]
    return AT, G, BT


def accept(m, r, points, got):
    """Accept any three matrices that compute the correlation."""
    a = m + r - 1
    shapes = [(m, a), (a, r), (a, a)]
    if not isinstance(got, tuple | list) or [np.shape(each) for each in got] != shapes:
        return f"The result should be three arrays of the shapes {shapes}: AT, G, BT."
    AT, G, BT = (np.asarray(each, float) for each in got)
    if not all(np.isfinite(each).all() for each in (AT, G, BT)):
        return "The matrices hold NaN or infinity. Do two points divide by zero?"
    narrow = [
        kind for each in got if (kind := np.asarray(each).dtype.name) in ("float32", "float16")
    ]
    shift = np.einsum("jp,pt,pi->tji", AT, G, BT)
    for tap, found in enumerate(shift):
        off = np.abs(found - np.eye(m, a, tap))
        if ROUNDING < off.max() < 1e-2 and narrow:
            return f"A matrix is {narrow[0]}, and its rounding shows. Compute all three in float64."
        if not off.max() <= ROUNDING:  # NaN is no identity either
            row = off.max(1).argmax()
            shares = np.array2string(found[row] + 0.0, precision=3, suppress_small=True)
            return (
                f"For a filter with a 1 at tap {tap} and zeros elsewhere, output {row} should be "
                f"d[{row + tap}]. Your matrices take these shares of d[0] to d[{a - 1}]: {shares}."
            )
    return None


def cases(rng):
    sizes = [(2, 4), (3, 2), (3, 3), (3, 4), (3, 5), (4, 2), (5, 2), (5, 3), (2, 2), (2, 6)]
    drawn = [sizes[at] for at in rng.permutation(len(sizes))[:3]]
    others = [1.0, -0.5, -1.0, 2.0, 0.5, -2.0]
    lists = [[0.0, *rng.permutation(others)[: m + r - 3].tolist()] for m, r in drawn]
    lists[-1] = lists[-1][::-1]  # 0 need not be the first
    even = (3, 3, [0.0, 1.0, -1.0, 2.0])  # an odd number of factors p - q
    return [
        (2, 3, USUAL[2]),
        (4, 3, BETTER),
        even,
        *((*size, points) for size, points in zip(drawn, lists, strict=True)),
    ]


EXERCISE = Exercise(
    name="point_matrices",
    lab=6,
    task="Aᵀ, G and Bᵀ of F(m, r) from its points.",
    solution=point_matrices,
    accept=accept,
    cases=cases,
    valid=lambda m, r, points: m > 0 and r > 0 and len(points) == len(set(points)) == m + r - 2 > 0,
    mend="`AT[:, i] = p ** np.arange(m)`, `G[i] = p ** np.arange(r) / np.prod([p - q for q in "
    "others])`, `BT[i, : a - 1] = np.poly(others)[::-1]`; infinity's row of `BT` is "
    "`np.poly(points)[::-1]`, and its 1 in `AT` and `G` is in the last place",
    misconceptions=[
        Misconception(
            "infinity left out",
            [
                edit("AT[-1, -1] = G[-1, -1] = 1", "G[-1, -1] = 1"),
                edit("AT[-1, -1] = G[-1, -1] = 1", "AT[-1, -1] = 1"),
                edit("    BT[-1] = np.poly(points)[::-1]\n", ""),
            ],
            "Wrong only for the filter's last tap, or in the last output.",
            "The last row and column belong to the point at infinity, which gives the highest "
            "coefficient.",
        ),
        Misconception(
            "coefficients from the top",
            edit("np.poly(others)[::-1]", "np.poly(others)"),
            "`BT` has rows with the right numbers in reverse order.",
            "`np.poly` begins with the highest power, and column 0 is for the power 0.",
        ),
        Misconception(
            "no division",
            edit(" / np.prod([p - q for q in others])", ""),
            "The matrices have the right zeros, but sums are too large or too small.",
            "Lagrange's polynomials are 1 at their own point only after a division by `Π(p - q)`.",
        ),
        Misconception(
            "differences the other way round",
            edit("p - q", "q - p"),
            "Right for an odd number of points. Otherwise rows of `G` have the wrong sign.",
            "Each factor is the point minus another one, `p - q`.",
        ),
        Misconception(
            "infinity's row of Bᵀ with a single 1",
            edit("BT[-1] = np.poly(points)[::-1]", "BT[-1, -1] = 1"),
            "The last output is wrong for the filter's last tap.",
            "The input's product with infinity is the polynomial that vanishes at all points.",
        ),
    ],
)
