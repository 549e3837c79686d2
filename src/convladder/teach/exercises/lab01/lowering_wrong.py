"""Lowerings as lab 01's learners write them wrongly: exercises 3, 4 and 6."""

from __future__ import annotations

import numpy as np
from numpy.lib.stride_tricks import sliding_window_view

from .shape import output_shape
from .lowering import lower, pad, rows_of


def steps_of_one(x, k_h, k_w, stride, padding):
    return lower(x, k_h, k_w, stride, padding, step=(1, 1))


def stride_ignored(x, k_h, k_w, stride, padding):
    return lower(x, k_h, k_w, (1, 1), padding)


def one_stride(x, k_h, k_w, stride, padding, axis=0):
    return lower(x, k_h, k_w, (stride[axis],) * 2, padding)


def across_by_the_stride_down(x, k_h, k_w, stride, padding):
    padded = pad(x, padding)
    return _window_by_window(padded, x, k_h, k_w, stride, padding, (stride[0], stride[0]))


def counted_but_not_padded(x, k_h, k_w, stride, padding):
    padded = np.pad(x, ((0, 0), (padding[0], 0), (padding[1], 0), (0, 0)))
    return _window_by_window(padded, x, k_h, k_w, stride, padding, stride)


def never_padded(x, k_h, k_w, stride, padding, batch=False):
    """Count zeros that are not there, or that lie around the batch and the rows."""
    padded = np.pad(x, ((padding[0],) * 2, (padding[1],) * 2, (0, 0), (0, 0))) if batch else x
    return _window_by_window(padded, x, k_h, k_w, stride, padding, stride)


def _window_by_window(padded, x, k_h, k_w, stride, padding, step):
    """Raise, as a learner's loop does, where a window hangs over the edge of `padded`."""
    o_h, o_w = output_shape(x.shape[1:3], (k_h, k_w), stride, padding)
    matrix = np.empty((len(x), o_h, o_w, k_h * k_w * x.shape[3]), np.float32)
    for n, h, v in np.ndindex(matrix.shape[:3]):
        top, left = step[0] * h, step[1] * v
        matrix[n, h, v] = padded[n, top : top + k_h, left : left + k_w].ravel()
    return matrix.reshape(-1, matrix.shape[3])


def strides_exchanged(x, k_h, k_w, stride, padding):
    return lower(x, k_h, k_w, stride[::-1], padding)


def padded_before_only(x, k_h, k_w, stride, padding):
    padded = np.pad(x, ((0, 0), (padding[0], 0), (padding[1], 0), (0, 0)))
    return rows_of(padded, k_h, k_w, stride, stride)


def padded_behind_only(x, k_h, k_w, stride, padding):
    padded = np.pad(x, ((0, 0), (0, 2 * padding[0]), (0, 2 * padding[1]), (0, 0)))
    return rows_of(padded, k_h, k_w, stride, stride)


def padding_exchanged(x, k_h, k_w, stride, padding):
    return lower(x, k_h, k_w, stride, padding[::-1])


def padding_ignored(x, k_h, k_w, stride, padding):
    return lower(x, k_h, k_w, stride, (0, 0))


def channels_outermost(x, k_h, k_w, stride, padding):
    return lower(x, k_h, k_w, stride, padding, axes=(0, 1, 2, 3, 4, 5))


def places_by_width(x, k_h, k_w, stride, padding):
    return lower(x, k_h, k_w, stride, padding, axes=(0, 2, 1, 4, 5, 3))


def windows_in_columns(x, k_h, k_w, stride, padding):
    return np.ascontiguousarray(lower(x, k_h, k_w, stride, padding).T)


def first_image_only(x, k_h, k_w, stride, padding, which=0):
    return lower(x[which][np.newaxis], k_h, k_w, stride, padding)


def _padded_by(pairs, **how):
    """Lower an image that `np.pad` has padded by `pairs(p_h, p_w)`."""

    def wrong(x, k_h, k_w, stride, padding):
        return rows_of(np.pad(x, pairs(*padding), **how), k_h, k_w, stride, stride)

    return wrong


pairs_of_axes = _padded_by(lambda p_h, p_w: ((0, 0), (p_h, p_w), (p_h, p_w), (0, 0)))
width_only = _padded_by(lambda p_h, p_w: ((0, 0), (0, 0), (p_w, p_w), (0, 0)))
height_only = _padded_by(lambda p_h, p_w: ((0, 0), (p_h, p_h), (0, 0), (0, 0)))
padded_twice_before = _padded_by(lambda p_h, p_w: ((0, 0), (2 * p_h, 0), (2 * p_w, 0), (0, 0)))
padded_behind_once = _padded_by(lambda p_h, p_w: ((0, 0), (0, p_h), (0, p_w), (0, 0)))


def by_one_number(x, k_h, k_w, stride, padding, axis=0):
    return lower(x, k_h, k_w, stride, (padding[axis],) * 2)


def all_axes(x, k_h, k_w, stride, padding, pair=False):
    """Give `np.pad` one number, or the pair as it is."""
    return rows_of(np.pad(x, padding if pair else padding[0]), k_h, k_w, stride, stride)


def edge_repeated(x, k_h, k_w, stride, padding, mode="edge"):
    how = {"constant_values": 1} if mode == "ones" else {"mode": mode}
    both = _padded_by(lambda p_h, p_w: ((0, 0), (p_h, p_h), (p_w, p_w), (0, 0)), **how)
    return both(x, k_h, k_w, stride, padding)


def batch_innermost(x, k_h, k_w, stride, padding):
    return lower(x, k_h, k_w, stride, padding, axes=(1, 2, 0, 4, 5, 3))


def window_by_columns(x, k_h, k_w, stride, padding):
    return lower(x, k_h, k_w, stride, padding, axes=(0, 1, 2, 5, 4, 3))


def kernel_sides_exchanged(x, k_h, k_w, stride, padding):
    return lower(x, k_w, k_h, stride, padding)


def rows_counted_anew(x, k_h, k_w, stride, padding):
    """Write each image's windows over those of the image before."""
    matrix = np.full_like(lower(x, k_h, k_w, stride, padding), np.nan)
    for image in x:
        rows = lower(image[np.newaxis], k_h, k_w, stride, padding)
        matrix[: len(rows)] = rows
    return matrix


def counted_by_the_height(x, k_h, k_w, stride, padding):
    """Number output (h, v) as h * o_h + v; beyond the matrix that raises, as it would."""
    right = lower(x, k_h, k_w, stride, padding)
    o_h, o_w = output_shape(x.shape[1:3], (k_h, k_w), stride, padding)
    matrix = np.full_like(right, np.nan)
    for at, (n, h, v) in enumerate(np.ndindex(len(x), o_h, o_w)):
        matrix[(n * o_h + h) * o_h + v] = right[at]
    return matrix


def first_channel_only(x, k_h, k_w, stride, padding):
    return lower(x[..., :1], k_h, k_w, stride, padding)


def in_float64(x, k_h, k_w, stride, padding):
    return lower(x, k_h, k_w, stride, padding).astype(np.float64)


def clamped(x, k_h, k_w, stride, padding, inside=False):
    """Move windows that hang over the edge to its inside, or cut off what hangs over."""
    i_n, i_h, i_w, i_c = x.shape
    o_h, o_w = output_shape((i_h, i_w), (k_h, k_w), stride, padding)
    matrix = np.zeros((i_n, o_h, o_w, k_h * k_w * i_c), np.float32)
    for n, h, v in np.ndindex(matrix.shape[:3]):
        top, left = (max(0, s * at - p) for s, at, p in zip(stride, (h, v), padding))
        if inside:
            top, left = min(top, i_h - k_h), min(left, i_w - k_w)
        values = x[n, top : top + k_h, left : left + k_w].ravel()
        matrix[n, h, v, : values.size] = values
    return matrix.reshape(-1, matrix.shape[3])


def pixels_left_out(x, k_h, k_w, stride, padding):
    """Apply the stride to the pixels, and lower what is left."""
    thinned = pad(x, padding)[:, :: stride[0], :: stride[1]]
    return rows_of(thinned, k_h, k_w, (1, 1), (1, 1))


def batch_padded(x, k_h, k_w, stride, padding):
    """Pad the batch by what belongs to the rows, and the rows by what belongs to the columns."""
    padded = np.pad(x, ((padding[0],) * 2, (padding[1],) * 2, (0, 0), (0, 0)))
    return rows_of(padded, k_h, k_w, stride, stride)


def last_places_unwritten(x, k_h, k_w, stride, padding, axis=None, left=np.nan):
    matrix = lower(x, k_h, k_w, stride, padding)
    o_h, o_w = output_shape(x.shape[1:3], (k_h, k_w), stride, padding)
    places = matrix.reshape(len(x), o_h, o_w, -1)
    for each in (1, 2) if axis is None else (axis,):
        places.swapaxes(1, each)[:, -1] = left
    return matrix


def padding_in_steps(x, k_h, k_w, stride, padding):
    """Begin the window of output (h, v) at s_h * (h - p_h) and s_w * (v - p_w)."""
    (s_h, s_w), (p_h, p_w) = stride, padding
    o_h, o_w = output_shape(x.shape[1:3], (k_h, k_w), stride, padding)
    wide = np.pad(x, ((0, 0), (s_h * p_h,) * 2, (s_w * p_w,) * 2, (0, 0)))
    windows = sliding_window_view(wide, (k_h, k_w), axis=(1, 2))[:, ::s_h, ::s_w]
    windows = windows[:, :o_h, :o_w].transpose(0, 1, 2, 4, 5, 3)
    return windows.reshape(-1, k_h * k_w * x.shape[3]).copy()


def size_by_true_division(x, k_h, k_w, stride, padding):
    o_h, o_w = (
        (i + 2 * p - k) / s + 1 for i, k, s, p in zip(x.shape[1:3], (k_h, k_w), stride, padding)
    )
    return np.empty((len(x) * o_h * o_w, k_h * k_w * x.shape[3]), np.float32)


def turned_windows(x, k_h, k_w, stride, padding):
    matrix = lower(x, k_h, k_w, stride, padding)
    return matrix.reshape(len(matrix), -1, x.shape[3])[:, ::-1].reshape(matrix.shape).copy()
