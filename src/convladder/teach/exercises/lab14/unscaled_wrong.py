"""Images that spoil a calibration, as learners look for them: lab 14, exercise 2."""

from __future__ import annotations

import numpy as np

from ...grading.exercise import Misconception


def all_or_none(images):
    return np.arange(len(images) * bool(images.max() > 1))


def by_brightness(images):
    largest = images.max(axis=(1, 2, 3))
    return np.argsort(-largest, kind="stable")[: np.count_nonzero(largest > 1)]


def outliers(images, times=10):
    largest = images.max(axis=(1, 2, 3))
    return np.flatnonzero(largest > times * np.median(largest))


MORE = (
    Misconception(
        "outliers",
        outliers,
        choices={"times": (3, 5, 20)},
        symptom="You report images that are far brighter than the middle of the sample. Where many "
        "were not divided, the middle is one of them, or near it.",
        concept="What is right does not depend on the other images: pixels go from 0 to 1.",
        line="A fixed limit: the largest pixel of each image against 1.",
    ),
    Misconception(
        "all or none",
        all_or_none,
        symptom="Where one image was not divided, you report all of them.",
        concept="`images.max()` is one number for the whole sample. Each image has a largest "
        "pixel of its own.",
        line="`images.max(axis=(1, 2, 3))`.",
    ),
    Misconception(
        "in the order of brightness",
        by_brightness,
        symptom="The right images, the brightest first.",
        concept="Places come in order, from the first image on.",
        line="`np.flatnonzero(...)`, or `np.sort` of what you have.",
    ),
)
