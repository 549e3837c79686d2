"""Edges as lab 01's learners find them wrongly: exercise 5."""

from __future__ import annotations

import numpy as np

from .edges import differences, edge_strength, scaled


def divides_by_nothing(photo):
    across, down = differences(photo)
    strength = np.sqrt(across**2 + down**2)
    return strength / strength.max()


def not_scaled(photo):
    across, down = differences(photo)
    return np.sqrt(across**2 + down**2)


def one_direction(photo):
    return scaled(np.abs(differences(photo)[0]))


def plain_sum(photo):
    across, down = differences(photo)
    return scaled(np.abs(across + down))


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


def strongest_colour(photo):
    across, down = zip(*(differences(photo[:, :, c : c + 1]) for c in range(photo.shape[2])))
    return scaled(np.sqrt(np.max(np.square(across), 0) + np.max(np.square(down), 0)))


def mean_of_strengths(photo):
    maps = [np.sqrt(sum(each**2 for each in differences(photo[:, :, c : c + 1])))
            for c in range(photo.shape[2])]
    return scaled(np.mean(maps, axis=0, dtype=np.float32))


def stretched(photo):
    strength = not_scaled(photo)
    low, high = strength.min(), strength.max()
    return (strength - low) / (high - low) if high > low else strength


def cut_at_one(photo):
    return np.minimum(not_scaled(photo), 1)


def each_by_its_own(photo):
    across, down = (np.abs(each) / max(np.abs(each).max(), 1e-30) for each in differences(photo))
    return scaled(np.sqrt(across**2 + down**2).astype(np.float32))


def larger_of_both(photo):
    across, down = differences(photo)
    return scaled(np.maximum(np.abs(across), np.abs(down)))


def edge_repeated(photo):
    padded = np.pad(photo, ((1, 1), (1, 1), (0, 0)), mode="edge")
    across, down = differences(padded, padding=(0, 0))
    return scaled(np.sqrt(across**2 + down**2))
