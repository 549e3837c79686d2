"""Lab 16, exercise 2: the images that spoil a calibration."""

import numpy as np

from ..exercise import Exercise, Misconception, edit

KINDS = {  # an image as a function of its grey values, 0 to 100
    "scaled": lambda grey: grey / 100,
    "dim": lambda grey: grey / 200,
    "black and white": lambda grey: np.rint(grey / 100),
    "white, 0 to 255": lambda grey: grey * 2.55,
    "light, 0 to 140": lambda grey: grey * 1.4,
    "grey, 0 to 100": lambda grey: np.where(grey == 40, 0, grey),
    "even, all 40": lambda grey: np.full_like(grey, 40),
    "dark, one above 1": lambda grey: np.where(grey == 100, 1.1, 0),
}


def unscaled(images):
    return np.flatnonzero(images.max(axis=(1, 2, 3)) > 1)


def images(fill, kinds, seed):
    """Images [n, 4, 3, 1] of the kinds named; each holds the greys 0, 40 and 100."""
    grey = np.random.default_rng(seed).integers(41, 100, (len(kinds), 4, 3, 1)).astype(np.float32)
    grey[:, 0, 0], grey[:, 3, 1], grey[:, 3, 2] = 40, 100, 0
    stack = [KINDS[kind](each) for kind, each in zip(kinds, grey, strict=True)]
    return (np.asarray(stack, np.float32),)


def cases(rng):
    seed = int(rng.integers(1000))
    mixed = [
        "grey, 0 to 100",
        "scaled",
        "white, 0 to 255",
        "dark, one above 1",
        "dim",
        "even, all 40",
    ]
    order = ["scaled", "black and white", "dim", "dark, one above 1", *["scaled", "dim"] * 2]
    second = [order[i] for i in rng.permutation(len(order))] + ["light, 0 to 140"]
    return [
        (["scaled", "white, 0 to 255", "dim"], seed),
        (mixed, seed),
        (["scaled", "dim", "black and white", "scaled"], seed),
        (second, seed),
        (["dim", *["white, 0 to 255"] * 2, "scaled"], seed),
    ]


LARGEST = "images.max(axis=(1, 2, 3))"

EXERCISE = Exercise(
    name="unscaled",
    lab=16,
    task="Find the images of a calibration sample whose pixels were not divided by 255.",
    solution=unscaled,
    cases=cases,
    inputs=images,
    valid=lambda kinds, seed: len(kinds) > 0,
    mend="`np.flatnonzero(images.max(axis=(1, 2, 3)) > 1)`",
    misconceptions=[
        Misconception(
            "one verdict for the whole sample",
            edit(LARGEST, "np.full(len(images), images.max())"),
            "Where one image was not divided, you report all of them.",
            "Each image is scaled or not by itself, so each needs a maximum of its own.",
        ),
        Misconception(
            "white pixels as mistakes",
            edit("> 1", ">= 1"),
            "You report correct images that have a white pixel.",
            "A white pixel is 1 once it was divided by 255. Only values above 1 are proof.",
        ),
        Misconception(
            "only bright images found",
            [edit("> 1", "> 2"), edit("> 1", "> 127"), edit("> 1", "== 255")],
            "You find bright images and miss darker ones that were not divided.",
            "Scaled pixels end at 1, so one pixel above 1 is proof.",
        ),
        Misconception(
            "a limit from the other images",
            [edit("> 1", f"> 3 * np.median({LARGEST})"), edit("> 1", f"> {LARGEST}.mean()")],
            "Your answer depends on what the other images are like.",
            "If many images were not divided, they are the usual ones. The limit is known: 1.",
        ),
    ],
)
