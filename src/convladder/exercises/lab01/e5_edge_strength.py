"""Lab 01, exercise 5: how strong the edges of a photograph are."""

import numpy as np

from ..draws import wholes
from ..exercise import Exercise, Misconception, edit
from .e4_convolve_gemm import convolve_gemm

kernel = np.array([[1, 0, -1], [1, 0, -1], [1, 0, -1]], np.float32)


def edge_strength(photo):
    grey = photo.mean(axis=2, dtype=np.float32)
    w = np.stack([kernel, kernel.T], axis=-1)[:, :, None, :]
    y = convolve_gemm(grey[None, :, :, None], w, stride=(1, 1), padding=(1, 1))[0]
    across, down = y[:, :, 0], y[:, :, 1]
    strength = np.sqrt(across**2 + down**2)
    largest = strength.max()
    return strength / largest if largest > 0 else strength


def cases(rng):
    """Sizes, and the brightness of the brightest value: a black photo, and one with weak edges."""
    drawn = (*wholes(rng, 8, 14), 3)
    return [
        ((4, 5, 1), 1.0),
        ((5, 1, 3), 0.0),
        ((8, 11, 4), 1.0),
        ((12, 7, 1), 0.001),
        (drawn, 1.0),
    ]


def photo_of(fill, image, brightest):
    values = np.abs(fill(*image))
    return (np.float32(brightest) * values / max(values.max(), np.float32(1)),)


DIVIDED = "strength / largest if largest > 0 else strength"

EXERCISE = Exercise(
    name="edge_strength",
    lab=1,
    task="How strong the edges of a photograph are, from two filters in one convolution.",
    solution=edge_strength,
    cases=cases,
    inputs=photo_of,
    allowed=("convladder.functional.conv2d",),
    mend="`strength = np.sqrt(across**2 + down**2)`, then `strength / strength.max()` if that is "
    "above 0",
    misconceptions=[
        Misconception(
            "a division by zero",
            edit(DIVIDED, "strength / largest"),
            "A black photo gives NaN in every pixel.",
            "Without an edge the largest strength is 0, and 0 / 0 is NaN. Divide only by a "
            "strength above 0.",
        ),
        Misconception(
            "one direction only",
            [
                edit("across**2 + down**2", "across**2"),
                edit("across**2 + down**2", "down**2"),
            ],
            "Edges of one direction are missing.",
            "`kernel` compares left with right, `kernel.T` above with below. An edge can have "
            "either direction.",
        ),
        Misconception(
            "filters mixed up by a reshape",
            edit(
                "np.stack([kernel, kernel.T], axis=-1)[:, :, None, :]",
                "np.stack([kernel, kernel.T]).reshape(3, 3, 1, 2)",
            ),
            "Your values come from two filters whose weights are mixed up with each other.",
            "In `w` the filters are the last axis. A reshape only renames places, so stack the "
            "filters along the last axis.",
            mend="`w = np.stack([kernel, kernel.T], axis=-1)[:, :, None, :]`",
        ),
        Misconception(
            "a sum in place of the hypotenuse",
            edit("np.sqrt(across**2 + down**2)", "np.abs(across) + np.abs(down)"),
            "Compared with straight edges, diagonal ones come out too strong.",
            "The two differences are the sides of a right-angled triangle, and the strength is its "
            "hypotenuse.",
        ),
        Misconception(
            "the root forgotten",
            edit("np.sqrt(across**2 + down**2)", "across**2 + down**2"),
            "Weak edges come out too weak.",
            "An edge half as strong has a quarter of the square. The root undoes that.",
        ),
    ],
)
