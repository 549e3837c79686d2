"""Lab 01, exercise 1: how large the output is."""

from ..draws import whole, wholes
from ..exercise import Exercise, Misconception, edit


def output_shape(image, kernel, stride, padding):
    o_h, o_w = ((i + 2 * p - k) // s + 1 for i, k, s, p in zip(image, kernel, stride, padding))
    return o_h, o_w


def cases(rng):
    return [
        ((4, 4), (3, 3), (1, 1), (0, 0)),
        ((5, 7), (3, 3), (2, 2), (0, 0)),
        ((8, 8), (3, 3), (2, 3), (1, 1)),
        ((8, 6), (2, 3), (3, 2), (0, 2)),
        (wholes(rng, 40, 240), wholes(rng, 3, 7), (whole(rng, 2, 4),) * 2, wholes(rng, 0, 3)),
        ((9, 13), (4, 3), (3, 1), (2, 0)),
        ((11, 9), (2, 4), (2, 3), (0, 0)),
        ((6, 7), (1, 2), (1, 1), (2, 3)),  # an output larger than the image
        ((9, 11), (5, 3), (3, 3), (0, 0)),  # image and kernel, rounded apart, give other numbers
    ]


def fits(image, kernel, stride, padding):
    return min(*image, *kernel, *stride) > 0 and all(
        i + 2 * p >= k for i, k, p in zip(image, kernel, padding)
    )


PLACES = "(i + 2 * p - k) // s + 1"

EXERCISE = Exercise(
    name="output_shape",
    lab=1,
    task="Rows and columns of the output, from image, kernel, stride and padding.",
    solution=output_shape,
    cases=cases,
    valid=fits,
    mend=f"For each axis: `{PLACES}`",
    misconceptions=[
        Misconception(
            "the first place forgotten",
            edit(PLACES, "(i + 2 * p - k) // s"),
            "Your output is one row and one column too small.",
            "`(i + 2 * p - k) // s` counts the steps from one place to the next. There is one "
            "more place than there are steps.",
        ),
        Misconception(
            "rounded up",
            edit(PLACES, "-(-(i + 2 * p - k) // s) + 1"),
            "Your numbers are right where the stride divides evenly. Elsewhere they are one too "
            "large.",
            "A window that hangs over the edge doesn't count, so the division rounds down.",
        ),
        Misconception(
            "the stride ignored",
            edit(PLACES, "i + 2 * p - k + 1"),
            "With a stride of 1 your output is right. With a larger one it is too large.",
            "With a stride of 2 the window skips every second place, in each direction.",
        ),
        Misconception(
            "one added before the division",
            edit(PLACES, "(i + 2 * p - k + 1) // s"),
            "With a stride of 1 your output is right. With a larger one it is often one too small.",
            "The place at 0 always counts. The stride divides only the steps that come after it.",
        ),
        Misconception(
            "padding on one side",
            edit("2 * p", "p"),
            "Layers without padding are right. With padding your output can be too small.",
            "Both ends of an axis are padded: above and below, left and right.",
        ),
    ],
)
