"""Edges as lab 01's learners find them wrongly: exercise 5."""

from __future__ import annotations

import numpy as np

from ....photo import LUMINANCE
from .edges import differences, edge_strength, scaled
from .gemm import COLUMNS, convolve


def divides_by_nothing(photo):
    across, down = differences(photo)
    strength = np.sqrt(across**2 + down**2)
    return strength / strength.max()


def not_scaled(photo, by=1):
    """Divide by nothing, or by something other than the largest strength."""
    across, down = differences(photo)
    strength = np.sqrt(across**2 + down**2)
    factor = np.float32(by(strength) if callable(by) else by)
    return strength / factor if factor else strength


def nearly_scaled(photo, by=1e-3):
    strength = not_scaled(photo)
    return strength / (strength.max() + np.float32(by))


def one_direction(photo, which=0):
    return scaled(np.abs(differences(photo)[which]))


def filters_reshaped(photo):
    """Stack the two filters in front, and name the axes anew."""
    return _with_filters(photo, np.stack([COLUMNS, COLUMNS.T]).reshape(3, 3, 1, 2))


def by_sobel(photo):
    sobel = np.array([[1], [2], [1]], np.float32) * COLUMNS
    return _with_filters(photo, np.stack([sobel, sobel.T], axis=-1)[:, :, None, :])


def by_middle_row(photo):
    """Compare two pixels, not two rows or columns of three."""
    middle = np.array([[0], [1], [0]], np.float32) * COLUMNS
    return _with_filters(photo, np.stack([middle, middle.T], axis=-1)[:, :, None, :])


def an_axis_more(photo, at=2):
    return np.expand_dims(edge_strength(photo), at)


def _with_filters(photo, w):
    grey = photo.mean(axis=2, dtype=np.float32)[None, :, :, None]
    across, down = np.moveaxis(convolve(grey, w, (1, 1), (1, 1))[0], -1, 0)
    return scaled(np.sqrt(across**2 + down**2))


def differences_reshaped(photo):
    """Take the filters for the first axis of the result."""
    across, down = np.stack(differences(photo), axis=-1).reshape(2, *photo.shape[:2])
    return scaled(np.sqrt(across**2 + down**2))


def by_luminance(photo):
    if photo.shape[2] != 3:
        return edge_strength(photo)
    return edge_strength((photo @ np.array(LUMINANCE, np.float32))[:, :, None])


def plain_sum(photo, size=True):
    across, down = differences(photo)
    return scaled(np.abs(across + down) if size else across + down)


def sum_of_sizes(photo):
    across, down = differences(photo)
    return scaled(np.abs(across) + np.abs(down))


def no_root(photo):
    across, down = differences(photo)
    return scaled(across**2 + down**2)


def border_lost(photo):
    across, down = differences(photo, padding=(0, 0))
    return scaled(np.sqrt(across**2 + down**2))


def framed(photo):
    """Convolve without padding, and put zeros around the result."""
    return np.pad(border_lost(photo), 1)


def red_only(photo):
    return edge_strength(photo[:, :, :1])


def strongest_colour(photo, of="differences"):
    if of == "strengths":
        return scaled(np.max(_of_each_colour(photo), 0))
    across, down = zip(*(differences(photo[:, :, c : c + 1]) for c in range(photo.shape[2])))
    return scaled(np.sqrt(np.max(np.square(across), 0) + np.max(np.square(down), 0)))


def _of_each_colour(photo):
    return [
        np.sqrt(sum(each**2 for each in differences(photo[:, :, c : c + 1])))
        for c in range(photo.shape[2])
    ]


def mean_of_strengths(photo, how="mean"):
    maps = _of_each_colour(photo)
    if how == "squares":
        return scaled(np.linalg.norm(maps, axis=0).astype(np.float32))
    return scaled(np.mean(maps, axis=0, dtype=np.float32))


def stretched(photo):
    strength = not_scaled(photo)
    low, high = strength.min(), strength.max()
    return (strength - low) / (high - low) if high > low else strength


def cut_at_one(photo):
    return np.minimum(not_scaled(photo), 1)


def each_by_its_own(photo):
    return scaled(each_and_no_more(photo))


def each_and_no_more(photo):
    """Scale the differences of each direction, and not the strength that comes of them."""
    across, down = (np.abs(each) / max(np.abs(each).max(), 1e-30) for each in differences(photo))
    return np.sqrt(across**2 + down**2).astype(np.float32)


def larger_of_both(photo):
    across, down = differences(photo)
    return scaled(np.maximum(np.abs(across), np.abs(down)))


def edge_repeated(photo, mode="edge"):
    padded = np.pad(photo, ((1, 1), (1, 1), (0, 0)), mode=mode)
    across, down = differences(padded, padding=(0, 0))
    return scaled(np.sqrt(across**2 + down**2))
