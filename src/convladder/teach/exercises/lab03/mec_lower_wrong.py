"""Lowerings along the width as lab 03's learners write them wrongly: exercise 2."""

from __future__ import annotations

import numpy as np
from numpy.lib.stride_tricks import sliding_window_view

from ....cpu import mec
from ....cpu.im2col import pad
from ....problem import ConvProblem


def strips(padded: np.ndarray, p: ConvProblem, step: int) -> np.ndarray:
    """Stack a strip for each output column, `step` apart: `[i_n, o_w, rows, k_w, i_c]`."""
    return np.stack([padded[:, :, step * w : step * w + p.k_w] for w in range(p.o_w)], axis=1)


def reshaped_only(x, problem, batch_last=False):
    """Set the strips side by side, behind the height or before the batch, and call `reshape`."""
    L = mec.lower(x, problem)
    laid = np.ascontiguousarray(L.swapaxes(0, 1) if batch_last else L.swapaxes(1, 2))
    return laid.reshape(L.shape)


def spread_strips(x, problem, begin="column"):
    """Take every s_w-th column into a strip, which begins at column w or s_w * w."""
    p, padded = problem, pad(x, problem)
    wide = np.pad(padded, ((0, 0), (0, 0), (0, p.s_w * (p.k_w + p.o_w)), (0, 0)))
    step = 1 if begin == "column" else p.s_w
    return np.stack(
        [wide[:, :, step * w : step * w + p.s_w * p.k_w : p.s_w] for w in range(p.o_w)], axis=1
    )


def along_height(x, problem):
    p, padded = problem, pad(x, problem)
    return (
        np.stack([padded[:, p.s_h * h : p.s_h * h + p.k_h] for h in range(p.o_h)], axis=1)
        .swapaxes(2, 3)
        .copy()
    )


def rows_unpadded(x, problem):
    p = problem
    return strips(np.pad(x, ((0, 0), (0, 0), (p.p_w,) * 2, (0, 0))), p, p.s_w)


def one_sided(x, problem, behind=False):
    p, at = problem, slice(None, None, -1 if behind else 1)
    return strips(np.pad(x, ((0, 0), (2 * p.p_h, 0)[at], (2 * p.p_w, 0)[at], (0, 0))), p, p.s_w)


def side_by_side(x, problem, cut=False):
    """Begin strips k_w apart: what is too narrow for `L` raises, or is `cut` to what is there."""
    p, padded = problem, pad(x, problem)
    L = np.zeros((p.i_n, p.o_w, p.padded_h, p.k_w, p.i_c), np.float32)
    for w in range(p.o_w):
        strip = padded[:, :, p.k_w * w : p.k_w * w + p.k_w]
        L[:, w, :, : strip.shape[2] if cut else p.k_w] = strip
    return L


def zeros_unwritten(x, problem):
    p = problem
    around = ((0, 0), (p.p_h,) * 2, (p.p_w,) * 2, (0, 0))
    return strips(np.pad(x, around, constant_values=np.nan), p, p.s_w)


def filled(padded: np.ndarray, p: ConvProblem, rows: int) -> np.ndarray:
    """Make `L`, then fill it with strips of what is taken for the padded image."""
    L = np.zeros((p.i_n, p.o_w, rows, p.k_w, p.i_c), np.float32)
    for w in range(p.o_w):
        L[:, w] = padded[:, :, p.s_w * w : p.s_w * w + p.k_w]
    return L


def strips_too_high(x, problem):
    return filled(pad(x, problem), problem, problem.i_h)


def never_padded(x, problem):
    return filled(x, problem, problem.padded_h)


def all_axes_padded(x, problem):
    return filled(np.pad(x, problem.p_h), problem, problem.padded_h)


def padding_exchanged(x, problem):
    p = problem
    padded = np.pad(x, ((0, 0), (p.p_w,) * 2, (p.p_h,) * 2, (0, 0)))
    return filled(padded, p, p.padded_h)


def image_in_float64(x, problem):
    return filled(pad(x, problem).astype(np.float64), problem, problem.padded_h)


def through_float64(x, problem):
    return mec.lower(x, problem).astype(np.float64).astype(np.float32)


def strips_outside_images(x, problem):
    return np.ascontiguousarray(mec.lower(x, problem).swapaxes(0, 1)).swapaxes(0, 1)


def _strips_put_in_order(x, problem):
    p, padded = problem, pad(x, problem)
    strips = np.array([padded[:, :, p.s_w * w : p.s_w * w + p.k_w] for w in range(p.o_w)])
    return np.ascontiguousarray(strips.swapaxes(0, 1))


def view_of_windows(x, problem):
    windows = sliding_window_view(pad(x, problem).copy(), problem.k_w, axis=2)
    return windows[:, :, :: problem.s_w].transpose(0, 2, 1, 4, 3)


def strips_copied(x, problem, where="before"):
    if where == "at the end":
        return mec.lower(x, problem).copy()
    if where == "in order":
        return _strips_put_in_order(x, problem)
    p, padded = problem, pad(x, problem)
    strips = [padded[:, :, p.s_w * w : p.s_w * w + p.k_w].copy() for w in range(p.o_w)]
    return np.stack(strips, axis=1)


def padded_by(pairs, **standard):
    """Lower an image that `np.pad` has padded by `pairs(problem)`."""

    def wrong(x, problem, **chosen):
        how = standard | chosen
        return filled(np.pad(x, pairs(problem), **how), problem, problem.padded_h)

    return wrong


def batch_inside(x, problem):
    return np.ascontiguousarray(mec.lower(x, problem).transpose(1, 2, 0, 3, 4))


def last_strip_missing(x, problem, left=np.nan):
    L = mec.lower(x, problem)
    L[:, -1] = left
    return L


def one_image(x, problem, left=0.0):
    L = mec.lower(x, problem)
    L[1:] = left
    return L


def rows_thinned(x, problem, left=0.0):
    """Take every s_h-th row of a strip, and leave the rest of `L` as it is."""
    L = np.full_like(right := mec.lower(x, problem), left)
    thin = right[:, :, :: problem.s_h]
    L[:, :, : thin.shape[2]] = thin
    return L


def wrapped_columns(x, problem):
    """Take the columns left of the image for negative ones, and leave out those right of it."""
    p, wide = problem, np.pad(x, ((0, 0), (problem.p_h,) * 2, (problem.p_w,) * 2, (0, 0)))
    if p.p_w:
        wide[:, p.p_h : p.p_h + p.i_h, : p.p_w] = x[:, :, -p.p_w :]
    return strips(wide, p, p.s_w)


def turned_strips(x, problem):
    return np.ascontiguousarray(mec.lower(x, problem)[:, :, :, ::-1])


def over_the_image(x, problem):
    """Put zeros into the argument itself, where the border should be."""
    x[:, :1] = 0
    return mec.lower(x, problem)
