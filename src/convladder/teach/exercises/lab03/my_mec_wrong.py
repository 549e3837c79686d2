"""MEC in bands of output rows, and how lab 03's learners write it wrongly: exercise 6."""

from __future__ import annotations

import numpy as np

from ....cpu import mec
from ....cpu.im2col import pad
from ....problem import ConvProblem

BAND = 8  # output rows that the last exercise's example lowers at a time
BANDS = {"band": (2, 3, 4, 5, 6, 7, 10, 12, 16, 20, 32)}  # that others may take


def banded(x, w, p, shared=True, step=None, band=BAND, cut_at_band=False, into=None):
    """Make MEC over bands of `band` output rows, and the ways in which it goes wrong."""
    padded = pad(x, p)
    y = np.zeros(p.output_shape, np.float32) if into is None else into
    step = p.s_h if step is None else step
    for first in range(0, p.o_h, band):
        count = min(band, p.o_h - first)
        top = step * first
        rows = padded[:, top : top + p.s_h * (count - 1) + p.k_h]
        if not shared:
            rows = rows.copy()
            rows[:, p.s_h * (band if cut_at_band else count) :] = 0
        part = ConvProblem.from_arrays(rows, w, stride=p.stride)
        y[:, first : first + count] = mec.mec_rows(rows, w, part)
    return y


def the_whole_L(x, w, problem, how="at once"):
    """Lower all, beside the padded copy or after it, or one whole image after the other."""
    if how == "at once":
        return mec.mec_rows(x, w, problem)
    if how == "beside the image":
        padded = pad(x, problem)
        return mec.mec_rows(padded, w, ConvProblem.from_arrays(padded, w, stride=problem.stride))
    y = np.empty(problem.output_shape, np.float32)
    for n, image in enumerate(pad(x, problem)):
        image = np.ascontiguousarray(image[np.newaxis])
        one = ConvProblem.from_arrays(image, w, stride=problem.stride)
        y[n] = mec.mec_rows(image, w, one)[0]
    return y


def half_of_L(x, w, problem, of="strips"):
    """Lower half of the strips, or of the rows, at a time."""
    p = problem
    if of == "rows":
        return row_by_row(x, w, p, -(-p.o_h // 2), lambda first, h, p: p.s_h * h)
    padded, y = pad(x, p), np.empty(p.output_shape, np.float32)
    half = -(-p.o_w // 2)
    for first in range(0, p.o_w, half):
        count = min(half, p.o_w - first)
        columns = padded[:, :, p.s_w * first :][:, :, : p.s_w * (count - 1) + p.k_w]
        part = ConvProblem.from_arrays(columns, w, stride=p.stride)
        L = mec.lower(columns, part)
        for h in range(p.o_h):
            rows = mec.partition(L, h, part)
            y[:, h, first : first + count] = rows @ w.reshape(p.window, p.k_c)
        del L, rows
    return y


def last_band_missing(x, w, problem, band=BAND, left=0.0):
    done, y = problem.o_h // band * band, banded(x, w, problem, band=band)
    y[:, done:] = left
    return y


def same_band(x, w, problem, band=BAND):
    """Fill every band with the products of the first one."""
    p, y = problem, banded(x, w, problem, band=band)
    for first in range(band, p.o_h, band):
        count = min(band, p.o_h - first)
        y[:, first : first + count] = y[:, :count]
    return y


def rows_on_one_another(x, w, problem, band=BAND):
    y = banded(x, w, problem, band=band)
    wrong = np.full_like(y, np.nan)
    for first in range(0, problem.o_h, band):
        part = y[:, first : first + band]
        wrong[:, : part.shape[1]] = part
    return wrong


def bands_kept(x, w, problem, band=BAND):
    """Lower all bands first, and multiply them afterwards."""
    p, padded, y = problem, pad(x, problem), np.empty(problem.output_shape, np.float32)
    bands = {}
    for first in range(0, p.o_h, band):
        rows = padded[:, p.s_h * first :][:, : p.s_h * (min(band, p.o_h - first) - 1) + p.k_h]
        part = ConvProblem.from_arrays(rows, w, stride=p.stride)
        bands[first] = mec.lower(rows, part), part
    for first, (L, part) in bands.items():
        for h in range(part.o_h):
            y[:, first + h] = mec.partition(L, h, part) @ w.reshape(p.window, p.k_c)
    return y


def steps_of_one(x, w, problem, band=BAND):
    """Move by one image row from output row to output row within a band."""
    return row_by_row(x, w, problem, band, lambda first, h, p: h)


def first_rows(x, w, problem, band=BAND):
    """Take the first partition of the band for each of its rows."""
    return row_by_row(x, w, problem, band, lambda first, h, p: 0)


def collected_in_float64(x, w, problem, band=BAND):
    y = np.empty(problem.output_shape)
    return banded(x, w, problem, band=band, into=y).astype(np.float32)


def weight_by_weight(x, w, problem):
    """Add up a product of all output pixels for each place of the kernel."""
    p, padded, y = problem, pad(x, problem), np.zeros(problem.output_shape, np.float32)
    for a, b in np.ndindex(p.k_h, p.k_w):
        pixels = padded[:, a :: p.s_h, b :: p.s_w][:, : p.o_h, : p.o_w]
        y += pixels @ w[a, b]
    return y


def counted_over_the_image(x, w, problem, band=BAND):
    return row_by_row(x, w, problem, band, lambda first, h, p: p.s_h * (first + h))


def row_by_row(x, w, p, band, row):
    """Multiply rows of bands, each from row `row(first, h, p)` of its strips on."""
    padded, y = pad(x, p), np.empty(p.output_shape, np.float32)
    for first in range(0, p.o_h, band):
        count = min(band, p.o_h - first)
        rows = padded[:, p.s_h * first :][:, : p.s_h * (count - 1) + p.k_h]
        L = mec.lower(rows, ConvProblem.from_arrays(rows, w, stride=p.stride))
        for h in range(count):
            begin = row(first, h, p) * p.k_w * p.i_c
            part = L.reshape(p.i_n, p.o_w, -1)[:, :, begin : begin + p.window]
            y[:, first + h] = part @ w.reshape(p.window, p.k_c)
        del L, part
    return y


def rows_of_stride_1(x, w, problem, band=BAND):
    """Lower as many image rows as a band needs if the vertical stride is 1."""
    p, padded, y = problem, pad(x, problem), np.empty(problem.output_shape, np.float32)
    for first in range(0, p.o_h, band):
        count = min(band, p.o_h - first)
        rows = padded[:, p.s_h * first :][:, : count + p.k_h - 1]
        part = ConvProblem.from_arrays(rows, w, stride=p.stride)
        L = mec.lower(rows, part).reshape(p.i_n, p.o_w, -1)
        for h in range(count):
            begin = p.s_h * h * p.k_w * p.i_c
            y[:, first + h] = L[:, :, begin : begin + p.window] @ w.reshape(p.window, p.k_c)
    return y


def unpadded(x, w, problem):
    return banded(x, w, ConvProblem.from_arrays(x, w, stride=problem.stride))


def half_precision(x, w, problem, kernel=False, result=True):
    """Round the image, and with it the kernel and the result, to float16."""
    image, w = (
        each.astype(np.float16).astype(np.float32) if rounded else each
        for each, rounded in ((x, True), (w, kernel))
    )
    y = banded(image, w, problem)
    return y.astype(np.float16).astype(np.float32) if result else y


def rows_collected(x, w, problem, band=BAND):
    """Put the rows into a list, and stack them at the end."""
    p, padded, rows = problem, pad(x, problem), []
    for first in range(0, p.o_h, band):
        count = min(band, p.o_h - first)
        image = padded[:, p.s_h * first :][:, : p.s_h * (count - 1) + p.k_h]
        part = ConvProblem.from_arrays(image, w, stride=p.stride)
        L = mec.lower(image, part)
        rows += [mec.partition(L, h, part) @ w.reshape(p.window, p.k_c) for h in range(count)]
    return np.stack(rows, axis=1)
