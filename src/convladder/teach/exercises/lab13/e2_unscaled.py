"""Lab 13, exercise 2: the images that spoil a calibration."""

from __future__ import annotations

import numpy as np

from ...grading.exercise import Exercise, Misconception


def unscaled(images):
    return np.flatnonzero(images.max(axis=(1, 2, 3)) > 1)


def _cases(rng: np.random.Generator) -> list[tuple]:
    def sample(count, *spoilt, dark=()):
        images = rng.integers(0, 256, (count, 4, 3, 1)).astype(np.float32) / np.float32(255)
        images[:, 0, 0] = 1  # white is as bright as it gets, and is no mistake
        for at in dark:
            images[at] = 0
            images[at, 0, 0] = np.float32(10 / 255)  # one pixel of dark grey
        for at in spoilt:
            images[at] *= 255
        return images

    return [(sample(3, 1),), (sample(6, 0, 4, dark=(2,)),), (sample(5),),
            (sample(9, 3, 8, dark=(3, 6)),)]


EXERCISE = Exercise(
    name="unscaled", lab=13, reference=unscaled, cases=_cases,
    task="Find the images of a calibration sample whose pixels were not divided by 255.",
    misconceptions=[
        Misconception(
            "white counts", lambda images: np.flatnonzero(images.max(axis=(1, 2, 3)) >= 1),
            symptom="You report nearly every image.",
            concept="A white pixel of a scaled image is exactly 1, and is right.",
            line="Compare with `> 1`."),
        Misconception(
            "one at most", lambda images: np.flatnonzero(images.max(axis=(1, 2, 3)) > 1)[:1],
            symptom="You find the first of them, and no other.",
            concept="Whoever forgot it once may have forgotten it twice.",
            line="Return all places where the condition holds: `np.flatnonzero(...)`."),
        Misconception(
            "the brightest",
            lambda images: np.array([images.max(axis=(1, 2, 3)).argmax()]),
            symptom="You always report one image, also where all of them are in order.",
            concept="`argmax` names the largest, however small it is. Whether it is a mistake, the "
                    "meaning of the numbers says: pixels go from 0 to 1.",
            line="Test against 1 instead of looking for the largest."),
        Misconception(
            "the mean",
            lambda images: np.flatnonzero(images.mean(axis=(1, 2, 3)) > 1),
            symptom="You miss an image that is nearly black.",
            concept="A dark image that was not scaled can have a mean below 1. One pixel above 1 "
                    "is proof enough.",
            line="Look at the largest pixel, `images.max(axis=(1, 2, 3))`."),
        Misconception(
            "a tuple of places", lambda images: np.where(images.max(axis=(1, 2, 3)) > 1),
            symptom="You return the places in a tuple, as `np.where` does.",
            concept="`np.where` and `np.nonzero` give an array for each axis, in a tuple: here it "
                    "holds one.",
            line="`np.where(...)[0]`, or `np.flatnonzero(...)`."),
        Misconception(
            "floats, where none is found",
            lambda images: np.array([at for at, image in enumerate(images) if image.max() > 1]),
            symptom="All is right but for a sample with no such image: there you return floats.",
            concept="`np.array([])` cannot know what it would have held, and takes float64.",
            line="`np.array(places, dtype=int)`"),
        Misconception(
            "a place for each pixel", lambda images: np.argwhere(images > 1)[:, 0],
            symptom="You report an image as many times as it has pixels above 1.",
            concept="One number for each image comes first, the condition after it.",
            line="`np.flatnonzero(images.max(axis=(1, 2, 3)) > 1)`"),
        Misconception(
            "counted from 1",
            lambda images: np.flatnonzero(images.max(axis=(1, 2, 3)) > 1) + 1,
            symptom="All your numbers are one too large.",
            concept="Images are counted as NumPy does, from 0: so `images[number]` is the one.",
            line="Return the places themselves."),
        Misconception(
            "a mask", lambda images: images.max(axis=(1, 2, 3)) > 1,
            symptom="You answer with True or False for each image.",
            concept="What is asked for is which ones: their places.",
            line="`np.flatnonzero(mask)`"),
    ],
)
