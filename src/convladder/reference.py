"""The oracle: convolution in float64, written apart from every method that it judges."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from .problem import ConvProblem

UNIT_ROUNDOFF = 2.0**-24  # of float32: the largest relative error of one rounding


def conv2d_float64(x: np.ndarray, w: np.ndarray, problem: ConvProblem) -> np.ndarray:
    """`y[i_n,o_h,o_w,k_c]` in float64 from `x[i_n,i_h,i_w,i_c]` and `w[k_h,k_w,i_c,k_c]`.

    A sum over kernel positions of shifted images times one slice of the weights: no lowering and
    no window is ever formed, so that it shares no index arithmetic with im2col or MEC.
    "Convolution" is deep learning's: the kernel is not flipped.
    """
    p = problem
    padded = np.pad(x.astype(np.float64), ((0, 0), (p.p_h,) * 2, (p.p_w,) * 2, (0, 0)))
    y = np.zeros(p.output_shape)
    for u in range(p.k_h):
        for v in range(p.k_w):
            shifted = padded[
                :, u : u + p.s_h * p.o_h : p.s_h, v : v + p.s_w * p.o_w : p.s_w, :
            ][:, : p.o_h, : p.o_w]
            y += shifted @ w[u, v].astype(np.float64)
    return y


def random_arrays(problem: ConvProblem, seed: int = 0) -> tuple[np.ndarray, np.ndarray]:
    """`(x, w)` in float32, signed and without symmetry, so that no wrong index goes unseen."""
    rng = np.random.default_rng(seed)
    x = rng.standard_normal(problem.input_shape, dtype=np.float32) + np.float32(0.25)
    w = rng.standard_normal(problem.kernel_shape, dtype=np.float32) - np.float32(0.125)
    return x, w


@dataclass(frozen=True)
class Agreement:
    """How well a result agrees with the oracle.

    `error` is the largest over all outputs of `|y - y64| / sum |x·w|`: the rounding error relative
    to the size of what was added up. `limit` is what float32 may do to `k_h·k_w·i_c` terms.
    `reason` says in a sentence why a result is not `ok`, and is empty if it is.
    """

    error: float
    limit: float
    reason: str

    @property
    def ok(self) -> bool:
        return not self.reason


def compare(y: np.ndarray, x: np.ndarray, w: np.ndarray, problem: ConvProblem) -> Agreement:
    """Judge `y` against the oracle. A wrong shape or dtype, or any NaN, is never ok.

    The limit is `4·sqrt(n)·u` for sums of `n` terms: worst-case bounds grow with `n`, but rounding
    errors mostly cancel, to `sqrt(n)` (Higham & Mary, "A new approach to probabilistic rounding
    error analysis", SIAM J. Sci. Comput. 41, 2019).
    """
    limit = 4 * np.sqrt(problem.window) * UNIT_ROUNDOFF
    if y.shape != problem.output_shape:
        reason = f"its shape is {y.shape}, not {problem.output_shape}"
        return Agreement(np.inf, limit, reason)
    if y.dtype != np.float32:
        return Agreement(np.inf, limit, f"its dtype is {y.dtype}, not float32")
    if not np.isfinite(y).all():
        return Agreement(np.inf, limit, "it holds NaN or infinity")
    difference = np.abs(y - conv2d_float64(x, w, problem))
    scale = conv2d_float64(np.abs(x), np.abs(w), problem)
    # Where nothing but zeros was added up (a window of padding), nothing but zero will do.
    relative = np.divide(difference, scale, out=np.where(difference > 0, np.inf, 0.0),
                         where=scale > 0)
    error = float(relative.max())
    at = tuple(int(i) for i in np.unravel_index(relative.argmax(), relative.shape))
    wrong = f"its error of {error:.1e} at [n,h,w,c]={at} is above {limit:.1e}"
    return Agreement(error, limit, wrong if error > limit else "")
