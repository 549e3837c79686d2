"""Winograd's (Toom and Cook's) convolution: a few points give three matrices, in exact fractions.

`m` outputs of a filter with `r` taps cost `m·r` multiplications, or `a = m + r - 1` if both are
seen as polynomials: take their values at `a` points, multiply those, and go back. `F(m, r)` in two
dimensions does it along rows and columns, `Y = Aᵀ[(G g Gᵀ) ⊙ (Bᵀ d B)]A` for tiles `d[a,a]` that
overlap by `r - 1`. Lavin & Gray, "Fast algorithms for convolutional neural networks" (arXiv
1509.09308); construction: Winograd, "Arithmetic complexity of computations" (SIAM, 1980).

The two sides may differ: 3×5 takes `F(m, 3)` along columns and `F(m, 5)` along rows; of a 1×7
kernel only rows are transformed, by `F(m, 7)`, and `F(1, 1)` leaves the columns as they are.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cache
from typing import NamedTuple

import numpy as np

from .problem import ConvProblem
from .reference import ErrorModel

Matrix = tuple[tuple[Fraction, ...], ...]
Points = tuple[Fraction | int, ...]
Side = tuple[int, int]  # m and r of F(m, r) along one side of a tile
HALF = Fraction(1, 2)


def _pairs(*points: str) -> Points:
    return Fraction(0), *(sign * Fraction(p) for p in points for sign in (1, -1))


# The finite points of each F(m, r); infinity is the last one. Zero, then pairs ±p, which share half
# of their arithmetic. Small numbers lose accuracy least: `growth` says how much.
USUAL = {
    (2, 3): (0, 1, -1),
    (4, 3): (0, 1, -1, 2, -2),
    (6, 3): (0, 1, -1, 2, -2, HALF, -HALF),
    (2, 5): (0, 1, -1, 2, -2),
    (4, 5): (0, 1, -1, 2, -2, HALF, -HALF),
}
SEVEN = {
    (2, 7): _pairs("3/8", "1", "5/2"),
    (4, 7): _pairs("3/8", "3/4", "5/4", "3"),
}
BETTER = _pairs("5/8", "3/2")
POINTS = USUAL | {(1, 1): (), (4, 3): BETTER, (2, 5): BETTER} | SEVEN


class Matrices(NamedTuple):
    """`Aᵀ[m,a]`, `G[a,r]` and `Bᵀ[a,a]` of `F(m, r)`, rows of exact fractions."""

    AT: Matrix
    G: Matrix
    BT: Matrix


@cache
def matrices(m: int, r: int, points: Points | None = None) -> Matrices:
    """Return `Aᵀ`, `G` and `Bᵀ` for `m` outputs and `r` taps, such that `Aᵀ[(G g) ⊙ (Bᵀ d)]` is the
    correlation of `d[m+r-1]` with `g[r]`.

    `points` are `m + r - 2` different finite ones (None: those of `POINTS`), infinity comes on top.
    `G` holds the values of the filter at the points, over `f_i = Π(p_i - p_k)`; row `i` of `Bᵀ` the
    coefficients of `Π(x - p_k)`, both products over all `k ≠ i`; `Aᵀ` the powers of the points.
    Raises `ValueError` for a number of points that is wrong, or points that are equal.
    """
    if points is None:
        if (m, r) not in POINTS:
            known = ", ".join(f"F({m},{r})" for m, r in POINTS)
            raise ValueError(f"F({m},{r}) has no points here; give points=, or use one of {known}")
        points = POINTS[m, r]
    finite = [*map(Fraction, points)]
    if len(finite) != m + r - 2 or len(set(finite)) != len(finite):
        raise ValueError(
            f"points={', '.join(map(str, finite))} are {len(finite)}; F({m},{r}) needs {m + r - 2} "
            "that differ, and infinity besides"
        )
    rest = [[q for q in finite if q != p] for p in finite]
    scale = [_value(others, p) for p, others in zip(finite, rest, strict=True)]
    AT = [[p**j for p in finite] + [Fraction(j == m - 1)] for j in range(m)]
    G = [[p**t / f for t in range(r)] for p, f in zip(finite, scale, strict=True)]
    G.append([Fraction(t == r - 1) for t in range(r)])
    BT = [[*_coefficients(others), Fraction(0)] for others in rest] + [_coefficients(finite)]
    return Matrices(*(tuple(map(tuple, matrix)) for matrix in (AT, G, BT)))


def _value(roots: Sequence[Fraction], x: Fraction) -> Fraction:
    """Return `Π(x - root)`."""
    value = Fraction(1)
    for root in roots:
        value *= x - root
    return value


def _coefficients(roots: Sequence[Fraction]) -> list[Fraction]:
    """Return the coefficients of `Π(x - root)`, the constant first."""
    poly = [Fraction(1)]
    for root in roots:
        shifted, scaled = [Fraction(0), *poly], [root * c for c in poly] + [Fraction(0)]
        poly = [above - below for above, below in zip(shifted, scaled, strict=True)]
    return poly


def numbers(matrix: Matrix, dtype: type = np.float64) -> np.ndarray:
    """Return a matrix of fractions as an array, each rounded once."""
    return np.array([[float(value) for value in row] for row in matrix], dtype)


@cache
def growth(m: int, r: int, points: Points | None = None) -> float:
    """Return by how much `F(m×m, r×r)` may enlarge a rounding error, over direct convolution.

    Of the bound `|Aᵀ|·((|G|·|g|) ⊙ (|Bᵀ|·|d|))` with `|g| = |d| = 1`: its largest entry over the
    direct sum's `r`, squared for two dimensions (Lavin & Gray; Barabasz et al., arXiv 1803.10986).
    """
    return float(_growth_by_tap(m, r, points).mean(1).max()) ** 2


@cache
def _growth_by_tap(m: int, r: int, points: Points | None = None) -> np.ndarray:
    """Return `growth[m,r]` along one side: of each output, for a filter of one tap alone."""
    AT, G, BT = (abs(numbers(matrix)) for matrix in matrices(m, r, points))
    return AT @ (G * BT.sum(1)[:, None])


class FloatArithmetic:
    """The arithmetic of `apply_matrix`; elsewhere operations are counted, or emitted."""

    def add(self, x, y):
        return x + y

    def subtract(self, x, y):
        return x - y

    def multiply(self, c: Fraction, x, /):
        return float(c) * x

    def multiply_add(self, c: Fraction, x, y, /):
        """Return `c·x + y`."""
        return float(c) * x + y


class OperationCounter(FloatArithmetic):
    """Counts operations, a multiply-add as one."""

    def __init__(self):
        self.count = 0

    def _one(self, *operands) -> float:
        self.count += 1
        return 0.0

    add = subtract = multiply = multiply_add = _one


def apply_matrix(matrix: Matrix, values: Sequence, on: FloatArithmetic) -> list:
    """Return `matrix · values`, what two rows or two columns have in common computed once.

    Points ±p give `Bᵀ` two rows, and `Aᵀ` two columns, that differ in signs alone.
    """
    rows, values = [list(row) for row in matrix], list(values)
    for i in range(len(values) - 1):
        kinds = {_sign(row[i], row[i + 1]) for row in rows}
        if {1, -1} <= kinds and None not in kinds:
            first, second = values[i : i + 2]
            values[i : i + 2] = on.add(first, second), on.subtract(first, second)
            for row in rows:
                alike = _sign(row[i], row[i + 1]) != -1
                row[i : i + 2] = (row[i], Fraction(0)) if alike else (Fraction(0), row[i])
    result = []
    while len(result) < len(rows):
        row, *more = rows[len(result) :][:2]
        signs = [_sign(a, b) for a, b in zip(row, *more)] if more else [None]
        if None in signs or -1 not in signs:
            result.append(_sum(row, values, on))
            continue
        same = [c if sign != -1 else Fraction(0) for c, sign in zip(row, signs, strict=True)]
        opposite = [c if sign == -1 else Fraction(0) for c, sign in zip(row, signs, strict=True)]
        factor = [c for c in opposite if c][-1]
        even, odd = _sum(same, values, on), _sum([c / factor for c in opposite], values, on)
        result += [_plus(factor, odd, even, on), _plus(-factor, odd, even, on)]
    return result


def _sign(a: Fraction, b: Fraction) -> int | None:
    """Return 1 or -1 if `b` is `a` or its opposite, 0 if both are zero, else None."""
    if a == b:
        return 1 if a else 0
    return -1 if a == -b else None


def _sum(coefficients: Sequence[Fraction], values: Sequence, on: FloatArithmetic):
    terms = [(c, value) for c, value in zip(coefficients, values, strict=True) if c]
    terms.sort(key=lambda term: term[0] != 1)  # to begin with one that is not multiplied
    (c, total), *rest = terms
    total = total if c == 1 else on.multiply(c, total)
    for c, value in rest:
        total = _plus(c, value, total, on)
    return total


def _plus(c: Fraction, x, y, on: FloatArithmetic):
    if abs(c) == 1:
        return on.add(y, x) if c == 1 else on.subtract(y, x)
    return on.multiply_add(c, x, y)


@cache
def operations(columns: Side, rows: Side) -> tuple[int, int]:
    """Return additions and multiply-adds of `Bᵀ d B` and of `Aᵀ M A`, for one channel of a tile."""
    (AT, _, BT), (AT_w, _, BT_w) = matrices(*columns), matrices(*rows)
    a_h, a_w = len(BT), len(BT_w)
    return (
        a_w * _count(BT) + a_h * _count(BT_w),
        a_w * _count(AT) + len(AT) * _count(AT_w),
    )


def _count(matrix: Matrix) -> int:
    counted = OperationCounter()
    apply_matrix(matrix, [0.0] * len(matrix[0]), counted)
    return counted.count


def transform_weights(w: np.ndarray, m: int) -> np.ndarray:
    """Return `U[a_h,a_w,i_c,k_c]`, `G g Gᵀ` of each filter of `w[k_h,k_w,i_c,k_c]`, in float64."""
    k_h, k_w, *_ = w.shape
    G_h, G_w = (numbers(matrices(*side).G) for side in sides(k_h, k_w, m))
    rows = np.tensordot(G_h, w.astype(np.float64), axes=(1, 0))  # [a_h, k_w, i_c, k_c]
    return np.ascontiguousarray(np.tensordot(G_w, rows, axes=(1, 1)).swapaxes(0, 1))


def unsupported(
    problem: ConvProblem, other: str = "microkernel", large: str = ", or fft for a large kernel"
) -> str | None:
    """Return why no `F(m, r)` here serves the problem, or None if one does.

    `other` names the method to use then, `large` adds one for large kernels.
    """
    p = problem
    if p.stride != (1, 1):
        return (
            f"its stride is {p.s_h}×{p.s_w}; Winograd's tiles compute every output of a tile, so "
            f"that with another stride than 1 most of them would be thrown away. Use {other}"
        )
    if not sizes(p):
        return (
            f"its kernel is {p.k_h}×{p.k_w}; there are points for sides of 1, 3 and 5, and for 7 "
            f"beside 1. Use {other}{large}"
        )
    return None


def sizes(problem: ConvProblem) -> list[int]:
    """Return the `m` of each `F(m, r)` that there is for the kernel's sides, the smallest first.

    Seven taps along both sides would enlarge errors by up to 1,700, where F(6, 3) stays near 510.
    """
    p = problem
    if p.k_h * p.k_w == 1 or (max(p.k_h, p.k_w) == 7 and min(p.k_h, p.k_w) != 1):
        return []
    known = sorted({m for m, _ in POINTS if m > 1})
    return [m for m in known if all(side in POINTS for side in sides(p.k_h, p.k_w, m))]


def sides(k_h: int, k_w: int, m: int) -> tuple[Side, Side]:
    """Return `(m, r)` of columns and of rows: F(1, 1) along a side with one tap."""
    height, width = ((m if r > 1 else 1, r) for r in (k_h, k_w))
    return height, width


def error_model(problem: ConvProblem, m: int) -> ErrorModel:
    """Return the tile-wise bound that holds for tiles of `m` outputs per side.

    Outer taps enlarge errors most, up to 3.5 times as much as the mean of all. A filter along one
    side may have its weight there, and each product has three roundings: those of its two factors
    and its own. Along two sides, so many errors meet in an output that most of them cancel.
    """
    height, width = sides(problem.k_h, problem.k_w, m)
    taps = _growth_by_tap(*height), _growth_by_tap(*width)
    if min(problem.k_h, problem.k_w) > 1:
        enlarged = taps[0].mean(1).max() * taps[1].mean(1).max()
    else:
        enlarged = np.sqrt(3) * taps[0].max() * taps[1].max()
    return ErrorModel((height[0], width[0]), float(enlarged))


@dataclass(frozen=True)
class Tiles:
    """How `F(m, r)` cuts a problem: `rows × cols` tiles an image, `count` in the whole batch.

    A tile has `a_h × a_w` pixels of the input and `m_h × m_w` of the output; the last ones hang
    over the edges.
    """

    m_h: int
    m_w: int
    a_h: int
    a_w: int
    rows: int
    cols: int
    count: int

    @classmethod
    def of(cls, problem: ConvProblem, m: int) -> Tiles:
        """Return the tiles of `m` outputs along each side that has several taps."""
        p = problem
        (m_h, r_h), (m_w, r_w) = sides(p.k_h, p.k_w, m)
        rows, cols = -(-p.o_h // m_h), -(-p.o_w // m_w)
        return cls(m_h, m_w, m_h + r_h - 1, m_w + r_w - 1, rows, cols, p.i_n * rows * cols)

    @property
    def places(self) -> int:
        """Return the products of a tile for a pair of channels, `a_h·a_w`."""
        return self.a_h * self.a_w
