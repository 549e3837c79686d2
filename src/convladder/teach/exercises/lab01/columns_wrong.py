"""Windows in columns as lab 01's learners write them wrongly: exercise 2."""

from __future__ import annotations

import numpy as np
from numpy.lib.stride_tricks import sliding_window_view

from .columns import window_columns


def _laid_out(image, k_h, k_w, ravel, by_width=False):
    """Lower window by window, as most learners write it; `ravel` lays one window out."""
    o_h, o_w = image.shape[0] - k_h + 1, image.shape[1] - k_w + 1
    places = [(h, v) for h in range(o_h) for v in range(o_w)]
    if by_width:
        places.sort(key=lambda place: place[::-1])
    return np.stack([ravel(image[h : h + k_h, v : v + k_w]) for h, v in places], axis=1)


def windows_in_rows(image, k_h, k_w):
    return np.ascontiguousarray(window_columns(image, k_h, k_w).T)


def windows_by_width(image, k_h, k_w):
    return _laid_out(image, k_h, k_w, np.ravel, by_width=True)


def weights_by_column(image, k_h, k_w):
    return _laid_out(image, k_h, k_w, lambda window: window.ravel(order="F"))


def windows_flipped(image, k_h, k_w):
    return _laid_out(image, k_h, k_w, lambda window: window[::-1, ::-1].ravel())


def kernel_axes_swapped(image, k_h, k_w):
    return window_columns(image, k_w, k_h)


def last_place_forgotten(image, k_h, k_w, of=(1, 1)):
    """Forget the last row of places, the last column of them, or both."""
    return window_columns(image[: len(image) - of[0], : image.shape[1] - of[1]], k_h, k_w)


def last_row_unwritten(image, k_h, k_w, axis=0, left=np.nan):
    matrix = window_columns(image, k_h, k_w)
    places = matrix.reshape(len(matrix), image.shape[0] - k_h + 1, -1)
    for each in (0, 1) if axis is None else (axis,):
        places.swapaxes(1, 1 + each)[:, -1] = left
    return matrix


def rows_by_height(image, k_h, k_w):
    """Number the weights as a * k_h + b."""
    right = window_columns(image, k_h, k_w)
    matrix = np.full_like(right, np.nan)
    for at, (a, b) in enumerate(np.ndindex(k_h, k_w)):
        matrix[a * k_h + b] = right[at]
    return matrix


def numbered_by_height(image, k_h, k_w):
    o_h, o_w = image.shape[0] - k_h + 1, image.shape[1] - k_w + 1
    matrix = np.zeros((k_h * k_w, o_h * o_w), np.float32)
    for h in range(o_h):
        for v in range(o_w):
            matrix[:, h * o_h + v] = image[h : h + k_h, v : v + k_w].ravel()
    return matrix


def columns_in_float64(image, k_h, k_w):
    return window_columns(image, k_h, k_w).astype(np.float64)


def reshaped_only(image, k_h, k_w):
    return sliding_window_view(image, (k_h, k_w)).reshape(k_h * k_w, -1)


def side_by_side(image, k_h, k_w):
    """Lower windows that do not overlap."""
    return np.stack(
        [
            image[h : h + k_h, v : v + k_w].ravel()
            for h in range(0, image.shape[0] - k_h + 1, k_h)
            for v in range(0, image.shape[1] - k_w + 1, k_w)
        ],
        axis=1,
    )


def last_window_first(image, k_h, k_w):
    return np.ascontiguousarray(window_columns(image, k_h, k_w)[:, ::-1])


def as_many_as_pixels(image, k_h, k_w):
    """Begin a window at each pixel, with zeros where the image has ended."""
    return window_columns(np.pad(image, ((0, k_h - 1), (0, k_w - 1))), k_h, k_w)


def only_the_last_window(image, k_h, k_w, left=0.0):
    matrix = np.full_like(window_columns(image, k_h, k_w), left)
    matrix[:, 0] = image[-k_h:, -k_w:].ravel()
    return matrix


def one_column_a_row(image, k_h, k_w, left=0.0):
    """Count the windows in the outer loop."""
    o_h, o_w = image.shape[0] - k_h + 1, image.shape[1] - k_w + 1
    matrix = np.full_like(window_columns(image, k_h, k_w), left)
    matrix[:, :o_h] = window_columns(image, k_h, k_w)[:, o_w - 1 :: o_w]
    return matrix


def returned_too_early(image, k_h, k_w, rows=0, left=0.0):
    """Return after the first window, or after the first `rows` rows of windows."""
    matrix = window_columns(image, k_h, k_w)
    matrix[:, rows * (image.shape[1] - k_w + 1) or 1 :] = left
    return matrix
