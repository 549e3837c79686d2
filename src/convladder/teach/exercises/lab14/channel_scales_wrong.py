"""Scales for channels, as learners make them: lab 14, exercise 3."""

from __future__ import annotations

import numpy as np

from ...grading.exercise import Misconception


def root_mean_square(w):
    return np.sqrt((w**2).mean(axis=(0, 1, 2)))


def scaled_by(size=root_mean_square):
    """Make scales of another size of a channel than its largest weight."""

    def scales(w, bits, size=size):
        most = size(w)
        return np.where(most == 0, 1, most / (2 ** (bits - 1) - 1)).astype(np.float32)

    return scales


def powers_of_two(w, bits, whole=np.ceil):
    scale = scaled_by(lambda w: np.abs(w).max(axis=(0, 1, 2)))(w, bits)
    return (2.0 ** whole(np.log2(scale))).astype(np.float32)


MORE = (
    Misconception(
        "another size than the largest",
        scaled_by(),
        choices={
            "size": (
                lambda w: np.sqrt((w**2).sum(axis=(0, 1, 2))),
                lambda w: np.abs(w).sum(axis=(0, 1, 2)),
                lambda w: np.abs(w).sum(axis=(0, 1)).max(axis=0),
                lambda w: np.median(np.abs(w), axis=(0, 1, 2)),
                lambda w: np.abs(w).max(axis=(0, 1, 2)) - np.abs(w).min(axis=(0, 1, 2)),
            )
        },
        symptom="Your scales follow something else than the largest size of a channel's weights.",
        concept="The last step of the grid is to be the largest weight, up or down: no sum, no "
        "root of squares and no difference of two weights.",
        line="`np.abs(w).max(axis=(0, 1, 2)) / (2**(bits - 1) - 1)`.",
    ),
    Misconception(
        "powers of two",
        powers_of_two,
        choices={"whole": (np.floor, np.rint)},
        symptom="Your scales are powers of two.",
        concept="Such scales make multiplying cheap, the grid too coarse or too short. Here the "
        "largest weight is to be the last step.",
        line="`most / steps` as it is, not rounded.",
    ),
)
