"""A convolution shared among workers, right and as learners share it: lab 16, exercise 2."""

from __future__ import annotations

import numpy as np

from ....reference import conv2d_float64
from .layers import bands_by, shares_of


def shared_by(cut, join=lambda parts: np.concatenate(parts, axis=1), fill=0.0):
    """Make a shared convolution with the bands of `cut`, joined by `join`."""

    def shared(x, w, problem, parts, worker):
        found = []
        for first, last, top, bottom in cut(problem, parts):
            rows = np.pad(
                x[:, first:last], ((0, 0), (top, bottom), (0, 0), (0, 0)), constant_values=fill
            )
            found.append(worker(rows, w))
        return join(found)

    return shared


def bypassed(x, w, problem, parts, worker):
    worker(np.pad(x, ((0, 0), (problem.p_h,) * 2, (0, 0), (0, 0)))[:, : problem.k_h], w)
    return conv2d_float64(x, w, problem).astype(np.float32)


def edge_rows(x, w, problem, parts, worker):
    """Repeat the image's own edge rows in place of zeros."""
    found = []
    for first, last, top, bottom in bands_by()(problem, parts):
        rows = np.pad(x[:, first:last], ((0, 0), (top, bottom), (0, 0), (0, 0)), mode="edge")
        found.append(worker(rows, w))
    return np.concatenate(found, axis=1)


def no_halo(problem, parts):
    """Share rows of the image, padded as if each were an image of its own."""
    p = problem
    return [(begin, stop, p.p_h, p.p_h) for begin, stop in shares_of(p.i_h, parts)]


def zeros_for_halo(problem, parts):
    """Share output rows, each with `s_h` image rows of its own; else zeros, as many as it needs."""
    p, found = problem, []
    for begin, stop in shares_of(p.o_h, parts):
        first, need = p.s_h * begin, p.s_h * (stop - begin - 1) + p.k_h - p.p_h
        last = min(p.i_h, p.s_h * stop, first + need)
        found.append((first, last, p.p_h, need - (last - first)))
    return found


def all_to_everyone(x, w, problem, parts, worker):
    whole = np.pad(x, ((0, 0), (problem.p_h,) * 2, (0, 0), (0, 0)))
    y = worker(whole, w)
    return np.concatenate([y for _ in range(parts)], axis=1)


def sideways_too(x, w, problem, parts, worker):
    """Pad to the left and right as well, which the worker does itself."""
    found = []
    for first, last, top, bottom in bands_by()(problem, parts):
        rows = np.pad(x[:, first:last], ((0, 0), (top, bottom), (problem.p_w,) * 2, (0, 0)))
        found.append(worker(rows, w))
    return np.concatenate(found, axis=1)


def first_band_for_all(x, w, problem, parts, worker):
    bands = bands_by()(problem, parts)
    first, last, top, bottom = bands[0]
    rows = np.pad(x[:, first:last], ((0, 0), (top, bottom), (0, 0), (0, 0)))
    return np.concatenate([worker(rows, w) for _ in bands], axis=1)


def summed(parts):
    most = max(part.shape[1] for part in parts)
    return sum(np.pad(part, ((0, 0), (0, most - part.shape[1]), (0, 0), (0, 0))) for part in parts)


def at_image_rows(x, w, problem, parts, worker, cut=True):
    y = np.zeros(problem.output_shape, np.float32)
    for first, last, top, bottom in bands_by()(problem, parts):
        band = worker(np.pad(x[:, first:last], ((0, 0), (top, bottom), (0, 0), (0, 0))), w)
        y[:, first : first + band.shape[1]] = band[:, : problem.o_h - first] if cut else band
    return y


def as_tall(x, w, problem, parts, worker):
    bands = bands_by()(problem, parts)
    tall = max(last - first + top + bottom for first, last, top, bottom in bands)
    return np.concatenate(
        [
            worker(
                np.pad(
                    x[:, first:last], ((0, 0), (top, tall - top - last + first), (0, 0), (0, 0))
                ),
                w,
            )
            for first, last, top, _ in bands
        ],
        axis=1,
    )
