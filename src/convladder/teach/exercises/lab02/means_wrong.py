"""Means of channels as lab 02's learners take them wrongly: exercise 5."""

from __future__ import annotations

import numpy as np

from .means import channel_means


def float16_sum(image):
    total = np.zeros(image.shape[2], np.float16)
    for row in image.reshape(-1, image.shape[2]):
        total += row
    return total.astype(np.float32) / np.float32(image.shape[0] * image.shape[1])


def float16_sum_and_mean(image):
    total = np.zeros(image.shape[2], np.float16)
    for row in image.reshape(-1, image.shape[2]):
        total += row
    return (total / np.float16(image.shape[0] * image.shape[1])).astype(np.float32)


def shares_added_up(image):
    """Divide each pixel, in float16, before adding up."""
    return (image / (image.shape[0] * image.shape[1])).sum(axis=(0, 1), dtype=np.float32)


def counted_in_float16(image):
    count = np.float16(image.shape[0] * image.shape[1])
    return (image.sum(axis=(0, 1), dtype=np.float64) / count).astype(np.float32)


def running_mean(image):
    mean = np.zeros(image.shape[2], np.float16)
    for count, pixel in enumerate(image.reshape(-1, image.shape[2]), 1):
        mean += ((pixel - mean) / count).astype(np.float16)
    return mean.astype(np.float32)


def rounded_at_the_end(image):
    return channel_means(image).astype(np.float16).astype(np.float32)


def not_divided(image):
    return image.sum(axis=(0, 1), dtype=np.float64).astype(np.float32)


def all_channels(image):
    return np.full(image.shape[2], image.mean(dtype=np.float32))


def divided_by_all(image):
    return not_divided(image) / np.float32(image.size)


def multiplied_by_the_width(image):
    return not_divided(image) / np.float32(image.shape[0]) * np.float32(image.shape[1])


def axes_kept(image):
    return channel_means(image).reshape(1, 1, -1)


def over_the_rows(image, axis=1):
    return image.mean(axis=axis, dtype=np.float32)


def one_axis_in_float16(image, axis=0, divided=True):
    """Add up one axis in float16, and divide there or at the end."""
    sums = image.sum(axis=axis, dtype=np.float16)
    sums = sums / np.float16(image.shape[axis] if divided else 1)
    means = sums.mean(axis=0, dtype=np.float32)
    return means if divided else means / np.float32(image.shape[axis])


def over_channels(image, flat=False):
    means = image.mean(axis=2, dtype=np.float32)
    return means.ravel() if flat else means


def mean_of_row_means(image, axis=1, twice=False):
    """Round each row's (or column's) mean to float16 before they are averaged, or `twice`."""
    rows = image.mean(axis=axis, dtype=np.float32).astype(np.float16)
    return rows.mean(axis=0, dtype=None if twice else np.float32).astype(np.float32)


def channels_first(image):
    """Read the image as one plane after the other."""
    return image.reshape(image.shape[2], -1).mean(axis=1, dtype=np.float32)


def middle(image):
    return np.median(image.astype(np.float32), axis=(0, 1))
