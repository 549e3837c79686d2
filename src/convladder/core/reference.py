"""The oracle: convolution in float64, written apart from every method that it judges."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from types import ModuleType
from typing import NamedTuple

import numpy as np

from .problem import ConvProblem

UNIT_ROUNDOFF = 2.0**-24  # of float32: the largest relative error of one rounding


def conv2d_float64(
    x: np.ndarray, w: np.ndarray, problem: ConvProblem, xp: ModuleType = np
) -> np.ndarray:
    """Compute float64 `y[i_n,o_h,o_w,k_c]` from `x[i_n,i_h,i_w,i_c]`, `w[k_h,k_w,i_c/groups,k_c]`.

    A sum over kernel positions of shifted images times one slice of the weights: no lowering and
    no window is ever formed, so that it shares no index arithmetic with im2col or MEC.
    "Convolution" is deep learning's: the kernel is not flipped. `xp` is CuPy for arrays of a GPU.
    """
    p = problem
    padded = xp.pad(x.astype(np.float64), ((0, 0), (p.p_h,) * 2, (p.p_w,) * 2, (0, 0)))
    y = xp.zeros(p.output_shape)
    for u in range(p.k_h):
        for v in range(p.k_w):
            top, left = u * p.d_h, v * p.d_w
            shifted = padded[
                :, top : top + p.s_h * p.o_h : p.s_h, left : left + p.s_w * p.o_w : p.s_w, :
            ][:, : p.o_h, : p.o_w]
            taps = w[u, v].astype(np.float64)
            for group in range(p.groups):
                channels = slice(group * p.group_i_c, (group + 1) * p.group_i_c)
                filters = slice(group * p.group_k_c, (group + 1) * p.group_k_c)
                y[..., filters] += shifted[..., channels] @ taps[:, filters]
    return y


def random_arrays(problem: ConvProblem, seed: int = 0) -> tuple[np.ndarray, np.ndarray]:
    """Return float32 `(x, w)`, signed and without symmetry: no wrong index goes unseen."""
    rng = np.random.default_rng(seed)
    x = rng.standard_normal(problem.input_shape, dtype=np.float32) + np.float32(0.25)
    w = rng.standard_normal(problem.kernel_shape, dtype=np.float32) - np.float32(0.125)
    return x, w


class ErrorModel(NamedTuple):
    """Which values share a method's rounding errors, and by how much it enlarges them.

    Point-wise (`tile` None): each output is a sum of its own, as accurate as its own terms are
    large. Tile-wise: outputs of a tile of `(rows, cols)` are mixtures of the same intermediate
    values, so that each errs by as much as the largest: a zero beside large values is not exact.
    `growth` comes on top of the sum's own error, in units of rounding.
    """

    tile: tuple[int, int] | None = None
    growth: float = 0.0


POINTWISE = ErrorModel()


@dataclass(frozen=True)
class Agreement:
    """How well a result agrees with the oracle.

    `error` is the largest over all outputs of `|y - y64|` relative to the size of what was added
    up; `limit` is what float32 may do to it; `compare` defines both for each error model. `reason`
    says in a sentence why a result is not `ok`, and is empty if it is.
    """

    error: float
    limit: float
    reason: str

    @property
    def ok(self) -> bool:
        return not self.reason


def compare(
    y: np.ndarray,
    x: np.ndarray,
    w: np.ndarray,
    problem: ConvProblem,
    model: ErrorModel = POINTWISE,
) -> Agreement:
    """Judge `y` against the oracle. A wrong shape or dtype, or any NaN, is never ok.

    An error is taken relative to `sum |x·w|` over the output's window (point-wise), or to
    `sum_c max|x_c| · sum|w_c|`, the maximum being over all that its tile reads (tile-wise): every
    product of a value and a weight of the tile is in some intermediate value, also those that
    cancel. The limit is `(4·sqrt(n) + growth)·u` for sums of `n` terms: worst-case bounds grow with
    `n`, but rounding errors mostly cancel, to `sqrt(n)` (Higham & Mary, "A new approach to
    probabilistic rounding error analysis", SIAM J. Sci. Comput. 41, 2019).
    """
    return Oracle(x, w, problem, model).compare(y)


class Oracle:
    """The oracle's values for one problem, computed once, for several results to be judged by."""

    def __init__(
        self, x: np.ndarray, w: np.ndarray, problem: ConvProblem, model: ErrorModel = POINTWISE
    ):
        self._arrays, self._problem, self._model = (x, w), problem, model

    @cached_property
    def _right(self) -> np.ndarray:
        return conv2d_float64(*self._arrays, self._problem)

    @cached_property
    def _scale(self) -> np.ndarray:
        return error_scale(*self._arrays, self._problem, self._model)

    def compare(self, y: np.ndarray) -> Agreement:
        """Judge `y`, as the function of that name does."""
        problem = self._problem
        limit = (4 * np.sqrt(problem.window) + self._model.growth) * UNIT_ROUNDOFF
        if y.shape != problem.output_shape:
            reason = f"its shape is {y.shape}, not {problem.output_shape}"
            return Agreement(np.inf, limit, reason)
        if y.dtype != np.float32:
            return Agreement(np.inf, limit, f"its dtype is {y.dtype}, not float32")
        if not np.isfinite(y).all():
            return Agreement(np.inf, limit, "it holds NaN or infinity")
        difference = np.abs(y - self._right)
        # Where nothing but zeros was added up (a window of padding), nothing but zero will do.
        relative = np.divide(
            difference,
            self._scale,
            out=np.where(difference > 0, np.inf, 0.0),
            where=self._scale > 0,
        )
        error = float(relative.max())
        at = tuple(int(i) for i in np.unravel_index(relative.argmax(), relative.shape))
        wrong = f"its error of {error:.1e} at [n,h,w,c]={at} is above {limit:.1e}"
        return Agreement(error, limit, wrong if error > limit else "")


def error_scale(
    x: np.ndarray, w: np.ndarray, problem: ConvProblem, model: ErrorModel, xp: ModuleType = np
) -> np.ndarray:
    """Return the scale of an output's error in `compare`, in float64: that of its own window,
    or of all that its tile reads. `xp` is CuPy for arrays of a GPU.
    """
    if model.tile is None:
        return conv2d_float64(abs(x), abs(w), problem, xp)
    p, tile = problem, model.tile
    sides = zip(
        (p.o_h, p.o_w), tile, p.stride, p.kernel_shape, p.padding, p.input_shape[1:], strict=False
    )
    # Beyond the last whole tile come zeros; a last column that no window reaches is left out.
    ends, reads = [], []
    for o, m, s, k, pad, i in sides:
        last = (-(-o // m) * m - 1) * s + k
        ends.append((pad, max(0, last - pad - i)))
        reads.append((m - 1) * s + k)
    padded = xp.pad(abs(x), ((0, 0), *ends, (0, 0)))
    rows, cols = (-(-o // m) for o, m in zip((p.o_h, p.o_w), tile))
    largest = xp.zeros((p.i_n, rows, cols, p.i_c))
    for u, v in np.ndindex(*reads):
        read = padded[:, u :: tile[0] * p.s_h, v :: tile[1] * p.s_w][:, :rows, :cols]
        largest = xp.maximum(largest, read)
    scale = largest @ abs(w.astype(np.float64)).sum(axis=(0, 1))
    return scale.repeat(tile[0], axis=1).repeat(tile[1], axis=2)[:, : p.o_h, : p.o_w]
