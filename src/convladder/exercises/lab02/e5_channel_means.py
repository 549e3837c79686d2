"""Lab 02, exercise 5: float16 data, added up without losing digits."""

import numpy as np

from ..draws import wholes
from ..exercise import Exercise, Misconception, edit


def channel_means(image):
    return image.mean(axis=(0, 1), dtype=np.float32)


def cases(rng):
    """Sizes of images, and a number that scales their values.

    None is larger: beyond that, float32 added up in a row is out of the tolerance itself.
    """
    return [
        ((2, 2, 2), 1.0),
        ((1, 90, 4), 1.0),
        ((90, 1, 4), 1.0),
        ((64, 48, 3), 0.001),  # a dark image, whose values have few digits in float16
        ((*wholes(rng, 60, 100), 5), 1.0),
        ((260, 38, 2), 1.0),  # 9,880 pixels, which float16 cannot count
    ]


def image_of(fill, image, scale):
    """Channels with different means, so that none is near 0."""
    return (((fill(*image) + np.arange(1, image[2] + 1)) * scale).astype(np.float16),)


IN_FLOAT16 = "np.add.accumulate(image.reshape(-1, image.shape[2]), dtype=np.float16)[-1]"
MEAN = "image.mean(axis=(0, 1), dtype=np.float32)"
COUNT = "(image.shape[0] * image.shape[1])"

EXERCISE = Exercise(
    name="channel_means",
    lab=2,
    task="Average each channel of a float16 image, without losing digits on the way.",
    solution=channel_means,
    cases=cases,
    inputs=image_of,
    valid=lambda image, scale: min(image) > 0 and scale > 0,
    mend="`image.mean(axis=(0, 1), dtype=np.float32)`",
    misconceptions=[
        Misconception(
            "a float16 accumulator",
            [
                edit(MEAN, f"{IN_FLOAT16}.astype(np.float32) / np.float32{COUNT}"),
                edit(MEAN, f"({IN_FLOAT16} / np.float16{COUNT}).astype(np.float32)"),
            ],
            "Your sums lose digits on the way: the more pixels, the more.",
            "A float16 has 11 significant bits, and every addition is rounded to them. A "
            "conversion after the sum comes too late.",
        ),
        Misconception(
            "a mean rounded to float16",
            edit(MEAN, "image.mean(axis=(0, 1)).astype(np.float32)"),
            "Your means are nearly right: they agree to three digits.",
            "The last step went through float16. NumPy's `mean` of a float16 array rounds its "
            "result to float16 unless it is told another dtype.",
        ),
        Misconception(
            "a float16 result",
            edit(", dtype=np.float32", ""),
            "Your means are float16.",
            "NumPy's `mean` and `sum` return the dtype that they were given, and round to it.",
        ),
        Misconception(
            "pixels divided before the sum",
            edit(MEAN, f"(image / {COUNT}).sum(axis=(0, 1), dtype=np.float32)"),
            "Your means lose digits, most where pixels are dark.",
            "A pixel divided by the number of pixels can be tiny. Near 6e-8, the smallest float16 "
            "above 0, few digits are left.",
        ),
    ],
)
