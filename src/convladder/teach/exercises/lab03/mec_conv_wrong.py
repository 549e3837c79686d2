"""MEC as lab 03's learners write it wrongly: exercise 4."""

from __future__ import annotations

import numpy as np

from ....cpu import mec
from ....cpu.im2col import pad
from ....problem import ConvProblem


def multiply(x, kernel, p, step=None):
    """Run the row GEMMs with any kernel matrix, partitions `step` values apart."""
    step = p.s_h * p.k_w * p.i_c if step is None else step
    L = mec.lower(x, p).reshape(p.i_n, p.o_w, -1)
    rows = [L[:, :, step * h : step * h + p.window] @ kernel for h in range(p.o_h)]
    return np.stack(rows, axis=1)


def kernel_matrix(w, p):
    return w.reshape(p.window, p.k_c)


def without_padding(x, w, problem):
    return mec.mec_rows(x, w, ConvProblem.from_arrays(x, w, stride=problem.stride))


def first_image_only(x, w, problem, left=0.0):
    y = mec.mec_rows(x, w, problem)
    y[1:] = left
    return y


def rows_skipped(x, w, problem, left=0.0):
    y = mec.mec_rows(x, w, problem)
    y[:, np.arange(problem.o_h) % problem.s_h > 0] = left
    return y


def images_added(x, w, problem):
    y = mec.mec_rows(x, w, problem)
    return np.broadcast_to(y.sum(0), y.shape).copy()


def last_row_missing(x, w, problem, left=np.nan):
    y = mec.mec_rows(x, w, problem)
    y[:, -1] = left
    return y


def rows_on_one_another(x, w, problem, left=0.0):
    y = mec.mec_rows(x, w, problem)
    y[:, 0] = y[:, -1]
    y[:, 1:] = left
    return y


def copies_all_partitions(x, w, problem):
    p, L = problem, mec.lower(x, problem)
    copies = [np.ascontiguousarray(mec.partition(L, h, p)) for h in range(p.o_h)]
    y = np.empty(p.output_shape, np.float32)
    for h, rows in enumerate(copies):
        np.matmul(rows, kernel_matrix(w, p), out=y[:, h])
    return y


def lowers_in_float64(x, w, problem):
    p = problem
    padded, L = pad(x, p), np.zeros((p.i_n, p.o_w, p.padded_h, p.k_w, p.i_c))
    for v in range(p.o_w):
        L[:, v] = padded[:, :, p.s_w * v : p.s_w * v + p.k_w]
    return multiply_into(np.zeros(p.output_shape, np.float32), L, w, p)


def collects_in_float64(x, w, problem):
    L = mec.lower(x, problem)
    return multiply_into(np.zeros(problem.output_shape), L, w, problem).astype(np.float32)


def multiply_into(y, L, w, p):
    for h in range(p.o_h):
        y[:, h] = mec.partition(L, h, p) @ kernel_matrix(w, p)
    return y


def a_row_for_each_start(x, w, problem, into=False):
    """Loop over all rows at which a window may stand, whatever the stride."""
    p, L = problem, mec.lower(x, problem)
    y, strips = np.zeros(p.output_shape, np.float32), L.reshape(p.i_n, p.o_w, -1)
    for h in range(p.padded_h - p.k_h + 1):
        rows = strips[:, :, p.s_h * h * p.k_w * p.i_c :][:, :, : p.window]
        if into:
            np.matmul(rows, kernel_matrix(w, p), out=y[:, h])
        else:
            y[:, h] = rows @ kernel_matrix(w, p)
    return y


def rows_from_below(x, w, problem):
    return np.ascontiguousarray(mec.mec_rows(x, w, problem)[:, ::-1])


def columns_for_rows(x, w, problem):
    return mec.mec_rows(x, w, problem).swapaxes(1, 2).copy()


def always_the_first(x, w, problem):
    y = mec.mec_rows(x, w, problem)
    y[:] = y[:, :1]
    return y


def one_channel(x, w, problem):
    x, w = x.copy(), w.copy()
    x[..., 1:] = 0
    return mec.mec_rows(x, w, problem)


def edge_repeated(x, w, problem, mode="edge"):
    p = problem
    padded = np.pad(x, ((0, 0), (p.p_h,) * 2, (p.p_w,) * 2, (0, 0)), mode=mode)
    return mec.mec_rows(padded, w, ConvProblem.from_arrays(padded, w, stride=p.stride))


def pairs_of_axes(x, w, problem):
    """Pad above by p_h and below by p_w, left and right as well."""
    p = problem
    padded = np.pad(x, ((0, 0), (p.p_h, p.p_w), (p.p_h, p.p_w), (0, 0)))
    return mec.mec_rows(padded, w, ConvProblem.from_arrays(padded, w, stride=p.stride))
