"""Lab 14, exercise 2: the images that spoil a calibration."""

from __future__ import annotations

import numpy as np

from ...grading.exercise import Exercise, Misconception
from . import unscaled_wrong as wrong


def unscaled(images):
    return np.flatnonzero(images.max(axis=(1, 2, 3)) > 1)


def _exactly_255(images):
    return np.flatnonzero(images.max(axis=(1, 2, 3)) == 255)


def _above(limit):
    return lambda images: np.flatnonzero(images.max(axis=(1, 2, 3)) > limit)


def _least_pixel(images):
    return np.flatnonzero(images.min(axis=(1, 2, 3)) > 1)


def _first_pixel(images):
    return np.flatnonzero(images[:, 0, 0, 0] > 1)


def _whole_numbers(images):
    return np.flatnonzero((images == np.rint(images)).all(axis=(1, 2, 3)))


def _far_from_the_others(images):
    largest = images.max(axis=(1, 2, 3))
    return np.flatnonzero(largest > largest.mean())


def _brightest_above_1(images):
    largest = images.max(axis=(1, 2, 3))
    return np.array([largest.argmax()] if largest.max() > 1 else [], dtype=int)


def _number_of_them(images):
    return np.array([np.count_nonzero(images.max(axis=(1, 2, 3)) > 1)])


def _cases(rng: np.random.Generator) -> list[tuple]:
    def image(kind):
        grey = rng.integers(0, 101, (4, 3, 1)).astype(np.float32)
        grey[0, 0], grey[1, 1], grey[3, 2] = 40, 100, 0
        if kind == "grey, 0 to 100":  # of 255: neither its brightest pixel nor its corner tells
            grey[0, 0] = 0
            return grey
        if kind == "dark, one above 1":  # mean and deviation are below 1, most percentiles too
            grey[...] = 0
            grey[3, 1] = 1.1
            return grey
        if kind == "even, all 40":
            return np.full_like(grey, 40)
        if kind == "white, 0 to 255":
            return grey * np.float32(2.55)
        if kind == "light, 0 to 140":
            return grey * np.float32(1.4)
        # In order from here on. White is as bright as it gets, and is no mistake.
        return {"scaled": grey / 100, "dim": grey / 200, "black and white": np.rint(grey / 100)}[
            kind
        ].astype(np.float32)

    samples = [
        ("scaled", "white, 0 to 255", "dim"),
        (
            "white, 0 to 255",
            "scaled",
            "dark, one above 1",
            "dim",
            "grey, 0 to 100",
            "scaled",
            "even, all 40",
        ),
        ("scaled", "dim", "black and white", "scaled"),
        (
            "scaled",
            "black and white",
            "dim",
            "dark, one above 1",
            "scaled",
            "scaled",
            "dim",
            "scaled",
            "light, 0 to 140",
        ),
    ]
    stacks = [np.stack([image(kind) for kind in kinds]) for kinds in samples]
    order = rng.permutation(9)
    light, dark = np.flatnonzero(order == 8)[0], np.flatnonzero(order == 3)[0]
    if light < dark:  # the only one beyond 127 is not to be the first that is unscaled
        order[[light, dark]] = 3, 8
    second = rng.permutation(7)
    places = [at for at in range(7) if second[at] in (0, 2, 4, 6)]  # of those that are unscaled
    white = int(np.flatnonzero(second == 0)[0])  # the only bright one is neither first nor last
    second[[white, places[1]]] = second[[places[1], white]]
    bright = np.stack([image(kind) for kind in ("dim", *["white, 0 to 255"] * 2, "scaled")])
    return [(stacks[0],), (stacks[1][second],), (stacks[2],), (stacks[3][order],), (bright,)]


EXERCISE = Exercise(
    name="unscaled",
    lab=14,
    reference=unscaled,
    cases=_cases,
    task="Find the images of a calibration sample whose pixels were not divided by 255.",
    misconceptions=[
        *wrong.MORE,
        Misconception(
            "white counts",
            lambda images: np.flatnonzero(images.max(axis=(1, 2, 3)) >= 1),
            symptom="You report images that are in order: those with a white pixel.",
            concept="A white pixel of a scaled image is exactly 1, and is right.",
            line="Compare the pixels, as they are, with `> 1`.",
        ),
        Misconception(
            "one at most",
            lambda images, which=0: np.flatnonzero(images.max(axis=(1, 2, 3)) > 1)[which:][:1],
            choices={"which": (-1,)},
            symptom="You find one of them at most, and no other.",
            concept="Whoever forgot it once may have forgotten it twice.",
            line="Return all places where the condition holds: `np.flatnonzero(...)`.",
        ),
        Misconception(
            "the brightest, if it is above 1",
            _brightest_above_1,
            symptom="You find one image at most: the brightest.",
            concept="The brightest is one image, however many were not divided. Whether an image "
            "was, its own pixels tell.",
            line="`np.flatnonzero(largest > 1)`, with the largest pixel of each image.",
        ),
        Misconception(
            "the brightest",
            lambda images: np.array([images.max(axis=(1, 2, 3)).argmax()]),
            symptom="You always report one image, the brightest, also where all of them are in "
            "order.",
            concept="Every sample has a brightest image, however dark that is. Whether it is a "
            "mistake, the meaning of the numbers says: pixels go from 0 to 1.",
            line="Test the largest pixel of each image against 1.",
        ),
        Misconception(
            "a dark image missed",
            lambda images: np.flatnonzero(images.mean(axis=(1, 2, 3)) > 1),
            symptom="You miss an image that is nearly black.",
            concept="A mean, a median or a share of the pixels, a limit above 1, rounded pixels, "
            "a look at a few of them: a dark image that was not scaled gets past all of "
            "these. One pixel above 1 is proof enough.",
            line="The largest pixel of each image, `images.max(axis=(1, 2, 3))`, compared with 1.",
        ),
        Misconception(
            "a tuple of places",
            lambda images: np.where(images.max(axis=(1, 2, 3)) > 1),
            symptom="You return the places in a tuple, as `np.where` does.",
            concept="`np.where` and `np.nonzero` give an array for each axis, in a tuple: here it "
            "holds one.",
            line="`np.where(...)[0]`, or `np.flatnonzero(...)`.",
        ),
        Misconception(
            "floats, where none is found",
            lambda images: np.array([at for at, image in enumerate(images) if image.max() > 1]),
            symptom="All is right but for a sample with no such image: there you return floats.",
            concept="`np.array([])` cannot know what it would have held, and takes float64.",
            line="`np.array(places, dtype=int)`",
        ),
        Misconception(
            "a place for each pixel",
            lambda images: np.argwhere(images > 1)[:, 0],
            symptom="You report an image as many times as it has pixels above 1.",
            concept="One number for each image comes first, the condition after it.",
            line="`np.flatnonzero(images.max(axis=(1, 2, 3)) > 1)`",
        ),
        Misconception(
            "counted from 1",
            lambda images: np.flatnonzero(images.max(axis=(1, 2, 3)) > 1) + 1,
            symptom="All your numbers are one too large.",
            concept="Images are counted as NumPy does, from 0: so `images[number]` is the one.",
            line="Return the places themselves.",
        ),
        Misconception(
            "a mask",
            lambda images: images.max(axis=(1, 2, 3)) > 1,
            symptom="You answer with True or False for each image.",
            concept="What is asked for is which ones: their places.",
            line="`np.flatnonzero(mask)`",
        ),
        Misconception(
            "those with a white pixel only",
            _exactly_255,
            symptom="You find the images that hold a white pixel, and miss those that do not.",
            concept="255 is white. A dark image that was not scaled has a largest pixel of 10, or"
            " of 254.",
            line="Everything above 1 is proof: `images.max(axis=(1, 2, 3)) > 1`.",
        ),
        Misconception(
            "the bright ones only",
            _above(127),
            symptom="You find the bright ones only.",
            concept="How bright an image is does not say whether it was scaled.",
            line="Scaled pixels end at 1, so compare with 1.",
        ),
        Misconception(
            "next to none found",
            _least_pixel,
            symptom="You find nothing, or nearly nothing: some pixel is black in almost every "
            "image.",
            concept="0 is 0, whether it was divided by 255 or not. The *largest* pixel tells.",
            line="The largest of all pixels, `.max(axis=(1, 2, 3))`, against 1.",
        ),
        Misconception(
            "a black corner",
            _first_pixel,
            symptom="You miss images whose upper left pixel is black.",
            concept="If you look at one pixel of each image: it may be dark in one that was not "
            "scaled.",
            line="Take the largest of all pixels of an image.",
        ),
        Misconception(
            "whole numbers",
            _whole_numbers,
            symptom="You report images whose pixels are all whole numbers, be they 0 and 1, and no "
            "others.",
            concept="Whole numbers prove nothing: a scaled image of only 0 and 1 is in order, and "
            "one that was multiplied may have lost its whole numbers.",
            line="Ask how large pixels are, not what is behind the point.",
        ),
        Misconception(
            "unlike the others",
            _far_from_the_others,
            symptom="Of several that are wrong you miss some, and where all are in order you "
            "report some.",
            concept="What is right does not depend on the other images of a sample: pixels go from "
            "0 to 1.",
            line="A fixed limit: 1.",
        ),
        Misconception(
            "how many",
            _number_of_them,
            symptom="You return how many there are.",
            concept="Whoever mends the sample must know which.",
            line="`np.flatnonzero(...)`: the places themselves.",
        ),
        Misconception(
            "the good ones",
            lambda images: np.flatnonzero(images.max(axis=(1, 2, 3)) <= 1),
            symptom="You report the images that are in order.",
            concept="Asked for are the others.",
            line="Those whose largest pixel is `> 1`.",
        ),
        Misconception(
            "a dark image and an even one missed",
            lambda images: np.flatnonzero(images.std(axis=(1, 2, 3)) > 1),
            symptom="You miss images that are nearly black, or even.",
            concept="A limit far above 1 misses what is dark. And a spread, as a standard "
            "deviation, says how much pixels differ, not how large they are.",
            line="`images.max(axis=(1, 2, 3)) > 1`",
        ),
        Misconception(
            "none found",
            _above(255),
            symptom="You find none at all.",
            concept="No image passes your test. Pixels that were divided by 255 end at 1: a single "
            "one above that is proof.",
            line="`> 1`, of the largest pixel.",
        ),
        Misconception(
            "all reported",
            lambda images: np.flatnonzero(images.sum(axis=(1, 2, 3)) > 1),
            symptom="You report every image, or nearly every one.",
            concept="Scaled images pass your test too, as they do where pixels are added up: a sum "
            "grows with their number. A single pixel tells, and scaled ones end at 1.",
            line="`images.max(axis=(1, 2, 3)) > 1`.",
        ),
        Misconception(
            "places along all axes",
            lambda images, take=np.unique: take(np.argwhere(images > 1)),
            choices={
                "take": (
                    lambda found: found,
                    np.ravel,
                    lambda found: found.T,
                    lambda found: tuple(found.T),
                )
            },
            symptom="Your numbers are places along all four axes: images, rows, columns and "
            "channels.",
            concept="`np.argwhere` gives four numbers for each pixel, `np.where` four arrays. The "
            "first of them is the image.",
            line="One number for each image first: "
            "`np.flatnonzero(images.max(axis=(1, 2, 3)) > 1)`.",
        ),
        Misconception(
            "places in all pixels",
            lambda images: np.flatnonzero(images > 1),
            symptom="Your numbers count pixels, from the first of the first image on.",
            concept="`np.flatnonzero` takes an array as one long row of pixels. To count images it "
            "has to be given one value for each.",
            line="`images.max(axis=(1, 2, 3))` inside the comparison.",
        ),
    ],
)
